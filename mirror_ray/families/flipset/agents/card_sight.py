"""Finds a card in a picture: its place, its text, and what is next to it.

The card is the largest white thing, the monkey brown and the screen blue-green. A text is
recognized by comparing candidates in the same lettering with the straightened card."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from mirror_ray.agents.sight import Sight, decode
from sim_assets.colors import COLOR_NAMES
from sim_assets.lettering import lettering

_SHEET_PX = (240, 168)
_INKED_PX = (160, 60)
_RIM_PX = 6
_INK_LEVEL = 110
_WHITE_LEVEL = 170
_MARGIN_PX = 4
_SMALLEST_SHARE = 0.0002
"""The least share of the picture that counts as a monkey or a screen."""

_Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Card:
    """A card that was found. `sheet` (168, 240) is its darkness, 0 to 255, as if seen straight from
    above by the viewer. `centre` (2,) is its column and row in the picture."""

    sheet: _Floats
    centre: _Floats


@dataclass(frozen=True, slots=True)
class TableSight:
    """What the picture shows: the card, and where monkey and screen are, as (column, row)."""

    card: Card
    monkey: _Floats | None
    screen: _Floats | None

    @property
    def monkey_deg(self) -> int:
        """Return the monkey's place, anticlockwise around the card: 90, 180 or 270."""
        if self.monkey is None:
            return 180
        right, down = self.monkey - self.card.centre
        if abs(right) < 1.2 * abs(down):
            return 180
        return 90 if right > 0 else 270

    @property
    def card_is_hidden(self) -> bool:
        """Return whether the screen is nearer to the card than the monkey is."""
        if self.monkey is None or self.screen is None:
            return False
        return bool(
            np.linalg.norm(self.screen - self.card.centre)
            < np.linalg.norm(self.monkey - self.card.centre)
        )


def look(image: bytes) -> TableSight | None:
    """Return what a picture shows; None if it shows no card."""
    sight = decode(image)
    card = _find_card(sight)
    if card is None:
        return None
    red, green, blue = np.moveaxis(sight.rgb.astype(np.int16), 2, 0)
    brown = (red - blue > 25) & (red < 140)
    teal = (blue - red > 20) & (green - red > 12)
    return TableSight(card, _middle(brown), _middle(teal))


def shown_text(sheet: _Floats, texts: Iterable[str]) -> str:
    """Return which of the texts the sheet shows."""
    seen = _inked_part(sheet)
    return max(texts, key=lambda text: float(np.corrcoef(seen.ravel(), _inked(text).ravel())[0, 1]))


@lru_cache(maxsize=512)
def _inked(text: str) -> _Floats:
    return _inked_part(255.0 - lettering(text, *_SHEET_PX).astype(np.float64))


def _inked_part(sheet: _Floats) -> _Floats:
    """Return the lettering, stretched to one size so that texts of different widths can be
    compared."""
    # The sheet's rim may show the floor.
    inner = sheet[_RIM_PX:-_RIM_PX, _RIM_PX:-_RIM_PX]
    rows, columns = np.nonzero(inner > _INK_LEVEL)
    if rows.size == 0:
        return np.zeros(_INKED_PX[::-1])
    width, height = _INKED_PX
    x = np.linspace(columns.min(), columns.max(), width)
    y = np.linspace(rows.min(), rows.max(), height)
    return _sampled(inner, *np.meshgrid(x, y))


def _find_card(sight: Sight) -> Card | None:
    white = COLOR_NAMES.index("white")
    blob = next((blob for blob in sight.blobs() if blob.label == white), None)
    if blob is None:
        return None
    top, left = max(blob.top - _MARGIN_PX, 0), max(blob.left - _MARGIN_PX, 0)
    region = sight.rgb[top : blob.bottom + _MARGIN_PX, left : blob.right + _MARGIN_PX]
    rows, columns = np.nonzero(region.min(axis=2) >= _WHITE_LEVEL)
    points = np.stack([columns + left, rows + top], axis=1).astype(np.float64)
    # The sheet's corners extend furthest along the picture's diagonals.
    diagonals = points @ np.array([[1.0, -1.0], [1.0, 1.0]])
    corners = points[
        [
            diagonals[:, 0].argmin(),
            diagonals[:, 1].argmin(),
            diagonals[:, 0].argmax(),
            diagonals[:, 1].argmax(),
        ]
    ]
    return Card(_straightened(sight, corners), corners.mean(axis=0))


def _straightened(sight: Sight, corners: _Floats) -> _Floats:
    """Return the quadrilateral as a sheet; corners run from the top left through the top right."""
    top_left, top_right, bottom_right, bottom_left = _in_order(corners)
    width, height = _SHEET_PX
    frame = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float64)
    seen = np.array([top_left, top_right, bottom_right, bottom_left])
    to_picture = _homography(frame, seen)
    columns, rows = np.meshgrid(np.arange(width) + 0.5, np.arange(height) + 0.5)
    points = np.stack([columns, rows, np.ones_like(rows)], axis=-1) @ to_picture.T
    x, y = points[..., 0] / points[..., 2], points[..., 1] / points[..., 2]
    return 255.0 - _sampled(sight.rgb.mean(axis=2), x, y)


def _in_order(corners: _Floats) -> tuple[_Floats, _Floats, _Floats, _Floats]:
    by_row = corners[np.argsort(corners[:, 1], kind="stable")]
    upper = by_row[:2][np.argsort(by_row[:2, 0])]
    lower = by_row[2:][np.argsort(by_row[2:, 0])]
    return upper[0], upper[1], lower[1], lower[0]


def _homography(source: _Floats, target: _Floats) -> _Floats:
    rows, values = [], []
    for (x, y), (u, v) in zip(source.tolist(), target.tolist(), strict=True):
        rows += [[x, y, 1, 0, 0, 0, -u * x, -u * y], [0, 0, 0, x, y, 1, -v * x, -v * y]]
        values += [u, v]
    return np.append(np.linalg.solve(np.array(rows), np.array(values)), 1.0).reshape(3, 3)


def _sampled(grey: _Floats, x: _Floats, y: _Floats) -> _Floats:
    height, width = grey.shape
    x, y = np.clip(x, 0, width - 1.001), np.clip(y, 0, height - 1.001)
    left, top = x.astype(np.intp), y.astype(np.intp)
    across, down = x - left, y - top
    upper = grey[top, left] * (1 - across) + grey[top, left + 1] * across
    lower = grey[top + 1, left] * (1 - across) + grey[top + 1, left + 1] * across
    sampled: _Floats = upper * (1 - down) + lower * down
    return sampled


def _middle(mask: NDArray[np.bool_]) -> _Floats | None:
    rows, columns = np.nonzero(mask)
    if rows.size < _SMALLEST_SHARE * mask.size:
        return None
    return np.array([np.median(columns), np.median(rows)])
