from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from mirror_ray.core.errors import RenderError
from mirror_ray.world.renderer import Renderer
from mirror_ray.world.room.camera import eye_position, reflector_in_view
from mirror_ray.world.room.motion import Room
from mirror_ray.world.room.scene import WALLS, Body, Box, Pose, Scene
from mirror_ray.world.room.view import EyeView, Stance
from support.whole import mostly_thorough


def alone(
    pose: Pose, phase_rad: float = 0.0, wall: str = "east", fov_deg: float = 110.0
) -> EyeView:
    scene = Scene(wall, "mirror", Body(pose, "red"))
    return EyeView(scene, Stance(pose, phase_rad), (), 640, 480, fov_deg, "png")


def random_poses(seed: int, count: int) -> list[tuple[Pose, float, str]]:
    rng = np.random.default_rng(seed)
    return [
        (
            Pose(*rng.uniform(-2.7, 2.7, 2).tolist(), float(rng.uniform(0, 360))),
            float(rng.uniform(0, 2 * np.pi)),
            WALLS[int(rng.integers(4))],
        )
        for _ in range(count)
    ]


@pytest.mark.parametrize(
    ("fov_deg", "count"), mostly_thorough(3, [(140.0, 300), (110.0, 500), (60.0, 100)])
)
def test_the_ego_is_never_directly_visible(renderer: Renderer, fov_deg: float, count: int) -> None:
    reflections = 0
    for pose, phase_rad, wall in random_poses(round(fov_deg), count):
        facts = renderer.draw(alone(pose, phase_rad, wall, fov_deg)).facts
        assert facts["ego_direct_px"] == 0
        reflections += facts["ego_reflection_px"] > 0
    # It was there to be seen.
    assert reflections > count / 20


@pytest.mark.parametrize("yaw_deg", [0.0, 90.0, 180.0, 270.0])
def test_every_wall_carries_the_mirror_alike(renderer: Renderer, yaw_deg: float) -> None:
    yaw = np.radians(yaw_deg)
    pose = Pose(1.5 * np.cos(yaw), 1.5 * np.sin(yaw), yaw_deg)
    facts = renderer.draw(alone(pose, wall=WALLS[round(yaw_deg / 90)])).facts
    focal_px = 240 / np.tan(np.radians(55))
    side_px = 2.0 * focal_px / (1.5 - 0.12 - 0.001)
    assert facts["mirror_px"] == pytest.approx(side_px**2, rel=0.01)
    assert facts["ego_reflection_px"] == pytest.approx(1470, rel=0.02)


def test_a_body_is_as_far_behind_the_mirror_as_the_ego_before_it(renderer: Renderer) -> None:
    heights = {}
    for distance_m in (0.75, 1.5, 3.0):
        codes, reflected = renderer.identify(alone(Pose(3.0 - distance_m, 0.0, 0.0)))
        rows = np.flatnonzero(((codes == 1) & reflected).any(axis=1))
        heights[distance_m] = rows[-1] - rows[0] + 1
    # 1.57 m tall, seen from 0.12 m before the body's axis; toes are nearer than that axis.
    for distance_m, height_px in heights.items():
        expected_px = 1.57 * 168.05 / (2 * distance_m - 0.12)
        assert height_px == pytest.approx(expected_px, rel=0.04)


def test_the_eye_is_before_the_face() -> None:
    assert eye_position(Pose(1.0, 2.0, 90.0)) == pytest.approx((1.0, 2.12, 1.45))


@pytest.mark.parametrize(
    ("pose", "wall", "fov_deg", "expected"),
    [
        (Pose(0.0, 0.0, 0.0), "east", 110.0, True),
        (Pose(0.0, 0.0, 180.0), "east", 110.0, False),
        (Pose(0.0, 0.0, 60.0), "east", 110.0, True),  # its near edge is 43° to the right
        (Pose(0.0, 0.0, 60.0), "east", 60.0, False),
        (Pose(0.0, 0.0, 120.0), "east", 110.0, False),
        (Pose(2.5, 0.0, 90.0), "east", 110.0, True),
        (Pose(2.5, 2.0, 90.0), "east", 110.0, False),  # it has passed the mirror
    ],
)
def test_reflector_in_view(pose: Pose, wall: str, fov_deg: float, expected: bool) -> None:
    seen = reflector_in_view(pose, wall, width_px=640, height_px=480, fov_deg=fov_deg)
    assert seen == expected


def test_reflector_in_view_agrees_with_the_pixels(renderer: Renderer) -> None:
    for pose, _, wall in random_poses(7, 150):
        shown = renderer.draw(alone(pose, wall=wall)).facts["mirror_px"]
        geometry = reflector_in_view(pose, wall, width_px=640, height_px=480, fov_deg=110.0)
        assert geometry or shown == 0
        # A little less wide, and the quadrilateral covers at least the centre of one pixel.
        surely = reflector_in_view(pose, wall, width_px=630, height_px=480, fov_deg=109.0)
        assert shown > 0 or not surely


def test_what_stands_before_the_mirror_hides_it(renderer: Renderer) -> None:
    view = alone(Pose(0.0, 0.0, 0.0))
    wide = Box(2.0, 0.0, 0.0, 0.3, 2.0, 2.4, "stone")
    hidden = replace(view, scene=replace(view.scene, clutter=(wide,)))
    free, blocked = renderer.draw(view).facts, renderer.draw(hidden).facts
    assert free["mirror_px"] > 10_000
    assert blocked["mirror_px"] == blocked["ego_reflection_px"] == 0
    assert blocked["clutter_px"] > 10_000


def test_pictures_of_any_allowed_size(
    renderer: Renderer, random_scene: Callable[..., Scene]
) -> None:
    room = Room(random_scene(8, others=3), np.random.default_rng(8))
    usual = renderer.draw(room.eye())
    large = renderer.draw(room.eye(width_px=1024, height_px=768))
    assert large.rgb.shape == (768, 1024, 3)
    assert large.facts["mirror_px"] == pytest.approx(2.56 * usual.facts["mirror_px"], rel=0.01)
    small = renderer.draw(room.eye(width_px=160, height_px=120))
    assert small.rgb.shape == (120, 160, 3)
    again = renderer.draw(room.eye())
    np.testing.assert_array_equal(usual.rgb, again.rgb)


@pytest.mark.parametrize(("width_px", "height_px"), [(0, 480), (640, -1), (4096, 480)])
def test_a_size_that_cannot_be_drawn_is_refused(
    renderer: Renderer, width_px: int, height_px: int
) -> None:
    view = replace(alone(Pose(0, 0, 0)), width_px=width_px, height_px=height_px)
    with pytest.raises(RenderError, match="each side"):
        renderer.draw(view)


def test_an_unknown_kind_of_view_is_refused(renderer: Renderer) -> None:
    class Postcard:
        encoding = "png"

    with pytest.raises(RenderError, match="Postcard"):
        renderer.draw(Postcard())


def test_the_room_is_closed(renderer: Renderer) -> None:
    for pose, _, wall in random_poses(3, 60):
        rgb = renderer.draw(alone(pose, wall=wall)).rgb
        # Outside is black; the darkest thing inside is not.
        assert rgb.max(axis=-1).min() > 60
