r"""Lays a LaTeX table out so that it fits a page: `article`'s 345 pt at ten points.

Widths are estimated from Computer Modern's letters; columns are 12 pt apart, or 6 pt if intervals
are below their figures. A document with narrower letters or wider lines has room to spare."""

from collections.abc import Sequence
from dataclasses import dataclass

from mirror_ray.analysis.report.section import TableCell
from mirror_ray.analysis.report.shown import TableText

_LINE_PT = 345.0
_CHARACTER_PT = 5.0
"""The width of a digit at ten points, and of characters that are not listed below."""

_WIDTHS_PT = {
    character: width
    for characters, width in (
        ("ijl.,:;!·'", 2.8), ("-() ", 3.6), ("frst", 4.0), ("cez", 4.5), ("bdhknpquvxy", 5.5),
        ("ABCDEFGHJKLNOPQRSTUVXYZ", 7.3), ("mw+<>=±−≥≤≈×", 7.8), ("MW%→", 10.0),
    )
    for character in characters
}  # fmt: skip
_SMALL, _TINY = 0.8, 0.68
r"""Shares of the width at ten points, in ``\scriptsize`` (intervals and superscripts) and in
``\tiny`` (intervals in tables whose text is small itself).
"""

_BOLD = 1.15
"""A bold digit's width, as a multiple of a plain one's."""
_GAP_PT = 12.0
_CLOSE_GAP_PT = 6.0
_NARROWEST = 24
"""The fewest characters per line of a column of words; longer texts are wrapped."""

# The smaller letters of this typeface are wider than their size implies.
_SIZES = (("", 1.0), (r"\small", 0.925), (r"\footnotesize", 0.85), (r"\scriptsize", 0.8))
_TINY_FROM = 0.85
"""Intervals are tiny if the table is scaled to this share or less."""


@dataclass(frozen=True, slots=True)
class Layout:
    r"""How a table is set.

    Args:
        columns: the column specification of `tabular`; columns of long words wrap.
        is_stacked: intervals are under their figures, and each word of a heading has its own line.
        size: the command for the letters' size; "" is the text's own. `small` is that of intervals.
        fits: one page is wide enough.
        width_pt: of all columns with their gaps; `scale` is the letters' width relative to ten
            points.
    """

    columns: tuple[str, ...]
    is_stacked: bool
    size: str
    fits: bool
    small: str
    width_pt: float = _LINE_PT
    scale: float = 1.0

    def across(self, text: str) -> str:
        r"""Return the `\multicolumn` specification of text over all columns. Long text wraps."""
        if _text_pt(text) * self.scale <= self.width_pt:
            return "l"
        return rf"p{{{self.width_pt / _LINE_PT:.2f}\linewidth}}"


def layout_of(seen: TableText) -> Layout:
    """Choose the largest letters in which the table fits, if possible with intervals next to
    figures."""
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
    small = r"\tiny" if scale <= _TINY_FROM else r"\scriptsize"
    wide = sum(map(min, widths, natural)) + gap_pt * (len(natural) - 1)
    return Layout(
        columns, is_stacked, size, fits=sum(least) <= room, small=small, width_pt=wide, scale=scale
    )


def _shared(natural: Sequence[float], least: Sequence[float], room: float) -> list[float]:
    lacking = [wanted - has for wanted, has in zip(natural, least, strict=True)]
    spare = max(0.0, min(room - sum(least), sum(lacking)))
    share = spare / sum(lacking) if sum(lacking) else 0.0
    return [has + lack * share for has, lack in zip(least, lacking, strict=True)]


def _width(
    seen: TableText, rows: Sequence[Sequence[TableCell]], place: int, is_stacked: bool, scale: float
) -> float:
    heading = _heading_pt(seen.columns[place].heading, is_stacked) * scale
    return max((heading, *(_cell_width(row[place], is_stacked, scale) for row in rows)))


def _heading_pt(heading: str, is_stacked: bool) -> float:
    return max(map(_text_pt, heading.split()), default=0.0) if is_stacked else _text_pt(heading)


def _cell_width(cell: TableCell, is_stacked: bool, scale: float) -> float:
    bold = _BOLD if cell.is_best else 1.0
    text = (_text_pt(cell.text) * bold + _text_pt(cell.letters) * _SMALL) * scale
    small = _text_pt(cell.small) * (_TINY if scale <= _TINY_FROM else _SMALL)
    if is_stacked or not cell.small:
        return max(text, small)
    return text + _CHARACTER_PT + small


def _text_pt(text: str) -> float:
    return sum(_WIDTHS_PT.get(character, _CHARACTER_PT) for character in text)
