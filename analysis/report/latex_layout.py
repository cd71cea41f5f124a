r"""How a table in LaTeX is set, so that it fits a page: `article`'s 345 pt at ten points.

Estimated from the widths of Computer Modern's letters; columns are 12 pt apart, or 6 pt where
intervals are below their figures. A document with narrower letters or wider lines has room to
spare.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from mirror_ray.analysis.report.section import TableCell
from mirror_ray.analysis.report.shown import TableText

_LINE_PT = 345.0
_CHARACTER_PT = 5.0
"""Of a digit at ten points, and of characters that have no width below."""

_WIDTHS_PT = {
    character: width
    for characters, width in (
        ("ijl.,:;!·'", 2.8), ("-() ", 3.6), ("frst", 4.0), ("cez", 4.5), ("bdhknpquvxy", 5.5),
        ("ABCDEFGHJKLNOPQRSTUVXYZ", 7.3), ("mw+<>=±−≥≤≈×", 7.8), ("MW%→", 10.0),
    )
    for character in characters
}  # fmt: skip
_SMALL, _TINY = 0.8, 0.68
"""Shares of the width at ten points: intervals in ``\\scriptsize`` and letters above the line; in
``\\tiny``, which intervals have where the text itself is hardly larger than the others."""

_BOLD = 1.15
"""A bold digit's width, as a multiple of a plain one's."""
_GAP_PT = 12.0
_CLOSE_GAP_PT = 6.0
_NARROWEST = 24
"""Characters that a column of words keeps on a line; longer ones are wrapped."""

# Smaller letters of this face are wider than their sizes say.
_SIZES = (("", 1.0), (r"\small", 0.925), (r"\footnotesize", 0.85), (r"\scriptsize", 0.8))
_TINY_FROM = 0.85
"""From this share on intervals are tiny."""


@dataclass(frozen=True, slots=True)
class Layout:
    r"""
    Args:
        columns: what `tabular` takes for each; those of long words wrap.
        is_stacked: small text is under its figure, not next to it, and a heading's words
            below each other.
        size: the command for the letters' size; "" is the text's own. `small`: for intervals',
            which does not follow from it.
        fits: one page is wide enough.
        width_pt: of all columns with the gaps between them; `scale`: the letters' share of their
            width at ten points.
    """

    columns: tuple[str, ...]
    is_stacked: bool
    size: str
    fits: bool
    small: str
    width_pt: float = _LINE_PT
    scale: float = 1.0

    def across(self, text: str) -> str:
        """What `\\multicolumn` takes for words over all columns: too many for a line wrap."""
        if _text_pt(text) * self.scale <= self.width_pt:
            return "l"
        return rf"p{{{self.width_pt / _LINE_PT:.2f}\linewidth}}"


def layout_of(seen: TableText) -> Layout:
    """The largest letters in which the table fits; intervals stay next to figures if they can."""
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
        columns,
        is_stacked,
        size,
        fits=sum(least) <= room,
        small=small,
        width_pt=wide,
        scale=scale,
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
