"""What a report is made of: sections of figures and tables, each with the SQL it comes from.

Knows the parts and their names; does not know HTML, LaTeX, files, or any family.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import altair as alt
import pyarrow as pa

from analysis.reading import Row

Chart: TypeAlias = (
    alt.Chart
    | alt.LayerChart
    | alt.FacetChart
    | alt.ConcatChart
    | alt.HConcatChart
    | alt.VConcatChart
)

UNDEFINED = "–"


@dataclass(frozen=True, slots=True)
class Cell:
    """What one cell shows: plain text, whoever wrote it; it is escaped where it is printed.

    Args:
        text: the figure or word itself.
        small: what stands under it, as an interval or a denominator.
        href: where it leads to, relative to the report's folder.
    """

    text: str
    small: str = ""
    href: str | None = None


@dataclass(frozen=True, slots=True)
class Column:
    """A shown column.

    Args:
        heading: its first line.
        show: what it shows of a row; `analysis.report.cells` makes the usual ones.
        is_number: aligned to the right.
    """

    heading: str
    show: Callable[[Row], Cell]
    is_number: bool = True


@dataclass(frozen=True, slots=True)
class Table:
    """A table of the page, and of the files `tables/<name>.{csv,parquet,tex}`.

    Args:
        name: snake_case, unique in the report.
        title: what it is, in a few words.
        text: a sentence on what it shows and how it is read.
        sql: the query over the run's views that gives `data`, for whoever checks.
        data: all its rows and columns, as the files have them.
        columns: what people are shown of it.
        group: the heading that a row stands under; None for a table without such headings. Rows
            of one group follow each other.
    """

    name: str
    title: str
    text: str
    sql: str
    data: pa.Table
    columns: tuple[Column, ...]
    group: Callable[[Row], str] | None = None


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure of the page, and of the files `figures/<name>.{svg,png}`.

    Args:
        name, title, text, sql: as a Table's.
        chart: Vega-Lite; its look comes from `analysis.plots.style`. A mark's `description` is
            shown when it is pointed at.
    """

    name: str
    title: str
    text: str
    sql: str
    chart: Chart


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the report with a heading of its own.

    Args:
        name: snake_case, unique in the report; the address on the page is ``#<name>``.
        title: the heading.
        text: what was asked and what was played, in a few sentences.
        parts: in the order in which they are read, pictures first.
    """

    name: str
    title: str
    text: str
    parts: tuple[Figure | Table, ...]
