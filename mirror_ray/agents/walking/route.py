"""Finds the next action on a short path around round obstacles, by discrete steps and turns."""

from collections.abc import Sequence
from heapq import heappop, heappush
from math import asin, atan2, cos, degrees, dist, radians, sin

from mirror_ray.agents.walking.perspective import HALF_ROOM_M, FloorXY
from mirror_ray.agents.walking.text import StatedPose

ROUTE_STEP_M = 0.5
_TURN_DEG = 30.0
BODY_M = 0.3
_LIMIT_M = HALF_ROOM_M - BODY_M
_MOST_EXPANDED = 800
_CELL_M = 0.2

RouteObstacle = tuple[float, float, float]
"""x, y and radius of a disc on the floor, in metres."""


def ahead_of(pose: StatedPose, distance_m: float = ROUTE_STEP_M) -> FloorXY:
    """Return the place `distance_m` in front of a pose."""
    return (
        pose.x_m + distance_m * cos(radians(pose.yaw_deg)),
        pose.y_m + distance_m * sin(radians(pose.yaw_deg)),
    )


def is_open(place: FloorXY, obstacles: Sequence[RouteObstacle]) -> bool:
    """Return whether a body fits at `place`."""
    return max(abs(place[0]), abs(place[1])) <= _LIMIT_M and all(
        dist(place, (x_m, y_m)) >= radius_m + BODY_M for x_m, y_m, radius_m in obstacles
    )


def is_way_open(start: FloorXY, end: FloorXY, obstacles: Sequence[RouteObstacle]) -> bool:
    """Return whether a body may step from `start` to `end`; it may step out of a disc that it is
    in."""
    if max(abs(end[0]), abs(end[1])) > _LIMIT_M:
        return False
    middle = ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
    for x_m, y_m, radius_m in obstacles:
        place, keep_m = (x_m, y_m), radius_m + BODY_M
        if dist(place, end) < keep_m or dist(place, middle) < keep_m <= dist(place, start):
            return False
    return True


def step_towards(
    pose: StatedPose, goal: FloorXY, within_m: float, obstacles: Sequence[RouteObstacle]
) -> str | None:
    """Return the first of the keys w, s, a, d on a way to within `within_m` of `goal`, if there is
    one.

    The path is the shortest over places and headings, so that an agent that plans again after each
    action never turns back. The effort is bounded."""
    start = (pose.x_m, pose.y_m)
    queue: list[tuple[float, int, FloorXY, float, str]] = [(0.0, 0, start, pose.yaw_deg % 360, "")]
    seen: set[tuple[int, int, int]] = set()
    while queue and len(seen) < _MOST_EXPANDED:
        _, taken, place, yaw_deg, first = heappop(queue)
        if dist(place, goal) <= within_m and first:
            return first
        key = (round(place[0] / _CELL_M), round(place[1] / _CELL_M), round(yaw_deg))
        if key in seen:
            continue
        seen.add(key)
        for action in "wads":
            next_place, next_yaw_deg = _after(place, yaw_deg, action)
            if next_place != place and not is_way_open(place, next_place, obstacles):
                continue
            cost = taken + 1 + _at_least(next_place, next_yaw_deg, goal, within_m)
            heappush(queue, (cost, taken + 1, next_place, next_yaw_deg, first or action))
    return None


def turn_towards(pose: StatedPose, heading_deg: float) -> tuple[str, float]:
    """Return the turn that brings a pose nearer to a heading, and how many degrees are missing."""
    missing_deg = (heading_deg - pose.yaw_deg + 180) % 360 - 180
    return ("a" if missing_deg > 0 else "d"), abs(missing_deg)


def _at_least(place: FloorXY, yaw_deg: float, goal: FloorXY, within_m: float) -> float:
    """Return the fewest steps and turns to the goal on an empty floor, walking forward or
    backward."""
    distance_m = dist(place, goal)
    if distance_m <= within_m:
        return 0.0
    bearing_deg = degrees(atan2(goal[1] - place[1], goal[0] - place[0]))
    off_deg = abs((bearing_deg - yaw_deg + 90) % 180 - 90)
    slack_deg = degrees(asin(min(within_m / distance_m, 1.0)))
    return (distance_m - within_m) / ROUTE_STEP_M + max(off_deg - slack_deg, 0.0) / _TURN_DEG


def _after(place: FloorXY, yaw_deg: float, action: str) -> tuple[FloorXY, float]:
    if action in "ad":
        return place, (yaw_deg + (_TURN_DEG if action == "a" else -_TURN_DEG)) % 360
    signed_m = ROUTE_STEP_M if action == "w" else -ROUTE_STEP_M
    return (
        place[0] + signed_m * cos(radians(yaw_deg)),
        place[1] + signed_m * sin(radians(yaw_deg)),
    ), yaw_deg
