"""Finds things of the ten body colours, evenly lit, in a picture's pixels alone."""

from dataclasses import dataclass
from functools import cache
from io import BytesIO

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from sim_assets.colors import COLOR_NAMES, COLORS

NONE = -1
"""The label of a pixel that has none of the ten colours."""
STRIDE_PX = 2
"""Only every second pixel of every second row is searched for things."""
_TOLERANCE = 34.0
_SHADES = (0.7, 0.8, 0.9, 1.0, 1.1, 1.2, 1.35)
"""Brightness of a body from its darkest side to its brightest, as multiples of its flat colour."""
_WHITE_LEVEL = 186
"""Walls are grey, but darker: only pixels this bright in red, green and blue are white."""


@cache
def _label_of_packed() -> NDArray[np.int8]:
    """Return, (32768,) int8, the nearest of the ten colours by 5-bit red, green, blue; else
    NONE."""
    level = (np.arange(32) * 8 + 4).astype(np.float64)
    rgb = np.stack(np.meshgrid(level, level, level, indexing="ij"), axis=-1).reshape(-1, 1, 3)
    palette = np.array(list(COLORS.values())) * 255.0
    nearest = np.min(
        [np.linalg.norm(rgb - np.minimum(palette * k, 255.0), axis=2) for k in _SHADES], axis=0
    )
    labels: NDArray[np.int8] = nearest.argmin(axis=1).astype(np.int8)
    labels[nearest.min(axis=1) > _TOLERANCE] = NONE
    white = COLOR_NAMES.index("white")
    is_bright = rgb.min(axis=(1, 2)) >= _WHITE_LEVEL
    labels[(labels == white) & ~is_bright] = NONE
    return labels


@dataclass(frozen=True, slots=True)
class Blob:
    """One connected patch of one colour; bounds in full-resolution pixels, half open.

    Args:
        label: index into `COLOR_NAMES`.
        area: its sampled pixels; the picture has `STRIDE_PX`² times as many.
    """

    label: int
    left: int
    top: int
    right: int
    bottom: int
    area: int


@dataclass(frozen=True, slots=True)
class Sight:
    """A decoded picture: `rgb` (height, width, 3) uint8."""

    rgb: NDArray[np.uint8]

    @property
    def height_px(self) -> int:
        """Number of rows."""
        return int(self.rgb.shape[0])

    @property
    def width_px(self) -> int:
        """Number of columns."""
        return int(self.rgb.shape[1])

    def labels(self, rows: NDArray[np.intp], columns: NDArray[np.intp]) -> NDArray[np.int8]:
        """Return the colour labels at pixels; those outside the picture are left out."""
        inside = (rows >= 0) & (rows < self.height_px) & (columns >= 0) & (columns < self.width_px)
        return _label(self.rgb[rows[inside], columns[inside]])

    def blobs(self, smallest: int = 6) -> list[Blob]:
        """Return patches of at least `smallest` sampled pixels, largest first."""
        labels = _label(self.rgb[::STRIDE_PX, ::STRIDE_PX])
        patches = _patches(labels)
        return sorted(
            (patch for patch in patches if patch.area >= smallest), key=lambda patch: -patch.area
        )


def decode(image: bytes) -> Sight:
    """Decode a PNG or JPEG."""
    with Image.open(BytesIO(image)) as picture:
        return Sight(np.asarray(picture.convert("RGB")))


def _label(rgb: NDArray[np.uint8]) -> NDArray[np.int8]:
    wide = rgb.astype(np.uint16) >> 3
    packed = (wide[..., 0] << 10) | (wide[..., 1] << 5) | wide[..., 2]
    return np.take(_label_of_packed(), packed)


def _patches(labels: NDArray[np.int8]) -> list[Blob]:
    """Find connected patches: runs down each column, joined where neighbouring runs touch."""
    height, width = labels.shape
    down = np.concatenate([labels.T, np.full((width, 1), NONE, np.int8)], axis=1).ravel()
    starts = np.flatnonzero(np.diff(down, prepend=np.int8(NONE)))
    ends = np.append(starts[1:], down.size)
    colored = down[starts] != NONE
    starts, ends = starts[colored], ends[colored]
    columns, tops = np.divmod(starts, height + 1)
    bottoms = tops + (ends - starts)
    runs = list(
        zip(columns.tolist(), tops.tolist(), bottoms.tolist(), down[starts].tolist(), strict=True)
    )
    parent = list(range(len(runs)))

    def root(run: int) -> int:
        while parent[run] != run:
            parent[run] = parent[parent[run]]
            run = parent[run]
        return run

    first_of_previous, first_of_column = 0, 0
    for here, (column, top, bottom, label) in enumerate(runs):
        if here and column != runs[here - 1][0]:
            first_of_previous, first_of_column = first_of_column, here
        for there in range(first_of_previous, first_of_column):
            its_column, its_top, its_bottom, its_label = runs[there]
            if its_column != column - 1 or its_bottom <= top:
                continue
            if its_top >= bottom:
                break
            if its_label == label:
                parent[root(there)] = root(here)
    bounds: dict[int, list[int]] = {}
    for here, (column, top, bottom, label) in enumerate(runs):
        box = bounds.setdefault(root(here), [label, column, top, column, bottom, 0])
        box[2], box[3], box[4] = min(box[2], top), max(box[3], column), max(box[4], bottom)
        box[1] = min(box[1], column)
        box[5] += bottom - top
    return [
        Blob(
            label,
            left * STRIDE_PX,
            top * STRIDE_PX,
            (right + 1) * STRIDE_PX,
            bottom * STRIDE_PX,
            area,
        )
        for label, left, top, right, bottom, area in bounds.values()
    ]
