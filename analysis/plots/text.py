"""Measures how wide text is in a figure, in the widest font that may replace ours.

Figures name Arial; if it is missing, browsers show another font, of which DejaVu Sans is the
widest. Text that fits in that font fits in all."""

from collections.abc import Sequence
from functools import cache
from importlib.resources import as_file, files

from PIL import ImageFont

from mirror_ray.core.untrusted import one_printable_line

MEASURED = "Widest Sans"
"""The font's name, by which Vega computes layouts; see `fonts/README.md`."""

_SIZE_PX = 100
_LABEL_PX = 12
_SYMBOL_PX = 34
"""The width of a legend's symbol, with the space around it."""
_BREAKS_AFTER = frozenset(" -/:_·,")


def width_px(text: str, size_px: float, *, bold: bool = False) -> float:
    """Return the width of one line in the widest font."""
    return _font(bold).getlength(text) * size_px / _SIZE_PX


def wrapped(text: str, most_px: float, *, size_px: float = _LABEL_PX, bold: bool = False) -> str:
    """Return the text on as many lines as it needs, none wider than `most_px`.

    Lines end after a space or a punctuation mark in a name; a word too wide for a line is cut."""
    lines = [""]
    for word in _words(one_printable_line(text)):
        if width_px((lines[-1] + word).rstrip(), size_px, bold=bold) <= most_px:
            lines[-1] += word
            continue
        if lines[-1]:
            lines.append("")
        for char in word:
            if lines[-1] and width_px((lines[-1] + char).rstrip(), size_px, bold=bold) > most_px:
                lines.append("")
            lines[-1] += char
    return "\n".join(line.strip() for line in lines)


def widest_word_px(texts: Sequence[str]) -> float:
    """Return how wide a column has to be so that no word of the texts is cut."""
    words = (word.rstrip() for text in texts for word in _words(one_printable_line(text)))
    return max((width_px(word, _LABEL_PX) for word in words), default=0.0)


def columns_within(labels: Sequence[str], most_px: float) -> int:
    """Return how many columns of a legend fit, each as wide as its longest label."""
    widest = max((width_px(label, _LABEL_PX) for label in labels), default=0.0) + _SYMBOL_PX
    return max(1, min(len(labels), int(most_px / widest)))


def _words(text: str) -> list[str]:
    words = [""]
    for char in text:
        words[-1] += char
        if char in _BREAKS_AFTER:
            words.append("")
    return [word for word in words if word]


@cache
def _font(bold: bool) -> ImageFont.FreeTypeFont:
    name = "widest-bold.ttf" if bold else "widest-regular.ttf"
    with as_file(files("mirror_ray.analysis.plots") / "fonts" / name) as path:
        return ImageFont.truetype(str(path), _SIZE_PX, layout_engine=ImageFont.Layout.BASIC)
