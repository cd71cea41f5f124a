"""The report as one HTML page without scripts: everything it shows is in it.

The template escapes all text; only the drawings, which are our own, are inserted as they are."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from jinja2 import Environment

from mirror_ray.analysis.report.glossary import meaning
from mirror_ray.analysis.report.section import (
    NOT_HERE,
    UNDEFINED_CELL,
    Figure,
    Part,
    ReportListing,
    Section,
    TableCell,
)
from mirror_ray.analysis.report.shown import (
    FIRST_ROWS,
    LAST_ROWS,
    MOST_CSV_ROWS,
    MOST_ROWS,
    TableText,
)

_MOST_ON_PAGE = 400
"""Longer tables show only their first and last rows, so that the page stays small."""
_OPEN_ROWS, _NARROW_COLUMNS = 24, 9
"""A table with more rows gets a scrolling box on screens; one with more columns, a landscape page
in print."""

_VIEW = re.compile(r"\b(?:(?<!distinct )from|join)\s+([a-z_]+\.[a-z_0-9]+)")


@dataclass(frozen=True, slots=True)
class Tile:
    """One figure at the top of the page."""

    label: str
    text: str
    small: str = ""


@dataclass(frozen=True, slots=True)
class ReportFrame:
    """What a model was shown first in a condition.

    Args:
        caption: family and condition.
        meaning: what the condition manipulates.
        data: the picture as a ``data:`` address.
    """

    caption: str
    meaning: str
    data: str


def page(
    title: str,
    lead: str,
    tiles: Sequence[Tile],
    sections: Sequence[Section],
    *,
    drawings: Mapping[str, str],
    tables: Mapping[str, TableText],
    frames: Sequence[ReportFrame] = (),
    marks: Callable[[str], str] = lambda _: "",
) -> str:
    """Render the whole page.

    Args:
        sections: in the order of the page.
        drawings: a figure's name → its SVG, as `mirror_ray.analysis.report.drawing` draws it.
        tables: a table's name → its cells.
        frames: what models were shown, one of each condition.
        marks: a part's name → the mark after its title.
    """
    environment = Environment(autoescape=True, trim_blocks=False, keep_trailing_newline=True)
    template = environment.from_string(_resource("page.html"))
    shown = [
        {
            "name": section.name,
            "title": section.title,
            "text": section.text,
            "parts": [
                {**_part(part, drawings, tables), "mark": marks(part.name)}
                for part in section.parts
            ],
        }
        for section in sections
    ]
    return template.render(
        title=title,
        lead=lead,
        tiles=tiles,
        frames=frames,
        sections=shown,
        style=_resource("page.css"),
        undefined=UNDEFINED_CELL,
        not_here=NOT_HERE,
    )


def views_of(sql: str) -> tuple[str, ...]:
    """Return the views that a query reads, each once."""
    return tuple(dict.fromkeys(_VIEW.findall(sql)))


def _resource(name: str) -> str:
    return (files("mirror_ray.analysis.report") / name).read_text(encoding="utf-8")


def _part(
    part: Part, drawings: Mapping[str, str], tables: Mapping[str, TableText]
) -> Mapping[str, Any]:
    about: dict[str, Any] = {"name": part.name, "title": part.title, "text": part.text}
    if isinstance(part, ReportListing):
        return {**about, "lines": part.lines}
    about["text"] = " ".join(filter(None, (part.text, part.replies)))
    about |= {"sql": part.sql, "views": views_of(part.sql)}
    if isinstance(part, Figure):
        return {**about, "svg": drawings[part.name]}
    table = tables[part.name]
    most = MOST_ROWS if part.is_searched else _MOST_ON_PAGE
    is_whole = table.n_rows <= most
    return {
        **about,
        "source": part.source,
        "columns": [(column, meaning(column)) for column in table.columns],
        "groups": list(_groups(table, is_whole=is_whole)),
        "note": table.note,
        "kinds": table.kinds,
        "no_csv": f"{MOST_CSV_ROWS:,}" if "csv" not in table.kinds else "",
        "is_long": table.n_rows > _OPEN_ROWS,
        "is_wide": len(table.columns) > _NARROW_COLUMNS,
        "left_out": 0 if is_whole else table.n_rows - FIRST_ROWS - LAST_ROWS,
        "first": FIRST_ROWS,
        "last": LAST_ROWS,
        "total": f"{table.n_rows:,}",
    }


def _groups(table: TableText, *, is_whole: bool) -> Iterator[Mapping[str, Any]]:
    n_there = table.n_rows - table.left_out
    place = 0
    for heading, rows in table.groups:
        some: Sequence[tuple[TableCell, ...]] = [
            row
            for at, row in enumerate(rows, start=place)
            if is_whole or at < FIRST_ROWS or at >= n_there - LAST_ROWS
        ]
        place += len(rows)
        if some:
            yield {
                "heading": heading,
                "rows": [list(zip(table.columns, row, strict=True)) for row in some],
            }
