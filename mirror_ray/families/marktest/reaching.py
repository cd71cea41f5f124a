"""The hand's moves, and what a touch meets.

A touch meets the nearest marked or watched place within `TOUCH_M` of the hand's middle; of two
equally near places, the marked one. Otherwise it meets the surface at the hand."""

from collections.abc import Mapping
from math import dist, hypot
from typing import Literal

from mirror_ray.world.reaching.body import (
    COUNTERPARTS,
    FARTHEST_AHEAD,
    SITES,
    LatticeCell,
    gap_m,
    is_free,
    other_gap_m,
)
from mirror_ray.world.reaching.scene import (
    MIRROR_HALF_HEIGHT_M,
    MIRROR_HALF_WIDTH_M,
    MIRROR_Z_M,
    MarkScene,
    image_on_glass,
    mark_spot,
)

Move = Literal["left", "right", "up", "down", "forward", "back"]
Touched = Literal["mark", "place", "counterpart", "body", "image", "surface", "other", "air"]

TOUCH_M = 0.085
_AT_SURFACE_M = 0.06
MOVES: Mapping[Move, tuple[int, int, int]] = {
    "left": (0, 1, 0),
    "right": (0, -1, 0),
    "up": (0, 0, 1),
    "down": (0, 0, -1),
    "forward": (1, 0, 0),
    "back": (-1, 0, 0),
}
"""Steps ahead, to the left and up, of each action."""


def moved(scene: MarkScene, hand: LatticeCell, move: Move) -> LatticeCell | None:
    """Return where a move brings the hand; None if an obstacle, or the arm's length, prevents
    it."""
    ahead, left, up = MOVES[move]
    cell = LatticeCell(hand.ahead + ahead, hand.left + left, hand.up + up)
    return cell if is_free(cell, opposite=scene.other is not None) else None


def touched(scene: MarkScene, hand: LatticeCell) -> Touched:
    """Return what a touch meets if the hand is at this place."""
    point = hand.point_m
    own = SITES[scene.site].middle_m
    opposite = SITES[COUNTERPARTS[scene.site]].middle_m
    mark = mark_spot(scene)
    near: list[tuple[float, int, Touched]] = []
    if mark is not None:
        near.append((round(dist(point, mark.middle_m), 6), 0, "mark"))
    near.append((round(dist(point, own), 6), 1, "place"))
    near.append((round(dist(point, opposite), 6), 2, "counterpart"))
    distance_m, _, name = min(near)
    if distance_m <= TOUCH_M:
        return name
    if scene.other is not None and other_gap_m(point) <= _AT_SURFACE_M:
        return "other"
    if gap_m(point) <= _AT_SURFACE_M:
        return "body"
    if hand.ahead < FARTHEST_AHEAD or scene.reflector == "none":
        return "air"
    _, y_m, z_m = point
    if abs(y_m) > MIRROR_HALF_WIDTH_M or abs(z_m - MIRROR_Z_M) > MIRROR_HALF_HEIGHT_M:
        return "surface"
    _, image_y_m, image_z_m = image_on_glass(own)
    is_image = hypot(y_m - image_y_m, z_m - image_z_m) <= _AT_SURFACE_M
    return "image" if is_image and scene.reflector == "mirror" else "surface"


def hand_mark_m(scene: MarkScene, hand: LatticeCell) -> float | None:
    """Return the distance between the middles of hand and mark; None without a mark."""
    mark = mark_spot(scene)
    return None if mark is None else dist(hand.point_m, mark.middle_m)
