"""The parts of a report: sections of figures and tables, each with the SQL it comes from."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import pyarrow as pa

from mirror_ray.analysis.plots.vega import Chart
from mirror_ray.analysis.reading import Row

UNDEFINED_CELL = "–"
NONE_READ = "none read"
"""Shown in a cell none of whose replies was read."""
NOT_HERE = "not defined here"
"""Shown in a cell whose condition has no such metric."""


@dataclass(frozen=True, slots=True)
class TableCell:
    """The content of one cell: plain text of any origin, escaped when it is printed.

    Args:
        small: the line under it, such as an interval or a denominator.
        href: the address it links to, relative to the report's folder.
        n: how many episodes or replies the cell rests on; printed once per row if all cells agree.
        is_best: it is the best of the cells compared.
        letters: the test does not distinguish cells that share a letter.
    """

    text: str
    small: str = ""
    href: str | None = None
    n: int | None = None
    is_best: bool = False
    letters: str = ""


@dataclass(frozen=True, slots=True)
class Column:
    """A shown column.

    Args:
        heading: its first line.
        show: its content for a row; `mirror_ray.analysis.report.cells` makes the usual ones.
        is_number: aligned to the right.
        meaning: a sentence for readers who do not know the heading; "" where the glossary has it.
        is_estimate: rests on replies, so that the table marks it where few were read.
        over: makes `show` from all rows of the table, so that its figures have equally many digits.
    """

    heading: str
    show: Callable[[Row], TableCell]
    is_number: bool = True
    meaning: str = ""
    is_estimate: bool = False
    over: Callable[[Sequence[Row]], Callable[[Row], TableCell]] | None = None


@dataclass(frozen=True, slots=True)
class ReportTable:
    """A table of the page, and of the files `tables/<name>.{csv,parquet,tex,md}`.

    Args:
        name: snake_case, unique in the report.
        text: a sentence on what it shows and how it is read.
        sql: the query over the run's views that gives `data`, for readers who check.
        data: all its rows and columns, as the files have them.
        columns: the columns shown on the page.
        group: the heading above a row; None for a table without such headings. Rows of one group
            follow each other.
        source: where the rows come from, if not from `sql`.
        tells: whether a row has a figure; other rows are only in the data files. None: all have
            one.
        silence: what the other rows have in common, in words that continue a sentence.
        is_searched: the page has all rows, even of a long table, so that readers find theirs with
            the browser's search.
        replies: a sentence on how many of the replies behind it were read; "" if it rests on none.
    """

    name: str
    title: str
    text: str
    sql: str
    data: pa.Table
    columns: tuple[Column, ...]
    group: Callable[[Row], str] | None = None
    source: str = ""
    tells: Callable[[Row], bool] | None = None
    silence: str = ""
    is_searched: bool = False
    replies: str = ""


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure of the page, and of the files `figures/<name>.{svg,png,pdf}`.

    Args:
        name, title, text, sql, replies: as a Table's.
        chart: Vega-Lite; its look comes from `mirror_ray.analysis.plots.style`. A mark's
            `description` is shown on hover.
    """

    name: str
    title: str
    text: str
    sql: str
    chart: Chart
    replies: str = ""


@dataclass(frozen=True, slots=True)
class ReportListing:
    """A text that is shown as it is, in a folded box, and written to no file."""

    name: str
    title: str
    text: str
    lines: str


Part: TypeAlias = Figure | ReportTable | ReportListing


def with_rows(*parts: Part | None) -> tuple[Part, ...]:
    """Leave out figures that could not be drawn and tables without a row."""
    return tuple(
        part
        for part in parts
        if part is not None and not (isinstance(part, ReportTable) and not part.data.num_rows)
    )


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the report with its heading.

    Args:
        name: snake_case, unique in the report; the address on the page is ``#<name>``.
        text: the question and the design, in a few sentences.
        parts: in the order in which they are read, pictures first.
    """

    name: str
    title: str
    text: str
    parts: tuple[Part, ...]
