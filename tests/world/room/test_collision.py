"""Collision against brute force, and rooms that never let anyone into anything."""

from math import cos, hypot, radians, sin

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mirror_ray.world.room.collision import Disc, Floor, point_to_segment_m, segment_to_box_m
from mirror_ray.world.room.motion import ACTIONS, EGO_DISTANCE_M, Room
from mirror_ray.world.room.scene import BODY_RADIUS_M, Box, Pose

coordinates = st.floats(-3.0, 3.0).map(lambda value: round(value, 6))
points = st.tuples(coordinates, coordinates)
boxes = st.builds(
    Box,
    x_m=coordinates,
    y_m=coordinates,
    yaw_deg=st.floats(-360.0, 360.0).map(lambda value: round(value, 3)),
    width_m=st.floats(0.05, 2.0).map(lambda value: round(value, 3)),
    depth_m=st.floats(0.05, 2.0).map(lambda value: round(value, 3)),
    height_m=st.just(0.5),
    color=st.just("stone"),
)


def test_distances_by_hand() -> None:
    assert point_to_segment_m((0, 1), (-1, 0), (1, 0)) == 1.0
    assert point_to_segment_m((4, 4), (-1, 0), (1, 0)) == 5.0
    assert point_to_segment_m((3, 4), (0, 0), (0, 0)) == 5.0
    box = Box(0.0, 0.0, 0.0, 2.0, 1.0, 0.5, "stone")
    assert segment_to_box_m((2, 0), (3, 0), box) == 1.0
    assert segment_to_box_m((4, 4.5), (4, 4.5), box) == 5.0
    assert segment_to_box_m((-2, 0), (2, 0), box) == 0.0  # through it, both ends outside
    assert segment_to_box_m((0, 0), (0.1, 0), box) == 0.0  # wholly inside
    # Passing a corner: the segment x + y = 2.5 is 1 / √2 from the corner (1, 0.5).
    assert segment_to_box_m((2.5, 0), (0, 2.5), box) == pytest.approx(1 / 2**0.5)
    # Turned by a quarter it is 1 wide and 2 deep.
    turned = Box(0.0, 0.0, 90.0, 2.0, 1.0, 0.5, "stone")
    assert segment_to_box_m((2, 0), (2, 0), turned) == pytest.approx(1.5)


@given(points, points, boxes)
def test_segment_to_box_is_the_least_of_many_samples(start, end, box) -> None:
    along = np.linspace(0.0, 1.0, 401)[:, None]
    samples = (1 - along) * np.array(start) + along * np.array(end) - (box.x_m, box.y_m)
    yaw = radians(box.yaw_deg)
    local = samples @ np.array([[cos(yaw), -sin(yaw)], [sin(yaw), cos(yaw)]])
    outside = np.maximum(np.abs(local) - (box.width_m / 2, box.depth_m / 2), 0.0)
    sampled = float(np.hypot(*outside.T).min())
    spacing = hypot(end[0] - start[0], end[1] - start[1]) / 400
    exact = segment_to_box_m(start, end, box)
    assert exact <= sampled + 1e-9
    assert exact >= sampled - spacing - 1e-9


@given(points, points, st.lists(boxes, max_size=3), st.lists(points, max_size=3))
def test_a_free_path_is_free_all_along(start, end, obstacles, centres) -> None:
    floor = Floor(tuple(obstacles))
    discs = [Disc(x_m, y_m, 0.25) for x_m, y_m in centres]
    if floor.is_path_free(start, end, 0.3, discs):
        for part in np.linspace(0.0, 1.0, 21).tolist():
            x_m = (1 - part) * start[0] + part * end[0]
            y_m = (1 - part) * start[1] + part * end[1]
            assert floor.is_free(x_m, y_m, 0.3 - 1e-9, discs)


@pytest.mark.parametrize(
    ("x_m", "radius_m", "free"), [(2.7, 0.3, True), (2.71, 0.3, False), (-2.71, 0.3, False)]
)
def test_walls(x_m: float, radius_m: float, free: bool) -> None:
    assert Floor().is_free(x_m, 0.0, radius_m) is free
    assert Floor().is_free(0.0, x_m, radius_m) is free


def test_touching_is_free() -> None:
    assert Floor().is_free(0.0, 0.0, 0.3, [Disc(0.6, 0.0, 0.3)])
    assert not Floor().is_free(0.0, 0.0, 0.3, [Disc(0.5999, 0.0, 0.3)])


@settings(max_examples=60)
@given(seed=st.integers(0, 2**32), others=st.integers(0, 6), clutter=st.integers(0, 8))
def test_nobody_ever_stands_in_anything(random_scene, seed, others, clutter) -> None:
    scene = random_scene(seed, others=others, cubes=3, clutter=clutter)
    rng = np.random.default_rng(seed)
    room = Room(scene, rng)
    floor = Floor(scene.cubes + scene.clutter)
    for _ in range(60):
        before = room.ego
        action = ACTIONS[int(rng.choice(4, p=(0.5, 0.1, 0.2, 0.2)))]
        blocked = room.act(action)
        _assert_legal(floor, room)
        if blocked:
            assert room.ego == before
            assert action in ("w", "s")
        elif action in ("w", "s"):
            assert hypot(room.ego.x_m - before.x_m, room.ego.y_m - before.y_m) == pytest.approx(0.5)


def _assert_legal(floor: Floor, room: Room) -> None:
    bodies = (room.ego, *room.others)
    for pose in bodies:
        assert floor.is_free(pose.x_m, pose.y_m, BODY_RADIUS_M)
        assert 0.0 <= pose.yaw_deg < 360.0
    for index, other in enumerate(room.others):
        assert _gap_m(room.ego, other) >= EGO_DISTANCE_M - 1e-6
        for third in room.others[:index]:
            assert _gap_m(other, third) >= 2 * BODY_RADIUS_M - 1e-6


def _gap_m(a: Pose, b: Pose) -> float:
    return hypot(a.x_m - b.x_m, a.y_m - b.y_m)
