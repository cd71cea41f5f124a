"""The report as one HTML page without scripts: everything it shows is in it.

Knows sections and how a page is put together; does not know what they measure. All text is escaped
by the template, whoever wrote it; the drawings alone go in as they are, and they are our own.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from itertools import groupby, islice
from typing import Any

from jinja2 import Environment

from analysis.report.section import UNDEFINED, Figure, Section, Table

_OPEN_ROWS, _MOST_ROWS = 24, 400
"""Longer tables are folded, and cut where the page would get heavy."""

_VIEW = re.compile(r"\b(?:(?<!distinct )from|join)\s+([a-z_]+\.[a-z_0-9]+)")


@dataclass(frozen=True, slots=True)
class Tile:
    """One figure at the top of the page."""

    label: str
    text: str
    small: str = ""


def page(
    title: str,
    lead: str,
    tiles: Sequence[Tile],
    sections: Sequence[Section],
    drawings: Mapping[str, str],
) -> str:
    """The whole page.

    Args:
        title, lead: what was run, and a sentence on it.
        tiles: the figures at the top.
        sections: in the order of the page.
        drawings: a figure's name → its SVG, as `analysis.report.drawing` draws it.
    """
    environment = Environment(autoescape=True, trim_blocks=False, keep_trailing_newline=True)
    template = environment.from_string(_resource("page.html"))
    shown = [
        {
            "name": section.name,
            "title": section.title,
            "text": section.text,
            "parts": [
                _figure(part, drawings[part.name]) if isinstance(part, Figure) else _table(part)
                for part in section.parts
            ],
        }
        for section in sections
    ]
    return template.render(
        title=title,
        lead=lead,
        tiles=tiles,
        sections=shown,
        style=_resource("page.css"),
        undefined=UNDEFINED,
    )


def views_of(sql: str) -> tuple[str, ...]:
    """The views that a query reads, each once."""
    return tuple(dict.fromkeys(_VIEW.findall(sql)))


def _resource(name: str) -> str:
    return (files("analysis.report") / name).read_text(encoding="utf-8")


def _common(part: Figure | Table) -> dict[str, Any]:
    return {
        "name": part.name,
        "title": part.title,
        "text": part.text,
        "sql": part.sql,
        "views": views_of(part.sql),
    }


def _figure(figure: Figure, svg: str) -> dict[str, Any]:
    return {**_common(figure), "svg": svg}


def _table(table: Table) -> dict[str, Any]:
    total = table.data.num_rows
    shown = min(total, _MOST_ROWS)
    return {
        **_common(table),
        "columns": table.columns,
        "groups": list(_groups(table)),
        "is_long": total > _OPEN_ROWS,
        "left_out": total - shown,
        "shown": f"{shown:,}",
        "total": f"{total:,}",
    }


def _groups(table: Table) -> Iterator[dict[str, Any]]:
    rows = islice(table.data.to_pylist(), _MOST_ROWS)
    for heading, members in groupby(rows, key=table.group or (lambda row: "")):
        yield {
            "heading": heading,
            "rows": [[(column, column.show(row)) for column in table.columns] for row in members],
        }
