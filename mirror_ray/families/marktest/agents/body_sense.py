"""What an agent knows about its body and eyes: which place of the body a mark in a mirror is on.

It uses only what a participant may assume: its camera (vertical field of view 70°), how far its
hand reaches, and its own figure."""

from collections.abc import Mapping
from math import dist, radians, tan

from mirror_ray.agents.sight import STRIDE_PX, Blob, Sight
from mirror_ray.families.marktest.agents.text import LatticePoint
from sim_assets.colors import COLOR_NAMES

GLASS_AHEAD = 7
"""Steps from the face to the mirror's surface."""
LEFT_HAND = "left hand"

_FOV_DEG = 70.0
_STEP_M = 0.06
_GLASS_M = 0.46
"""Distance from the eye to the glass."""
_FACE_BEHIND_EYE_M = 0.04
_EYE_UP_M = 0.01
"""Height of the eye above the middle of the face."""
_HAND_SEEN_M = (0.29, 0.21, -0.18)
"""Where the left hand is seen: ahead of, left of and above the eye."""
_MARKS = frozenset({"green", "blue", "cyan", "purple"})
_MOST_PIXELS = 4_500
_NEAR = 0.045
"""The largest distance of a mark from a body part's expected image, in units of slope."""

TOUCHING: Mapping[str, LatticePoint] = {
    "forehead": (0, 0, 1),
    "chin": (0, 0, -1),
    "left cheek": (0, 1, 0),
    "right cheek": (0, -1, 0),
    "left chest": (1, 1, -3),
    "right chest": (1, -1, -3),
    LEFT_HAND: (5, 3, -2),
}
"""Where the right hand touches each place of one's own body."""


def mark_in(sight: Sight) -> Blob | None:
    """Return the largest small patch of a colour that neither bodies nor clothes have."""
    blobs = (
        blob
        for blob in sight.blobs()
        if COLOR_NAMES[blob.label] in _MARKS and blob.area * STRIDE_PX**2 <= _MOST_PIXELS
    )
    return next(blobs, None)


def slope_of(blob: Blob, sight: Sight) -> tuple[float, float]:
    """Return the slope to the left and upwards per unit ahead of the eye."""
    focal_px = sight.height_px / 2 / tan(radians(_FOV_DEG / 2))
    left_px = sight.width_px / 2 - (blob.left + blob.right) / 2
    up_px = sight.height_px / 2 - (blob.top + blob.bottom) / 2
    return left_px / focal_px, up_px / focal_px


def own_place_of(slope: tuple[float, float]) -> str | None:
    """Return the place on one's own body where a mark seen there is; None if it is elsewhere."""
    expected = {name: _slope_in_mirror(place) for name, place in TOUCHING.items()}
    ahead_m, left_m, up_m = _HAND_SEEN_M
    expected[LEFT_HAND] = left_m / ahead_m, up_m / ahead_m
    nearest = min(expected, key=lambda name: dist(expected[name], slope))
    reach = 3 * _NEAR if nearest == LEFT_HAND else _NEAR
    return nearest if dist(expected[nearest], slope) <= reach else None


def place_at_glass(slope: tuple[float, float]) -> tuple[int, int]:
    """Return (left, up): the hand's place at the mirror's surface in front of the point seen."""
    left_m, up_m = slope[0] * _GLASS_M, slope[1] * _GLASS_M + _EYE_UP_M
    return round(left_m / _STEP_M), round(up_m / _STEP_M)


def _slope_in_mirror(place: LatticePoint) -> tuple[float, float]:
    _, left, up = place
    behind_m = 2 * _GLASS_M + _FACE_BEHIND_EYE_M
    return _STEP_M * left / behind_m, (_STEP_M * up - _EYE_UP_M) / behind_m
