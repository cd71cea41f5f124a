"""Black text on white paper, as an array of pixels.

The typeface is Aileron Regular (CC0), a sans serif like Arial that Pillow contains: the same on
every machine, and its 6 and 9, b and q, d and p, n and u, M and W are one another's half turns.
"""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

MAX_CAPITAL_SHARE = 0.42
"""Height of a capital letter, as a share of the sheet's height, in short texts."""
MAX_WIDTH_SHARE = 0.86
"""Width of a text, as a share of the sheet's width, which limits long texts."""
CAPITAL_EM = 0.714
"""Height of a capital letter, as a share of the type size."""

_PAPER, _INK = 255, 0
_MEASURED_PX = 200


@lru_cache(maxsize=64)
def _typeface(size_px: int) -> ImageFont.FreeTypeFont:
    face = ImageFont.load_default(size_px)
    if not isinstance(face, ImageFont.FreeTypeFont):
        raise RuntimeError("this Pillow was built without FreeType: install the wheel from PyPI")
    return face


def type_size_px(text: str, width_px: int, height_px: int) -> int:
    """Return the type size (em) of `text` on a sheet of this size, in pixels; ValueError without
    ink.
    """
    left, _, right, _ = _typeface(_MEASURED_PX).getbbox(text)
    if right <= left:
        raise ValueError(f"{text!r} has no ink")
    by_height = MAX_CAPITAL_SHARE * height_px / CAPITAL_EM
    by_width = MAX_WIDTH_SHARE * width_px * _MEASURED_PX / (right - left)
    return int(min(by_height, by_width))


def lettering(
    text: str, width_px: int, height_px: int, size_px: int | None = None
) -> NDArray[np.uint8]:
    """Return (height_px, width_px) grey levels: the text upright, its ink in the middle of the
    sheet.

    The text is centred by its ink, so that the turned sheet shows the turned text in the same
    place.

    Args:
        size_px: the type size; None for the largest that fits.

    Raises:
        ValueError: the text has no ink.
    """
    largest_px = type_size_px(text, width_px, height_px)
    face = _typeface(largest_px if size_px is None else size_px)
    sheet = Image.new("L", (width_px, height_px), _PAPER)
    left, top, right, bottom = face.getbbox(text)
    place = ((width_px - left - right) / 2, (height_px - top - bottom) / 2)
    ImageDraw.Draw(sheet).text(place, text, font=face, fill=_INK)
    return np.asarray(sheet)
