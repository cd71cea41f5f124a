"""Ways across the floor: the shortest on an empty one, and none through walls or things."""

from math import cos, dist, radians, sin

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mirror_ray.agents.walking.route import (
    BODY_M,
    RouteObstacle,
    is_open,
    step_towards,
    turn_towards,
)
from mirror_ray.agents.walking.text import StatedPose


def moved(pose: StatedPose, action: str) -> StatedPose:
    if action in "ad":
        return StatedPose(pose.x_m, pose.y_m, (pose.yaw_deg + (30 if action == "a" else -30)) % 360)
    step_m = 0.5 if action == "w" else -0.5
    yaw = radians(pose.yaw_deg)
    return StatedPose(pose.x_m + step_m * cos(yaw), pose.y_m + step_m * sin(yaw), pose.yaw_deg)


def walk(
    pose: StatedPose,
    goal: tuple[float, float],
    within_m: float,
    obstacles: list[RouteObstacle],
    bound: int,
) -> str | None:
    """All actions till the goal; None where the search gives up."""
    actions = ""
    while dist((pose.x_m, pose.y_m), goal) > within_m:
        action = step_towards(pose, goal, within_m, obstacles)
        if action is None:
            return None
        pose = moved(pose, action)
        assert is_open((pose.x_m, pose.y_m), []), "left the floor"
        for x_m, y_m, radius_m in obstacles:
            assert dist((pose.x_m, pose.y_m), (x_m, y_m)) >= radius_m + BODY_M - 1e-9
        actions += action
        assert len(actions) <= bound, "goes round in circles"
    return actions


@pytest.mark.parametrize(
    ("yaw_deg", "goal", "actions"),
    [
        (0.0, (1.0, 0.0), "ww"),
        (180.0, (1.0, 0.0), "ss"),  # backward is nearer than turning round
        (60.0, (0.0, 1.0), "aww"),
        (300.0, (0.0, 1.0), "dss"),
    ],
)
def test_takes_the_shortest_way(yaw_deg: float, goal: tuple[float, float], actions: str) -> None:
    assert walk(StatedPose(0.0, 0.0, yaw_deg), goal, 0.2, [], 9) == actions


def test_goes_round_what_is_in_the_way() -> None:
    actions = walk(StatedPose(-1.5, 0.0, 0.0), (1.5, 0.0), 0.4, [(0.0, 0.0, 0.3)], 20)
    assert actions is not None
    assert len(actions) > 6


def test_gives_up_on_a_goal_walled_in() -> None:
    fence = [(1.0 + 0.8 * cos(t), 0.8 * sin(t), 0.2) for t in (radians(30 * k) for k in range(12))]
    assert step_towards(StatedPose(-1.5, 0.0, 0.0), (1.0, 0.0), 0.2, fence) is None


places = st.tuples(st.floats(-2.5, 2.5), st.floats(-2.5, 2.5))


@settings(max_examples=40)
@given(places, places, st.integers(0, 11), st.lists(places, max_size=3))
def test_arrives_without_touching_anything(
    start: tuple[float, float],
    goal: tuple[float, float],
    heading: int,
    things: list[tuple[float, float]],
) -> None:
    obstacles = [
        (x_m, y_m, 0.2)
        for x_m, y_m in things
        if min(dist((x_m, y_m), p) for p in (start, goal)) > 1
    ]
    walk(StatedPose(*start, 30.0 * heading), goal, 0.6, obstacles, 60)


def test_turns_the_shorter_way() -> None:
    assert turn_towards(StatedPose(0, 0, 350.0), 10.0) == ("a", 20.0)
    assert turn_towards(StatedPose(0, 0, 10.0), 280.0) == ("d", 90.0)
