from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from math import sqrt
from pickle import dumps, loads

import numpy as np
import pytest

from mirror_ray.world.room.motion import Room
from mirror_ray.world.room.scene import Body, Box, Pose, Scene

MakeScene = Callable[..., Scene]


def room_at(x_m: float, y_m: float, yaw_deg: float, **things: tuple) -> Room:
    ego = Body(Pose(x_m, y_m, yaw_deg), "red")
    return Room(Scene("east", "mirror", ego, **things), np.random.default_rng(0))


def test_moves_by_hand() -> None:
    room = room_at(0.0, 0.0, 0.0)
    assert not room.act("w")
    assert room.ego == Pose(0.5, 0.0, 0.0)
    assert not room.act("a")
    assert room.ego == Pose(0.5, 0.0, 30.0)
    assert not room.act("w")
    assert room.ego == Pose(round(0.5 + sqrt(3) / 4, 9), 0.25, 30.0)
    assert not room.act("s")
    assert room.ego == Pose(0.5, 0.0, 30.0)
    assert not room.act("d")
    assert not room.act("d")
    assert room.ego.yaw_deg == 330.0


def test_twelve_turns_are_none() -> None:
    room = room_at(0.0, 0.0, 120.0)
    for _ in range(12):
        room.act("a")
    assert room.ego == Pose(0.0, 0.0, 120.0)


@pytest.mark.parametrize(
    ("pose", "action"),
    [(Pose(2.5, 0, 0), "w"), (Pose(0, -2.3, 90), "s"), (Pose(2.5, 2.5, 60), "w")],
)
def test_a_wall_blocks_and_leaves_the_pose(pose: Pose, action: str) -> None:
    room = room_at(pose.x_m, pose.y_m, pose.yaw_deg)
    assert room.act(action)
    assert room.ego == pose


def test_a_box_in_between_blocks_though_the_far_end_is_free() -> None:
    thin = Box(0.0, 0.36, 0.0, 0.02, 0.1, 0.5, "stone")
    room = room_at(-0.25, 0.0, 0.0, clutter=(thin,))
    assert not room.act("w")
    # 0.31 m from the path's middle; half a centimetre nearer it is in the way.
    room = room_at(-0.25, 0.0, 0.0, clutter=(replace(thin, y_m=0.345),))
    assert room.act("w")


def test_another_body_blocks_the_ego_at_arms_length() -> None:
    class Still:
        def uniform(self, *_: float) -> np.ndarray:
            return np.zeros(7)

        def integers(self, high: int, size: int) -> np.ndarray:
            return np.full(size, high - 1)

    for gap_m, blocked in ((1.2, False), (1.19, True)):
        ego, other = Body(Pose(0, 0, 0), "red"), Body(Pose(gap_m, 0, 180), "blue")
        room = Room(Scene("east", "mirror", ego, others=(other,)), Still())
        assert room.act("w") == ("agent" if blocked else None)
        assert room.others == (Pose(gap_m, 0, 180),)


def test_others_go_left_right_on_or_stay_alike_often() -> None:
    other = Body(Pose(0, 0, 0), "blue")
    counts: Counter[str] = Counter()
    for seed in range(800):
        scene = Scene("east", "mirror", Body(Pose(-2.5, -2.5, 0), "red"), others=(other,))
        room = Room(scene, np.random.default_rng(seed))
        room.wait()
        (pose,) = room.others
        moved = "forward" if pose.x_m else {0.0: "stay", 30.0: "left", 330.0: "right"}[pose.yaw_deg]
        counts[moved] += 1
    # 200 ± 4 standard deviations of 12.2.
    assert all(150 < counts[move] < 250 for move in ("forward", "left", "right", "stay"))


def test_an_other_that_is_blocked_turns_instead() -> None:
    cornered = Body(Pose(2.6, 0, 0), "blue")
    headings = Counter()
    for seed in range(400):
        scene = Scene("east", "mirror", Body(Pose(-2.5, -2.5, 0), "red"), others=(cornered,))
        room = Room(scene, np.random.default_rng(seed))
        room.wait()
        (pose,) = room.others
        assert (pose.x_m, pose.y_m) == (2.6, 0)
        headings[pose.yaw_deg] += 1
    # A quarter stay; the rest turns, one half each way.
    assert 65 < headings[0.0] < 135
    assert 105 < headings[30.0] < 195
    assert 105 < headings[330.0] < 195


def test_waiting_moves_all_but_the_ego(random_scene: MakeScene) -> None:
    room = Room(random_scene(3, others=6), np.random.default_rng(3))
    ego, others = room.ego, room.others
    for _ in range(4):
        room.wait()
    assert room.ego == ego
    assert all(now != then for now, then in zip(room.others, others, strict=True))


def test_an_episode_is_a_function_of_scene_stream_and_actions(random_scene: MakeScene) -> None:
    def played() -> list:
        room = Room(random_scene(9, others=4), np.random.default_rng(9))
        return [(room.act(action), room.eye()) for action in "wwadswwda"]

    assert played() == played()


def test_the_same_moves_with_and_without_some_of_the_others(random_scene: MakeScene) -> None:
    scene = random_scene(4, others=6)
    few = replace(scene, others=scene.others[:1])
    crowd, pair = (Room(one, np.random.default_rng(4)) for one in (scene, few))
    assert crowd.eye().ego == pair.eye().ego
    assert crowd.eye().others[0] == pair.eye().others[0]


def test_a_view_is_a_snapshot_that_travels(random_scene: MakeScene) -> None:
    room = Room(random_scene(2, others=2), np.random.default_rng(2))
    view = room.eye(width_px=320, height_px=240, fov_deg=90.0, encoding="jpeg")
    before = dumps(view)
    room.act("a")
    assert dumps(view) == before
    assert loads(before) == view  # noqa: S301 - our own bytes
    assert room.eye() != view


def test_everyone_walks_in_mid_stride_and_stops_when_blocked() -> None:
    room = room_at(2.0, 0.0, 0.0)
    phases = [room.eye().ego.phase_rad]
    for action in "ws":
        room.act(action)
        phases.append(room.eye().ego.phase_rad)
    assert phases[0] != phases[1]
    assert phases[2] == pytest.approx(phases[0])
    room.act("w")
    phase_rad = room.eye().ego.phase_rad
    assert room.act("w")
    assert room.eye().ego.phase_rad == phase_rad


def test_what_is_met_first_blocks() -> None:
    """A step of 0.5 m towards a wall that stops it after 0.4 m, and a box after 0.3 m."""
    box = Box(2.95, 0.0, 0.0, 0.1, 1.0, 0.3, "red")
    for boxes, met in (("cubes", "cube"), ("clutter", "clutter")):
        assert room_at(2.3, 0.0, 0.0, **{boxes: (box,)}).act("w") == met
    assert room_at(2.3, 0.0, 0.0).act("w") == "wall"
    # After 0.385 m; and one that is passed by.
    late = Box(2.99, 0.0, 0.0, 0.01, 1.0, 0.3, "red")
    assert room_at(2.3, 0.0, 0.0, clutter=(late,)).act("w") == "clutter"
    aside = Box(2.9, 0.5, 0.0, 0.1, 0.3, 0.3, "red")
    assert room_at(2.3, 0.0, 0.0, clutter=(aside,)).act("w") == "wall"


def test_a_body_nearer_than_a_box_is_what_blocks() -> None:
    box = Box(0.9, 0.0, 0.0, 0.1, 1.0, 0.3, "red")
    ego, other = Body(Pose(0, 0, 0), "red"), Body(Pose(0.8, 0, 180), "blue")
    scene = Scene("east", "mirror", ego, cubes=(box,), others=(other,))
    assert Room(scene, np.random.default_rng(0)).act("w") == "agent"
    behind = Body(Pose(1.15, 0.0, 180), "blue")
    nearer = replace(box, x_m=0.6)
    scene = Scene("east", "mirror", ego, cubes=(nearer,), others=(behind,))
    assert Room(scene, np.random.default_rng(0)).act("w") == "cube"
