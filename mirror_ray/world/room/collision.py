"""Exact 2D collision of a moving disc with walls, rotated boxes and other discs.

Bodies may touch: only an overlap of more than a nanometre is a collision, so that rounding errors
cannot trap a body."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import cos, dist, hypot, inf, radians, sin
from typing import Literal, TypeAlias

from mirror_ray.world.room.scene import ROOM_SIDE_M, Box

_Point: TypeAlias = tuple[float, float]
"""(x, y) in metres."""

_TOUCH_M = 1e-9
_HALVINGS = 24


@dataclass(frozen=True, slots=True)
class Disc:
    """The round area that a body takes up on the floor."""

    x_m: float
    y_m: float
    radius_m: float


@dataclass(frozen=True, slots=True)
class Floor:
    """The square floor and its boxes, fixed for an episode."""

    boxes: tuple[Box, ...] = ()
    side_m: float = ROOM_SIDE_M

    def is_free(self, x_m: float, y_m: float, radius_m: float, discs: Sequence[Disc] = ()) -> bool:
        """Return whether a disc fits here."""
        return self.is_path_free((x_m, y_m), (x_m, y_m), radius_m, discs)

    def is_path_free(
        self, start: _Point, end: _Point, radius_m: float, discs: Sequence[Disc] = ()
    ) -> bool:
        """Return whether a disc may move straight from start to end without a collision."""
        return next(self.obstacles(start, end, radius_m, discs), None) is None

    def obstacles(
        self, start: _Point, end: _Point, radius_m: float, discs: Sequence[Disc] = ()
    ) -> Iterator[Disc | Box | Literal["wall"]]:
        """Return everything that a disc moving straight from start to end would hit, unordered."""
        # The floor is convex, so a path between two free ends cannot leave it.
        reach_m = self.side_m / 2 - radius_m + _TOUCH_M
        if max(map(abs, (*start, *end))) > reach_m:
            yield "wall"
        for disc in discs:
            gap_m = point_to_segment_m((disc.x_m, disc.y_m), start, end)
            if gap_m < radius_m + disc.radius_m - _TOUCH_M:
                yield disc
        middle, half_m = ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2), dist(start, end) / 2
        for box in self.boxes:
            # Most boxes are too far away to need an exact check.
            if (
                dist(middle, (box.x_m, box.y_m)) <= half_m + box.half_diagonal_m + radius_m
                and segment_to_box_m(start, end, box) < radius_m - _TOUCH_M
            ):
                yield box


def first_met(
    floor: Floor, start: _Point, end: _Point, radius_m: float, discs: Sequence[Disc] = ()
) -> Disc | Box | Literal["wall"] | None:
    """Return what a disc that moves straight from start to end hits first; None if nothing.

    If it hits two things at once, a wall counts before a disc, and a disc before a box."""
    met = list(floor.obstacles(start, end, radius_m, discs))
    if len(met) < 2:
        return met[0] if met else None
    return min(met, key=lambda one: _free_share(floor.side_m, one, start, end, radius_m))


def _free_share(
    side_m: float,
    obstacle: Disc | Box | Literal["wall"],
    start: _Point,
    end: _Point,
    radius_m: float,
) -> float:
    """Return how much of the way, 0–1 to a millionth, is free of this obstacle."""
    alone = Floor((obstacle,) if isinstance(obstacle, Box) else (), side_m)
    if obstacle != "wall":
        alone = replace(alone, side_m=inf)
    discs = (obstacle,) if isinstance(obstacle, Disc) else ()
    free, met = 0.0, 1.0
    for _ in range(_HALVINGS):
        share = (free + met) / 2
        reached = tuple(a + share * (b - a) for a, b in zip(start, end, strict=True))
        if alone.is_path_free(start, (reached[0], reached[1]), radius_m, discs):
            free = share
        else:
            met = share
    return round(free, 6)


def point_to_segment_m(point: _Point, start: _Point, end: _Point) -> float:
    """Return the distance from a point to a segment, whose ends may coincide."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    px, py = point[0] - start[0], point[1] - start[1]
    length2 = dx * dx + dy * dy
    along = min(1.0, max(0.0, (px * dx + py * dy) / length2)) if length2 > 0.0 else 0.0
    return hypot(px - along * dx, py - along * dy)


def segment_to_box_m(start: _Point, end: _Point, box: Box) -> float:
    """Return the distance from a segment to a box's footprint; 0 when they meet."""
    a, b = _in_box_frame(start, box), _in_box_frame(end, box)
    half = (box.width_m / 2, box.depth_m / 2)
    if _crosses(a, b, half):
        return 0.0
    # For two disjoint convex shapes, a corner of one is nearest to the other.
    corners = [(x, y) for x in (-half[0], half[0]) for y in (-half[1], half[1])]
    return min(
        _point_to_rectangle_m(a, half),
        _point_to_rectangle_m(b, half),
        *(point_to_segment_m(corner, a, b) for corner in corners),
    )


def _in_box_frame(point: _Point, box: Box) -> _Point:
    c, s = cos(radians(box.yaw_deg)), sin(radians(box.yaw_deg))
    dx, dy = point[0] - box.x_m, point[1] - box.y_m
    return c * dx + s * dy, c * dy - s * dx


def _point_to_rectangle_m(point: _Point, half: _Point) -> float:
    return hypot(max(abs(point[0]) - half[0], 0.0), max(abs(point[1]) - half[1], 0.0))


def _crosses(a: _Point, b: _Point, half: _Point) -> bool:
    """Return whether a segment crosses the rectangle around the origin, by clipping it."""
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
