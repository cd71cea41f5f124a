"""The body that reaches: its places, the steps of its hand, and where the hand can be.

Axes are those of `mirror_ray.world.room.scene`: the body is at the room's centre and looks east, so
that x is ahead, y left, z up. The middle of the hand moves on a lattice whose origin is in front of
the face. All figures are of the humanoid of `sim_assets`."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import dist, sqrt
from typing import Literal

from sim_assets.reaching_room import HAND_RADIUS_M

Point = tuple[float, float, float]
Site = Literal["forehead", "chin", "left cheek", "right cheek", "left chest", "right chest"]

HAND_STEP_M = 0.06
TORSO_Z_M = 1.294
HEAD_M: Point = (0.0, 0.0, TORSO_Z_M + 0.19)
EYE_M: Point = (0.12, 0.0, TORSO_Z_M + 0.20)
"""In front of the face, so that the head is never in the picture; it looks straight ahead."""
SHOULDER_Y_M = 0.17
SHOULDER_Z_M = TORSO_Z_M + 0.06
REACH_M = 0.64
GLASS_X_M = 0.58
"""The x of the mirror's surface."""
OTHER_X_M = 0.66
"""The x of the other body's axis; it faces this one."""
LEFT_HAND_M: Point = (0.43, 0.22, 1.29)
"""The left hand is held out and does not move."""

_FACE_X_M = 0.112
_HEAD_RADIUS_M = 0.09
_SKIN_RADIUS_M = 0.095
"""Marks are on the head, not within the hair."""
_TORSO_Z_M = TORSO_Z_M - 0.02
_TORSO_HALF_M = (0.105, 0.155, 0.15)
_CLEARANCE_M = 0.03
"""The least distance of the hand's middle from a body's surface."""


@dataclass(frozen=True, slots=True)
class LatticeCell:
    """A position of the hand on its lattice: steps ahead, left and up of the face."""

    ahead: int
    left: int
    up: int

    @property
    def point_m(self) -> Point:
        """(x, y, z) in metres."""
        return (
            _FACE_X_M + HAND_STEP_M * self.ahead,
            HAND_STEP_M * self.left,
            HEAD_M[2] + HAND_STEP_M * self.up,
        )


@dataclass(frozen=True, slots=True)
class Spot:
    """A place on a body's surface: its middle, and its outward unit normal."""

    middle_m: Point
    normal: Point


FARTHEST_AHEAD = 7
"""Where the hand is at the mirror's surface."""
_LEFT, _UP = range(-5, 5), range(-6, 3)


def _on_head(y_m: float, z_m: float) -> Spot:
    x_m = sqrt(_SKIN_RADIUS_M**2 - y_m**2 - z_m**2)
    normal = (x_m / _SKIN_RADIUS_M, y_m / _SKIN_RADIUS_M, z_m / _SKIN_RADIUS_M)
    return Spot((x_m, y_m, HEAD_M[2] + z_m), normal)


def _on_chest(y_m: float, z_m: float) -> Spot:
    """Return a spot on the chest; `z_m` counts from the middle of the head, as for the head."""
    up_m = HEAD_M[2] + z_m - _TORSO_Z_M
    across, high = y_m / _TORSO_HALF_M[1], up_m / _TORSO_HALF_M[2]
    x_m = _TORSO_HALF_M[0] * sqrt(1 - across**2 - high**2)
    slope = (x_m / _TORSO_HALF_M[0] ** 2, y_m / _TORSO_HALF_M[1] ** 2, up_m / _TORSO_HALF_M[2] ** 2)
    length = sqrt(sum(one**2 for one in slope))
    return Spot(
        (x_m, y_m, HEAD_M[2] + z_m), (slope[0] / length, slope[1] / length, slope[2] / length)
    )


SITES: Mapping[Site, Spot] = {
    "forehead": _on_head(0.0, HAND_STEP_M),
    "chin": _on_head(0.0, -HAND_STEP_M),
    "left cheek": _on_head(HAND_STEP_M, 0.0),
    "right cheek": _on_head(-HAND_STEP_M, 0.0),
    "left chest": _on_chest(HAND_STEP_M, -3 * HAND_STEP_M),
    "right chest": _on_chest(-HAND_STEP_M, -3 * HAND_STEP_M),
}
"""Where a mark may be: spots on the body that its own eyes cannot see."""

COUNTERPARTS: Mapping[Site, Site] = {
    "forehead": "chin",
    "chin": "forehead",
    "left cheek": "right cheek",
    "right cheek": "left cheek",
    "left chest": "right chest",
    "right chest": "left chest",
}
"""Each site's opposite, for somebody who takes the mirror image's left for their own."""


def gap_m(point: Point) -> float:
    """Return a point's distance to one's own head, chest or left hand; negative inside.

    The distance to the chest is approximate, but exact at 0."""
    head = dist(point, HEAD_M) - _HEAD_RADIUS_M
    return min(head, _chest_gap_m(point), dist(point, LEFT_HAND_M) - HAND_RADIUS_M)


def other_gap_m(point: Point) -> float:
    """Return the same distance to the other body, whose arms hang down."""
    turned = (OTHER_X_M - point[0], -point[1], point[2])
    return min(dist(turned, HEAD_M) - _HEAD_RADIUS_M, _chest_gap_m(turned))


def is_free(cell: LatticeCell, *, opposite: bool) -> bool:
    """Return whether the hand can be there: within reach, and not inside a body. `opposite` says
    that the other body is there too."""
    shoulder = (0.0, -SHOULDER_Y_M, SHOULDER_Z_M)
    point = cell.point_m
    return (
        0 <= cell.ahead <= FARTHEST_AHEAD
        and cell.left in _LEFT
        and cell.up in _UP
        and dist(point, shoulder) <= REACH_M
        and gap_m(point) >= _CLEARANCE_M
        and (not opposite or other_gap_m(point) >= _CLEARANCE_M)
    )


def _chest_gap_m(point: Point) -> float:
    x_m, y_m, z_m = point
    halves = zip((x_m, y_m, z_m - _TORSO_Z_M), _TORSO_HALF_M, strict=True)
    return (sqrt(sum((part / half) ** 2 for part, half in halves)) - 1) * min(_TORSO_HALF_M)
