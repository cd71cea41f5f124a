"""Makes a frame's evidence visible: lays every pixel's identity over the greyed frame."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mirror_ray.replay.film.style import ACCENT, FilmRgb
from mirror_ray.world.room.evidence import CLUTTER, EGO, FIRST_CUBE, FIRST_OTHER

_OTHERS: FilmRgb = (38, 118, 224)
_CUBES: FilmRgb = (240, 170, 0)
_CLUTTER: FilmRgb = (120, 130, 120)
_OUTLINE: FilmRgb = (0, 190, 170)
EVIDENCE_MARKS: tuple[tuple[str, FilmRgb], ...] = (
    ("mirror", _OUTLINE),
    ("own reflection", ACCENT),
    ("others", _OTHERS),
    ("cubes", _CUBES),
    ("clutter", _CLUTTER),
)
"""The meaning of each of the overlay's colours."""

_FADED = 0.55
_TINT = 0.72
_OUTLINE_PX = 2


@dataclass(frozen=True, slots=True)
class LegendEntry:
    """The meaning of a colour of the overlay, and how many pixels of the frame have it."""

    color: FilmRgb
    label: str
    pixels: int


@dataclass(frozen=True, slots=True)
class Overlay:
    """`rgb` (height, width, 3) uint8 with its legend."""

    rgb: NDArray[np.uint8]
    legend: tuple[LegendEntry, ...]


def overlay(
    rgb: NDArray[np.uint8], codes: NDArray[np.uint8], reflected: NDArray[np.bool_]
) -> Overlay:
    """Mark the ego's own reflection, others, cubes, clutter and the mirror's outline. `codes` and
    `reflected`, (height, width) each, are those of `world.room.painter.EyePainter.identify`."""
    grey = rgb.mean(axis=2, keepdims=True) * _FADED + 255 * (1 - _FADED) * 0.8
    shown = np.repeat(grey, 3, axis=2)
    groups = (
        ("own reflection", ACCENT, (codes == EGO) & reflected),
        ("others", _OTHERS, (codes >= FIRST_OTHER) & (codes < FIRST_CUBE)),
        ("cubes", _CUBES, (codes >= FIRST_CUBE) & (codes < CLUTTER)),
        ("clutter", _CLUTTER, codes == CLUTTER),
    )
    for _, color, mask in groups:
        shown[mask] = shown[mask] * (1 - _TINT) + np.array(color) * _TINT
    shown[_edge(reflected)] = _OUTLINE
    legend = [
        LegendEntry(color, label, int(mask.sum()))
        for label, color, mask in groups
        if mask.any() or color is ACCENT
    ]
    legend.insert(0, LegendEntry(_OUTLINE, "mirror", int(reflected.sum())))
    return Overlay(np.clip(shown, 0, 255).astype(np.uint8), tuple(legend))


def outlined(
    rgb: NDArray[np.uint8], codes: NDArray[np.uint8], reflected: NDArray[np.bool_]
) -> NDArray[np.uint8]:
    """Return the frame with the outlines of the mirror and of the ego's own reflection."""
    shown = rgb.copy()
    shown[_edge(reflected)] = _OUTLINE
    own = (codes == EGO) & reflected
    # The outline is around the reflection, not on it, because that may be a few pixels wide.
    shown[_grown(own) & ~own] = ACCENT
    return shown


def _edge(mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
    outside = np.pad(~mask, _OUTLINE_PX, constant_values=True)
    reached = _grown(outside)[_OUTLINE_PX:-_OUTLINE_PX, _OUTLINE_PX:-_OUTLINE_PX]
    return mask & reached


def _grown(mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return the mask, extended by a few pixels."""
    grown = mask.copy()
    for _ in range(_OUTLINE_PX):
        before = grown.copy()
        grown[1:] |= before[:-1]
        grown[:-1] |= before[1:]
        grown[:, 1:] |= before[:, :-1]
        grown[:, :-1] |= before[:, 1:]
    return grown
