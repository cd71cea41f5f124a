"""Where cubes, boxes and bodies may be in a room, and their distances.

All figures are [our decision]; distances are between centres unless stated otherwise."""

from collections.abc import Sequence
from math import cos, hypot, radians, sin
from typing import TypeAlias

import numpy as np

from mirror_ray.world.room.camera import reflector_axes, reflector_centre
from mirror_ray.world.room.scene import ROOM_SIDE_M, Box, Wall

CUBE_EDGE_M = 0.3
CUBE_SPACING_M = 1.2
CUBE_WALL_GAP_M = 0.8
"""Distance of a cube's nearest corner from a wall, so that a body of 0.6 m can pass between."""
CUBE_START_GAP_M = 1.0
START_WALL_GAP_M = 0.6
"""Distance of the body's centre from a wall at the start, so that it can turn away from any
wall."""
FRONT_OF_REFLECTOR_M = (1.9, 1.4)
"""No start is within this depth in front of the reflector and this far from its middle."""
NEAR_M = 1.0
"""A cube is near within this distance of its centre."""

FloorPoint: TypeAlias = tuple[float, float]


def distance_m(one: FloorPoint, other: FloorPoint) -> float:
    """Return the distance of two places."""
    return hypot(one[0] - other[0], one[1] - other[1])


def drawn_place(rng: np.random.Generator, wall_gap_m: float) -> FloorPoint:
    """Draw a place no nearer to any wall than this."""
    reach_m = ROOM_SIDE_M / 2 - wall_gap_m
    x_m, y_m = rng.uniform(-reach_m, reach_m, size=2).round(3).tolist()
    return x_m, y_m


def drawn_cube(rng: np.random.Generator, color: str) -> Box:
    """Draw a cube's place and rotation."""
    x_m, y_m = drawn_place(rng, CUBE_WALL_GAP_M + CUBE_EDGE_M / 2)
    yaw_deg = round(float(rng.uniform(0.0, 90.0)), 1)
    return Box(x_m, y_m, yaw_deg, CUBE_EDGE_M, CUBE_EDGE_M, CUBE_EDGE_M, color)


def keeps_distances(cubes: Sequence[Box], starts: Sequence[FloorPoint]) -> bool:
    """Return whether cubes are far enough from walls, from starts and from each other."""
    centres = [(cube.x_m, cube.y_m) for cube in cubes]
    return (
        all(farthest_corner_m(cube) <= ROOM_SIDE_M / 2 - CUBE_WALL_GAP_M for cube in cubes)
        and all(
            distance_m(start, centre) >= CUBE_START_GAP_M for start in starts for centre in centres
        )
        and all(
            distance_m(one, other) >= CUBE_SPACING_M
            for index, one in enumerate(centres)
            for other in centres[:index]
        )
    )


def depth_and_side_m(place: FloorPoint, wall: Wall) -> tuple[float, float]:
    """Return how far a place is in front of the reflector's plane, and sideways of its middle."""
    along, _, inward = reflector_axes(wall).T[:, :2]
    offset = np.array(place) - np.array(reflector_centre(wall)[:2])
    return float(offset @ inward), float(offset @ along)


def is_in_front(place: FloorPoint, wall: Wall, reach_m: tuple[float, float]) -> bool:
    """Return whether a place is within these distances in front of the reflector and to its
    side."""
    depth_m, side_m = depth_and_side_m(place, wall)
    return depth_m < reach_m[0] and abs(side_m) < reach_m[1]


def farthest_corner_m(box: Box) -> float:
    """Return the largest absolute coordinate of a footprint."""
    return max(abs(box.x_m) + footprint_m(box, 1.0, 0.0), abs(box.y_m) + footprint_m(box, 0.0, 1.0))


def footprint_m(box: Box, x: float, y: float) -> float:
    """Return how far a footprint extends from its centre along a unit vector."""
    width, depth = edges(box)
    return (
        box.width_m * abs(width[0] * x + width[1] * y)
        + box.depth_m * abs(depth[0] * x + depth[1] * y)
    ) / 2


def edges(box: Box) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return the unit vectors along width and depth."""
    c, s = cos(radians(box.yaw_deg)), sin(radians(box.yaw_deg))
    return (c, s), (-s, c)
