"""What a mirror is like changes what is seen in it, and never what is known of it."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from mirror_ray.world.renderer import Renderer
from mirror_ray.world.room.camera import glass_frame, reflector_centre
from mirror_ray.world.room.evidence import EGO, FIRST_CUBE
from mirror_ray.world.room.motion import Room
from mirror_ray.world.room.painter import px_per_deg
from mirror_ray.world.room.scene import OPPOSITE, TINTS, Body, Box, Glass, Pose, Scene
from mirror_ray.world.room.view import EyeView

CUBE = Box(-0.8, 1.6, 20.0, 0.3, 0.3, 0.3, "blue")
SCENE = Scene("north", "mirror", Body(Pose(0.1, 0.8, 90.0), "orange"), cubes=(CUBE,))
SHAPES = {
    "small": Glass(side_m=0.35),
    "leaning": Glass(tilt_deg=10.0),
    "behind slats": Glass(cover=0.6),
    "two": Glass(is_double=True),
    "all at once": Glass(side_m=1.4, tilt_deg=5.0, cover=0.25, is_double=True),
}


def seen(scene: Scene) -> EyeView:
    return Room(scene, np.random.default_rng(1)).eye()


@pytest.mark.parametrize("look", ["plain", "lit", "furnished"])
@pytest.mark.parametrize("shape", SHAPES)
def test_a_reflection_is_exactly_the_pixels_that_its_colour_changes(
    renderer: Renderer, look: str, shape: str
) -> None:
    scene = replace(SCENE, glass=SHAPES[shape], look=look)
    codes, _ = renderer.identify(seen(scene))
    frame = renderer.draw(seen(scene))
    repaints = [
        (EGO, replace(scene, ego=Body(scene.ego.pose, "blue"))),
        (FIRST_CUBE, replace(scene, cubes=(replace(CUBE, color="yellow"),))),
    ]
    for code, repaint in repaints:
        after = renderer.draw(seen(repaint)).rgb
        np.testing.assert_array_equal(codes == code, (frame.rgb != after).any(axis=-1))
    assert frame.facts["ego_reflection_px"] > 0


@pytest.mark.parametrize(
    "glass", [Glass(reflectance=0.5), Glass(tint="bronze"), Glass(blur_deg=3.0)], ids=repr
)
def test_glass_changes_its_own_pixels_and_no_fact(renderer: Renderer, glass: Glass) -> None:
    whole, view = renderer.draw(seen(SCENE)), seen(replace(SCENE, glass=glass))
    frame = renderer.draw(view)
    _, on_glass = renderer.identify(view)
    assert frame.facts == whole.facts
    np.testing.assert_array_equal(frame.rgb[~on_glass], whole.rgb[~on_glass])
    if not glass.blur_deg:
        shares = glass.reflectance * np.array(TINTS[glass.tint])
        np.testing.assert_allclose(frame.rgb[on_glass], whole.rgb[on_glass] * shares, atol=0.51)


def test_a_blur_keeps_the_light_and_loses_the_edges(renderer: Renderer) -> None:
    whole = renderer.draw(seen(SCENE)).rgb.astype(float)
    view = seen(replace(SCENE, glass=Glass(blur_deg=3.0)))
    blurred = renderer.draw(view).rgb.astype(float)
    _, on_glass = renderer.identify(view)
    means = whole[on_glass].mean(axis=0), blurred[on_glass].mean(axis=0)
    np.testing.assert_allclose(*means, rtol=0.03)
    inner = on_glass[:, 1:] & on_glass[:, :-1]
    edges = [np.abs(np.diff(each, axis=1))[inner].max() for each in (whole, blurred)]
    assert edges[1] < 0.2 * edges[0]


def test_half_the_light_of_a_covered_mirror_is_half_of_its_area(renderer: Renderer) -> None:
    whole = renderer.draw(seen(SCENE)).facts["mirror_px"]
    for cover in (0.25, 0.5, 0.75):
        left = renderer.draw(seen(replace(SCENE, glass=Glass(cover=cover)))).facts["mirror_px"]
        assert left / whole == pytest.approx(1 - cover, abs=0.02)


def test_a_second_mirror_hangs_opposite(renderer: Renderer) -> None:
    turned = replace(SCENE, ego=Body(Pose(0.1, 0.8, 270.0), "orange"))
    assert renderer.draw(seen(turned)).facts["mirror_px"] == 0
    assert renderer.draw(seen(replace(turned, glass=Glass(is_double=True)))).facts["mirror_px"] > 0
    assert OPPOSITE["north"] == "south"


def test_a_leaning_mirror_turns_about_its_lower_edge() -> None:
    glass = Glass(side_m=1.0, tilt_deg=10.0)
    centre, axes = glass_frame("east", glass)
    lower = centre - axes[:, 1] * glass.side_m / 2
    np.testing.assert_allclose(lower, np.array(reflector_centre("east")) - [0.0, 0.0, 0.5])
    np.testing.assert_allclose(axes[:, 2], [-np.cos(np.radians(10)), 0.0, -np.sin(np.radians(10))])


def test_nobody_walks_through_a_leaning_mirror() -> None:
    near = replace(SCENE, ego=Body(Pose(0.0, 2.3, 90.0), "orange"), cubes=())
    assert Room(near, np.random.default_rng(0)).act("w") == "wall"
    near = replace(near, ego=Body(Pose(0.0, 2.0, 90.0), "orange"))
    assert Room(near, np.random.default_rng(0)).act("w") is None
    leaning = Room(replace(near, glass=Glass(tilt_deg=15.0)), np.random.default_rng(0))
    assert leaning.act("w") == "wall"


def test_a_degree_in_the_middle_of_the_picture() -> None:
    # tan 45° = 1: 240 pixels per radian there.
    assert px_per_deg(480, 90.0) == pytest.approx(240 * np.pi / 180)


@pytest.mark.parametrize("look", ["lit", "furnished"])
def test_looks_differ_in_pixels_and_in_no_fact(
    renderer: Renderer, random_scene: Callable[..., Scene], look: str
) -> None:
    for seed in range(4):
        scene = random_scene(seed, others=3, cubes=3, clutter=2)
        plain = renderer.draw(seen(scene))
        frame = renderer.draw(seen(replace(scene, look=look)))
        assert (frame.rgb != plain.rgb).any(axis=-1).mean() > 0.5
        for name, count in plain.facts.items():
            # A rug of 4 mm hides the lowest pixels of what stands on it.
            np.testing.assert_allclose(frame.facts[name], count, atol=12, rtol=0.01)


def test_under_a_lamp_no_panel_stands_out_of_its_wall(renderer: Renderer) -> None:
    bare = replace(SCENE, reflector="panel", cubes=(), look="lit")
    rgb = renderer.draw(seen(bare)).rgb[:, 100:540].astype(int)
    # The wall before the ego is lit alike to the left and to the right of any place.
    steps = np.abs(np.diff(rgb[160:260], axis=1)).max()
    assert steps <= 3
