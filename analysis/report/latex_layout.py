r"""How a table in LaTeX is set, so that it fits a page: `article`'s 345 pt at ten points.

Estimated from the text alone: an average character is 5 pt wide at ten points, and columns are
12 pt apart, or 6 pt where intervals stand below their figures. A document with narrower letters or
wider lines has room to spare.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from mirror_ray.analysis.report.section import Cell
from mirror_ray.analysis.report.shown import Shown

_LINE_PT = 345.0
_CHARACTER_PT = 5.0
_SMALL_PT = 3.5
"""Of an interval in ``\\scriptsize``, and of a letter above the line."""

_TINY_PT = 3.0
"""Of an interval in ``\\tiny``, which it has where the text itself is hardly larger than it."""

_GAP_PT = 12.0
_CLOSE_GAP_PT = 6.0
_NARROWEST = 24
"""Characters that a column of words keeps on a line; longer ones are wrapped."""

_SIZES = (("", 1.0), (r"\small", 0.9), (r"\footnotesize", 0.8), (r"\scriptsize", 0.7))
_TINY = 0.8
"""From this share of the text's size on intervals are tiny."""


@dataclass(frozen=True, slots=True)
class Layout:
    r"""
    Args:
        columns: what `tabular` takes for each; those of long words wrap.
        is_stacked: what is small stands under its figure, not beside it, and a heading's words
            below each other.
        size: the command for the letters' size; "" is the text's own. `small`: for intervals',
            which does not follow from it.
        fits: one page is wide enough.
    """

    columns: tuple[str, ...]
    is_stacked: bool
    size: str
    fits: bool
    small: str


def layout_of(seen: Shown) -> Layout:
    """The largest letters in which the table fits; intervals stay beside figures if they can."""
    rows = [row for _, rows in seen.groups for row in rows]
    wrapping = [any(" " in row[place].text for row in rows) for place in range(len(seen.columns))]
    choices = [(False, *_SIZES[0]), *((True, *size) for size in _SIZES)]
    for is_stacked, size, scale in choices:
        natural = [
            _width(seen, rows, place, is_stacked, scale) for place in range(len(seen.columns))
        ]
        least = [
            min(width, _NARROWEST * _CHARACTER_PT * scale) if wraps else width
            for wraps, width in zip(wrapping, natural, strict=True)
        ]
        gap_pt = _CLOSE_GAP_PT if is_stacked else _GAP_PT
        room = _LINE_PT - gap_pt * len(natural)
        if sum(least) <= room or (is_stacked, size) == (True, _SIZES[-1][0]):
            break
    widths = _shared(natural, least, room)
    columns = tuple(
        ("r" if column.is_number else "l")
        if width >= wanted
        else rf"p{{{width / _LINE_PT:.2f}\linewidth}}"
        for column, wanted, width in zip(seen.columns, natural, widths, strict=True)
    )
    small = r"\tiny" if scale <= _TINY else r"\scriptsize"
    return Layout(columns, is_stacked, size, fits=sum(least) <= room, small=small)


def _shared(natural: Sequence[float], least: Sequence[float], room: float) -> list[float]:
    """What is left beside the least widths goes to those that lack most, in proportion."""
    lacking = [wanted - has for wanted, has in zip(natural, least, strict=True)]
    spare = max(0.0, min(room - sum(least), sum(lacking)))
    share = spare / sum(lacking) if sum(lacking) else 0.0
    return [has + lack * share for has, lack in zip(least, lacking, strict=True)]


def _width(
    seen: Shown, rows: Sequence[Sequence[Cell]], place: int, is_stacked: bool, scale: float
) -> float:
    heading = _heading_chars(seen.columns[place].heading, is_stacked) * _CHARACTER_PT * scale
    return max((heading, *(_cell_width(row[place], is_stacked, scale) for row in rows)))


def _heading_chars(heading: str, is_stacked: bool) -> int:
    return max(map(len, heading.split()), default=0) if is_stacked else len(heading)


def _cell_width(cell: Cell, is_stacked: bool, scale: float) -> float:
    text = (len(cell.text) * _CHARACTER_PT + len(cell.letters) * _SMALL_PT) * scale
    small = len(cell.small) * (_TINY_PT if scale <= _TINY else _SMALL_PT)
    if is_stacked or not cell.small:
        return max(text, small)
    return text + _CHARACTER_PT + small
