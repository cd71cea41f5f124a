"""The evidence against two references that share nothing with the way it is made."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import mujoco
import numpy as np
import pytest
from numpy.typing import NDArray

from mirror_ray.world.renderer import Renderer
from mirror_ray.world.room.camera import eye_axes, eye_position, reflector_axes
from mirror_ray.world.room.evidence import CLUTTER, EGO, FIRST_CUBE, FIRST_OTHER
from mirror_ray.world.room.model import RoomModel
from mirror_ray.world.room.motion import ACTIONS, Room
from mirror_ray.world.room.scene import Scene
from mirror_ray.world.room.view import EyeView
from support.whole import mostly_thorough

MakeScene = Callable[..., Scene]


def walked(scene: Scene, seed: int, **camera: Any) -> EyeView:
    """A view some random steps into an episode, so that everyone is in mid-stride."""
    rng = np.random.default_rng(seed)
    room = Room(scene, rng)
    for _ in range(6):
        room.act(ACTIONS[int(rng.integers(4))])
    return room.eye(**camera)


def test_the_scenes_of_these_tests_show_what_they_are_about(
    renderer: Renderer, random_scene: MakeScene
) -> None:
    facts = [
        renderer.draw(walked(random_scene(seed, others=4, cubes=2, clutter=4), seed)).facts
        for seed in range(16)
    ]
    assert sum(one["mirror_px"] > 1000 for one in facts) >= 8
    assert sum(one["ego_reflection_px"] > 100 for one in facts) >= 4
    assert sum(max(one["other_reflection_px"]) > 100 for one in facts) >= 6
    assert sum(one["clutter_reflection_px"] > 100 for one in facts) >= 6


@pytest.mark.parametrize("seed", mostly_thorough(3, range(16)))
def test_a_thing_is_exactly_the_pixels_that_its_own_colour_changes(
    renderer: Renderer, random_scene: MakeScene, seed: int
) -> None:
    scene = random_scene(seed, others=4, cubes=2, clutter=4)
    view = walked(scene, seed)
    codes, _ = renderer.identify(view)
    before = renderer.draw(view).rgb
    repaints = [(EGO, replace(scene, ego=repainted(scene.ego)))]
    for i, cube in enumerate(scene.cubes):
        cubes = (*scene.cubes[:i], repainted(cube), *scene.cubes[i + 1 :])
        repaints.append((FIRST_CUBE + i, replace(scene, cubes=cubes)))
    for i, other in enumerate(scene.others):
        others = (*scene.others[:i], repainted(other), *scene.others[i + 1 :])
        repaints.append((FIRST_OTHER + i, replace(scene, others=others)))
    for code, repaint in repaints:
        after = renderer.draw(replace(view, scene=repaint)).rgb
        np.testing.assert_array_equal(codes == code, (before != after).any(axis=-1))


def repainted(thing: Any) -> Any:
    warm = thing.color in ("red", "orange", "yellow", "brown", "pink", "white")
    return replace(thing, color="blue" if warm else "yellow")


@pytest.mark.parametrize("seed", mostly_thorough(3, range(16)))
def test_every_pixel_is_what_a_ray_of_light_meets(
    renderer: Renderer, random_scene: MakeScene, seed: int
) -> None:
    view = walked(random_scene(seed, others=5, cubes=3, clutter=4), seed)
    codes, reflected = renderer.identify(view)
    rows, columns = np.mgrid[2 : view.height_px - 2 : 5, 2 : view.width_px - 2 : 5]
    traced_codes, traced_reflected = traced(view, rows.ravel(), columns.ravel())
    drawn = codes.astype(int) + 100 * reflected
    # The drawn bodies are faceted: at an outline the two may differ by a pixel.
    windows = np.lib.stride_tricks.sliding_window_view(drawn, (5, 5))[::5, ::5]
    inner = (windows == windows[..., 2:3, 2:3]).all(axis=(2, 3)).ravel()
    assert inner.mean() > 0.5
    seen = drawn[rows, columns].ravel()
    np.testing.assert_array_equal(seen[inner], (traced_codes + 100 * traced_reflected)[inner])


def traced(
    view: EyeView, rows: NDArray[np.int_], columns: NDArray[np.int_]
) -> tuple[NDArray[np.int_], NDArray[np.bool_]]:
    """The same by MuJoCo's ray casting, without OpenGL: eye, first thing met, mirror, next."""
    stage = RoomModel()
    stage.show(view, [True] * (1 + len(view.others)))
    # Light passes what is hidden; a ray does so only where no material is set.
    stage.picture.geom_matid[stage.picture.geom_rgba[:, 3] == 0.0] = -1
    owner = owners(stage.picture)
    glass = stage.picture.geom("mirror").id
    focal_px = view.height_px / 2 / np.tan(np.radians(view.fov_deg) / 2)
    right = (columns + 0.5 - view.width_px / 2) / focal_px
    up = (view.height_px / 2 - rows - 0.5) / focal_px
    rays = np.stack([right, up, -np.ones_like(right)], axis=1) @ eye_axes(view.ego.pose).T
    rays /= np.linalg.norm(rays, axis=1, keepdims=True)
    inward = reflector_axes(view.scene.reflector_wall)[:, 2]
    eye = np.array(eye_position(view.ego.pose))
    found, mirrored = [], []
    for ray in rays:
        distance, geom = cast(stage, eye, ray)
        mirrored.append(geom == glass)
        if geom == glass:
            on = eye + distance * ray + 1e-6 * inward
            _, geom = cast(stage, on, ray - 2 * (ray @ inward) * inward)
        found.append(owner[geom])
    return np.array(found), np.array(mirrored)


def cast(
    stage: RoomModel, start: NDArray[np.float64], ray: NDArray[np.float64]
) -> tuple[float, int]:
    geom = np.zeros(1, np.int32)
    distance = mujoco.mj_ray(stage.picture, stage.data, start, ray, None, 1, -1, geom)
    return distance, int(geom[0])


def owners(model: mujoco.MjModel) -> list[int]:
    def owner(name: str) -> int:
        if name.startswith("humanoid"):
            index = int(name.removeprefix("humanoid").split("/")[0])
            return EGO if index == 0 else FIRST_OTHER + index - 1
        if name.startswith("cube"):
            return FIRST_CUBE + int(name.removeprefix("cube"))
        return CLUTTER if name.startswith("clutter") else 0

    return [owner(model.geom(i).name) for i in range(model.ngeom)]


@pytest.mark.parametrize("seed", range(12))
def test_leaving_out_what_cannot_be_seen_changes_no_pixel(
    renderer: Renderer, random_scene: MakeScene, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    view = walked(random_scene(seed, others=6, clutter=3), seed)
    frame = renderer.draw(view)
    drawn: list[int] = []

    def everybody(view: EyeView, *, reflecting: bool) -> list[bool]:
        drawn.append(len(view.others))
        return [True] * (1 + len(view.others))

    monkeypatch.setattr("mirror_ray.world.room.painter.bodies_in_view", everybody)
    monkeypatch.setattr("mirror_ray.world.room.painter.reflector_in_view", lambda *_, **__: True)
    whole = renderer.draw(view)
    assert drawn == [6]
    np.testing.assert_array_equal(frame.rgb, whole.rgb)
    assert frame.facts == whole.facts


def test_facts_count_the_identities(renderer: Renderer, random_scene: MakeScene) -> None:
    view = walked(random_scene(5, others=3, cubes=3, clutter=5), 5)
    codes, reflected = renderer.identify(view)
    facts = renderer.draw(view).facts

    def count(code: int, *, mirrored: bool) -> int:
        return int(((codes == code) & (reflected == mirrored)).sum())

    assert facts == {
        "mirror_px": int(reflected.sum()),
        "ego_reflection_px": count(EGO, mirrored=True),
        "other_reflection_px": [count(FIRST_OTHER + i, mirrored=True) for i in range(3)],
        "other_px": [count(FIRST_OTHER + i, mirrored=False) for i in range(3)],
        "cube_reflection_px": [count(FIRST_CUBE + i, mirrored=True) for i in range(3)],
        "cube_px": [count(FIRST_CUBE + i, mirrored=False) for i in range(3)],
        "clutter_reflection_px": count(CLUTTER, mirrored=True),
        "clutter_px": count(CLUTTER, mirrored=False),
        "ego_direct_px": 0,
    }


def test_a_panel_reflects_nothing(renderer: Renderer, random_scene: MakeScene) -> None:
    for seed in range(8):
        scene = replace(random_scene(seed, cubes=3, others=2), reflector="panel")
        view = walked(scene, seed)
        frame = renderer.draw(view)
        for fact in ("mirror_px", "ego_reflection_px", "clutter_reflection_px"):
            assert frame.facts[fact] == 0
        assert sum(frame.facts["other_reflection_px"] + frame.facts["cube_reflection_px"]) == 0
        repaint = replace(view, scene=replace(scene, ego=repainted(scene.ego)))
        np.testing.assert_array_equal(frame.rgb, renderer.draw(repaint).rgb)


def test_things_of_another_scene_leave_no_trace(
    renderer: Renderer, random_scene: MakeScene
) -> None:
    bare = random_scene(1)
    crowded = random_scene(1, others=6, cubes=3, clutter=8)
    view = walked(bare, 1)
    first = renderer.draw(view)
    renderer.draw(walked(crowded, 1))
    again = renderer.draw(view)
    np.testing.assert_array_equal(first.rgb, again.rgb)
    assert again.facts == first.facts
    assert again.facts["other_px"] == again.facts["cube_px"] == []
    assert again.facts["clutter_px"] == again.facts["clutter_reflection_px"] == 0
    codes, _ = renderer.identify(view)
    assert set(np.unique(codes)) <= {0, EGO}
