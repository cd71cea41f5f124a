"""Exact 2D collision of a moving disc with walls, rotated boxes and other discs.

Knows plane geometry; does not know who moves, why, or what a blocked move means. Touching is free:
only an overlap of more than a nanometre is a collision, so that rounding never traps a body.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, dist, hypot, radians, sin
from typing import TypeAlias

from mirror_ray.world.scene import ROOM_SIDE_M, Box

Point: TypeAlias = tuple[float, float]
"""(x, y) in metres."""

_TOUCH_M = 1e-9


@dataclass(frozen=True, slots=True)
class Disc:
    """Round room taken on the floor."""

    x_m: float
    y_m: float
    radius_m: float


@dataclass(frozen=True, slots=True)
class Floor:
    """The square floor with what stands on it, fixed for an episode."""

    boxes: tuple[Box, ...] = ()
    side_m: float = ROOM_SIDE_M

    def is_free(self, x_m: float, y_m: float, radius_m: float, discs: Sequence[Disc] = ()) -> bool:
        """Whether a disc may stand here."""
        return self.is_path_free((x_m, y_m), (x_m, y_m), radius_m, discs)

    def is_path_free(
        self, start: Point, end: Point, radius_m: float, discs: Sequence[Disc] = ()
    ) -> bool:
        """Whether a disc may move straight from start to end without a collision on the way."""
        # The floor is convex: a path between two free ends cannot leave it.
        reach_m = self.side_m / 2 - radius_m + _TOUCH_M
        if max(map(abs, (*start, *end))) > reach_m:
            return False
        for disc in discs:
            gap_m = point_to_segment_m((disc.x_m, disc.y_m), start, end)
            if gap_m < radius_m + disc.radius_m - _TOUCH_M:
                return False
        middle, half_m = ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2), dist(start, end) / 2
        return all(
            # Most boxes are too far away to need a closer look.
            dist(middle, (box.x_m, box.y_m)) > half_m + box.half_diagonal_m + radius_m
            or segment_to_box_m(start, end, box) >= radius_m - _TOUCH_M
            for box in self.boxes
        )


def point_to_segment_m(point: Point, start: Point, end: Point) -> float:
    """Distance from a point to a segment, whose ends may coincide."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    px, py = point[0] - start[0], point[1] - start[1]
    length2 = dx * dx + dy * dy
    along = min(1.0, max(0.0, (px * dx + py * dy) / length2)) if length2 > 0.0 else 0.0
    return hypot(px - along * dx, py - along * dy)


def segment_to_box_m(start: Point, end: Point, box: Box) -> float:
    """Distance from a segment to a box's footprint; 0 when they meet."""
    a, b = _in_box_frame(start, box), _in_box_frame(end, box)
    half = (box.width_m / 2, box.depth_m / 2)
    if _crosses(a, b, half):
        return 0.0
    # Of two disjoint convex shapes, a corner of one of them is nearest to the other.
    corners = [(x, y) for x in (-half[0], half[0]) for y in (-half[1], half[1])]
    return min(
        _point_to_rectangle_m(a, half),
        _point_to_rectangle_m(b, half),
        *(point_to_segment_m(corner, a, b) for corner in corners),
    )


def _in_box_frame(point: Point, box: Box) -> Point:
    c, s = cos(radians(box.yaw_deg)), sin(radians(box.yaw_deg))
    dx, dy = point[0] - box.x_m, point[1] - box.y_m
    return c * dx + s * dy, c * dy - s * dx


def _point_to_rectangle_m(point: Point, half: Point) -> float:
    return hypot(max(abs(point[0]) - half[0], 0.0), max(abs(point[1]) - half[1], 0.0))


def _crosses(a: Point, b: Point, half: Point) -> bool:
    """Whether a segment meets the rectangle around the origin, by clipping it to two slabs."""
    enter, leave = 0.0, 1.0
    for start, end, reach in zip(a, b, half, strict=True):
        step = end - start
        if step == 0.0:
            if abs(start) > reach:
                return False
            continue
        near, far = sorted(((-reach - start) / step, (reach - start) / step))
        enter, leave = max(enter, near), min(leave, far)
    return enter <= leave
