"""Text as pixels: reduced to the font's letters, wrapped and cut, so that it is harmless."""

import unicodedata
from bisect import bisect_right
from collections.abc import Sequence

from PIL import ImageDraw

from mirror_ray.replay.film.style import FilmRgb, font

MAX_DRAWN_CHARS = 2_000
"""Longer texts are never entirely visible, and measuring them would take seconds."""

_DRAWABLE = frozenset(map(chr, range(32, 127))) | frozenset("°·±«»‘’“”…")
_SPELLED = str.maketrans(
    {"–": "-", "—": "-", "−": "-", "×": "x", "→": "->", "←": "<-", "≥": ">=", "≤": "<=", "ß": "ss"}
)
_UNKNOWN = "?"


def drawable_text(text: str) -> str:
    """Return one line in letters of the font: without accents, with marks for other scripts."""
    spelled = unicodedata.normalize("NFKD", text[:MAX_DRAWN_CHARS].translate(_SPELLED))
    letters = (letter for letter in spelled if not unicodedata.combining(letter))
    seen = "".join(
        " " if letter.isspace() else letter if letter in _DRAWABLE else _UNKNOWN
        for letter in letters
    )
    return " ".join(seen.split())


def fitted_text(text: str, size_px: int, width_px: int) -> str:
    """Return `drawable_text(text)`, cut with an ellipsis if it would be wider."""
    return _cut(drawable_text(text), size_px, width_px, forced=False)


def wrapped_lines(text: str, size_px: int, width_px: int, max_lines: int) -> tuple[str, ...]:
    """Return `drawable_text(text)` in at most `max_lines` lines, with an ellipsis if cut."""
    words = drawable_text(text).split(" ")
    lines: list[str] = []
    line = ""
    while words:
        word = words.pop(0)
        longer = f"{line} {word}" if line else word
        if _width(longer, size_px) <= width_px:
            line = longer
            continue
        if line:
            lines.append(line)
            line = ""
            words.insert(0, word)
        else:
            # A word wider than the line is broken anywhere.
            head = _longest(word, size_px, width_px)
            lines.append(word[:head])
            words.insert(0, word[head:])
        if len(lines) == max_lines:
            break
    if line:
        lines.append(line)
    if words:
        lines[-1] = _cut(lines[-1], size_px, width_px, forced=True)
    return tuple(lines)


def shares(wanted: Sequence[int], available: int) -> tuple[int, ...]:
    """Return each paragraph's number of lines: short ones get what they need, long ones the
    rest."""
    given = [0] * len(wanted)
    open_ends = [index for index, lines in enumerate(wanted) if lines]
    while available > 0 and open_ends:
        each = max(1, available // len(open_ends))
        for index in open_ends[:available]:
            more = min(each, wanted[index] - given[index], available)
            given[index] += more
            available -= more
        open_ends = [index for index in open_ends if given[index] < wanted[index]]
    return tuple(given)


def write(
    draw: ImageDraw.ImageDraw,
    place: tuple[float, float],
    text: str,
    size_px: int,
    color: FilmRgb,
    *,
    anchor: str = "la",
) -> None:
    """Draw one line unchanged; pass texts from outside through `drawable_text` first."""
    draw.text(place, text, fill=color, font=font(size_px), anchor=anchor)


def text_width_px(text: str, size_px: int) -> int:
    """Return the width of one line."""
    return int(_width(text, size_px)) + 1


def _cut(line: str, size_px: int, width_px: int, *, forced: bool) -> str:
    if not forced and _width(line, size_px) <= width_px:
        return line
    return f"{line[: _longest(line, size_px, width_px, tail='…')].rstrip()}…"


def _longest(text: str, size_px: int, width_px: int, tail: str = "") -> int:
    fitting = bisect_right(
        range(1, len(text) + 1), float(width_px), key=lambda n: _width(text[:n] + tail, size_px)
    )
    return max(1, fitting)


def _width(text: str, size_px: int) -> float:
    return font(size_px).getlength(text)
