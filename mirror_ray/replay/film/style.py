"""Colours, sizes and the font of a film."""

from functools import lru_cache
from typing import TypeAlias

from PIL import ImageFont

from sim_assets.colors import CLUTTER_TONES, COLORS

FilmRgb: TypeAlias = tuple[int, int, int]

PAPER: FilmRgb = (250, 249, 246)
PANEL: FilmRgb = (255, 255, 255)
LINE: FilmRgb = (221, 218, 211)
FILM_INK: FilmRgb = (33, 33, 36)
FILM_FAINT: FilmRgb = (122, 119, 113)
ACCENT: FilmRgb = (214, 32, 124)
ALERT: FilmRgb = (188, 62, 20)

MARGIN_PX = 24
FILM_GAP_PX = 12


@lru_cache(maxsize=16)
def font(size_px: int) -> ImageFont.FreeTypeFont:
    """Return Pillow's own scalable font, so that a film looks alike on every machine. Raise
    RuntimeError if this Pillow was built without FreeType."""
    found = ImageFont.load_default(size_px)
    if not isinstance(found, ImageFont.FreeTypeFont):
        raise RuntimeError("this Pillow has no FreeType: install Pillow from its wheel")
    return found


def paint(name: str) -> FilmRgb:
    """Return the colour of a body, a cube or a clutter tone. Raise KeyError for other names."""
    red, green, blue = (COLORS | CLUTTER_TONES)[name]
    return round(red * 255), round(green * 255), round(blue * 255)


def is_color(name: str) -> bool:
    """Return whether `paint` accepts the name as a body's colour."""
    return name in COLORS


def mixed(one: FilmRgb, other: FilmRgb, share: float) -> FilmRgb:
    """Return `one` mixed with `share` of `other`."""
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(one, other, strict=True))
    return red, green, blue
