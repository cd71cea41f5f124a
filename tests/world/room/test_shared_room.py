"""A room of two: whose eyes see what, and what stops whom."""

from dataclasses import replace
from math import hypot

import numpy as np
import pytest

from mirror_ray.world.renderer import Renderer
from mirror_ray.world.room.evidence import EGO, FIRST_OTHER
from mirror_ray.world.room.scene import Body, Box, Pose, Scene
from mirror_ray.world.room.shared_room import SharedRoom

NORTH = Scene(
    "north",
    "mirror",
    Body(Pose(-0.6, 1.4, 90.0), "red"),
    (Box(2.0, -2.0, 0.0, 0.3, 0.3, 0.3, "red"),),
    (),
    (Body(Pose(0.6, 1.4, 90.0), "blue"),),
)
FRAME = {"width_px": 320, "height_px": 240, "fov_deg": 110.0, "encoding": "png"}


def room_of(scene: Scene = NORTH) -> SharedRoom:
    return SharedRoom(scene, np.random.default_rng(0))


def test_each_moves_itself_alone() -> None:
    room = room_of()
    assert room.act(1, "s") is None
    assert room.act(0, "a") is None
    assert room.pose(0) == Pose(-0.6, 1.4, 120.0)
    assert room.pose(1) == Pose(0.6, 0.9, 90.0)


def test_nobody_comes_nearer_than_an_eye_can_bear() -> None:
    toward = replace(NORTH, ego=Body(Pose(-0.6, 1.4, 0.0), "red"))
    room = room_of(toward)
    assert room.act(0, "w") is None
    # 0.7 m apart: a step more would be too near, from either side.
    assert room.act(0, "w") == "agent"
    for action in ("a", "a", "a"):
        assert room.act(1, action) is None
    assert room.act(1, "w") == "agent"
    assert room.pose(0) == Pose(-0.1, 1.4, 0.0)
    assert room.act(1, "s") is None
    one, other = room.pose(0), room.pose(1)
    assert hypot(one.x_m - other.x_m, one.y_m - other.y_m) == pytest.approx(1.2)


def test_walls_and_cubes_stop_either() -> None:
    room = room_of(replace(NORTH, ego=Body(Pose(0.0, 2.5, 90.0), "red")))
    assert room.act(0, "w") == "wall"
    near = replace(NORTH, others=(Body(Pose(1.3, -2.0, 0.0), "blue"),))
    room = room_of(near)
    assert room.act(1, "w") == "cube"
    assert room.pose(1) == Pose(1.3, -2.0, 0.0)


def test_who_wanders_leaves_the_other_where_it_is() -> None:
    room = room_of()
    for _ in range(20):
        room.wander(1)
    assert room.pose(0) == NORTH.ego.pose
    assert room.pose(1) != NORTH.others[0].pose
    again = room_of()
    for _ in range(20):
        again.wander(1)
    assert again.pose(1) == room.pose(1)


def test_the_evidence_is_each_viewers_own() -> None:
    renderer = Renderer()
    room = room_of()
    mine, yours = (renderer.draw(room.eye(body, **FRAME)).facts for body in (0, 1))
    # They stand mirror-wise to the room's middle line: each sees of itself what the other does.
    for facts in (mine, yours):
        assert facts["ego_reflection_px"] > 200
        assert facts["other_reflection_px"][0] > 200
        assert facts["other_px"] == [0]
        assert facts["ego_direct_px"] == 0
    assert mine["ego_reflection_px"] == pytest.approx(yours["ego_reflection_px"], rel=0.15)
    # Who turns to the other sees it directly; what is the other for one is the ego for the other.
    for _ in range(3):
        room.act(0, "d")
    direct = renderer.draw(room.eye(0, **FRAME))
    assert direct.facts["other_px"][0] > 2_000
    codes, in_mirror = renderer.identify(room.eye(1, **FRAME))
    ego = (codes == EGO) & in_mirror
    other = (codes == FIRST_OTHER) & in_mirror
    # The own image is straight ahead, and the other's, who stands to the left, left of it.
    assert np.nonzero(other)[1].mean() < np.nonzero(ego)[1].mean()
    assert abs(np.nonzero(ego)[1].mean() - 160) < 10
    renderer.close()


def test_a_panel_shows_nobody() -> None:
    renderer = Renderer()
    room = room_of(replace(NORTH, reflector="panel"))
    facts = renderer.draw(room.eye(0, **FRAME)).facts
    renderer.close()
    assert facts["ego_reflection_px"] == 0
    assert facts["other_reflection_px"] == [0]
