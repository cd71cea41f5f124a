"""What an agent sees on the screens: where each glove is, and which shirt each person wears.

It uses only what a participant may assume: how the screens hang, how far the camera is in front of
the body, and how far a step of the hand is."""

from math import radians, tan

from mirror_ray.agents.sight import Blob, Sight
from sim_assets.colors import COLOR_NAMES

_GAP_PX = 12
_FOV_DEG = 52.0
_HAND_AWAY_M = 1.35 - 0.352
"""Distance from the camera to the plane in which hands move."""
_STEP_M = 0.06
_GLOVE = "cyan"
_SHIRTS = frozenset({"red", "yellow", "green", "blue", "purple", "pink"})
_BEGIN_M = (-0.12, 0.004)
"""Where hands start: left of and above the camera's axis."""


def glove_steps(sight: Sight) -> list[tuple[int, int] | None]:
    """Return, for each screen, the glove's steps left of and above its start; None if not
    visible."""
    return [_steps(blob, sight, screen) for screen, blob in enumerate(_largest(sight, {_GLOVE}))]


def shirts_shown(sight: Sight) -> list[str | None]:
    """Return the shirt's colour on each screen; None if none is visible."""
    return [COLOR_NAMES[blob.label] if blob else None for blob in _largest(sight, _SHIRTS)]


def _largest(sight: Sight, colors: set[str] | frozenset[str]) -> list[Blob | None]:
    found: list[Blob | None] = [None, None, None]
    for blob in sight.blobs():
        screen = min(2, (blob.left + blob.right) // 2 * 3 // sight.width_px)
        if COLOR_NAMES[blob.label] in colors and found[screen] is None:
            found[screen] = blob
    return found


def _steps(blob: Blob | None, sight: Sight, screen: int) -> tuple[int, int] | None:
    if blob is None:
        return None
    wide = (sight.width_px - 4 * _GAP_PX) // 3
    high = sight.height_px - 2 * _GAP_PX
    m_per_px = _HAND_AWAY_M * tan(radians(_FOV_DEG / 2)) / (high / 2)
    middle_px = _GAP_PX + screen * (wide + _GAP_PX) + wide / 2
    left_m = (middle_px - (blob.left + blob.right) / 2) * m_per_px
    up_m = (sight.height_px / 2 - (blob.top + blob.bottom) / 2) * m_per_px
    return round((left_m - _BEGIN_M[0]) / _STEP_M), round((up_m - _BEGIN_M[1]) / _STEP_M)
