"""A table as people see it: the same cells on the page, in LaTeX and in Markdown.

It leaves out empty columns and rows, and states repeated facts once. A column that no row defines
is named in a line below the table, rows without a figure are counted there, and equal denominators
in a row are shown once. If a table is too long to read, such as all pairs of a thousand models, its
first and last rows are shown; its data files have all rows."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, groupby

import pyarrow as pa

from mirror_ray.analysis.reading import Row
from mirror_ray.analysis.report.section import (
    NOT_HERE,
    UNDEFINED_CELL,
    Column,
    ReportTable,
    TableCell,
)

_N = Column(
    "n",
    lambda row: TableCell(""),
    meaning="How many episodes or replies a row rests on; where a figure rests on another number, "
    "it is shown under it.",
)
MOST_ROWS = 5_000
"""Of longer tables, only the ends are shown: half a million rows take minutes, and nobody reads
them."""
FIRST_ROWS, LAST_ROWS = 40, 10
MOST_CSV_ROWS = 100_000
"""Longer tables are written only as Parquet: as CSV, the pairs of a thousand models take hundreds
of megabytes, thirty times as much, and more rows than spreadsheets can have."""
_AT_A_TIME = 10_000


@dataclass(frozen=True, slots=True)
class TableText:
    """A table's columns and cells.

    Args:
        note: what is left out and why; "" if nothing is.
        left_out: how many rows between the first and the last are left out.
        kinds: the endings of its files.
    """

    columns: tuple[Column, ...]
    groups: tuple[tuple[str, tuple[tuple[TableCell, ...], ...]], ...]
    note: str
    left_out: int = 0
    kinds: tuple[str, ...] = ("csv", "parquet", "tex", "md")

    @property
    def n_rows(self) -> int:
        """The number of rows without headings, including those left out."""
        return sum(len(rows) for _, rows in self.groups) + self.left_out

    def note_in(self, name: str) -> str:
        """Return the note, and which data file has the rows that were left out of the table
        `name`."""
        if not self.left_out:
            return self.note
        ends = (
            f"The first {FIRST_ROWS} and the last {LAST_ROWS} of {self.n_rows:,} rows; all are in "
            f"{name}.{self.kinds[0]}."
        )
        return " ".join(filter(None, (ends, self.note)))


def table_text(table: ReportTable) -> TableText:
    """Return the rows that have a value, formatted. Of more than `MOST_ROWS`, return both ends."""
    data, n_silent = _telling(table)
    left_out = data.num_rows - FIRST_ROWS - LAST_ROWS if data.num_rows > MOST_ROWS else 0
    if left_out:
        last = data.slice(data.num_rows - LAST_ROWS)
        data = pa.concat_tables([data.slice(0, FIRST_ROWS), last])
    rows: list[Row] = data.to_pylist()
    shows = [column.over(rows) if column.over else column.show for column in table.columns]
    cells = [[show(row) for show in shows] for row in rows]
    kept = [
        place
        for place in range(len(table.columns))
        if place == 0
        or not rows
        or not all(_is_empty(line[place]) for line in cells)
        or (left_out and _is_defined(table, shows[place]))
    ]
    lines = [tuple(line[place] for place in kept) for line in cells]
    columns = tuple(table.columns[place] for place in kept)
    if any(cell.n is not None for line in lines for cell in line):
        place = next((i for i, column in enumerate(columns) if column.is_number), len(columns))
        columns = (*columns[:place], _N, *columns[place:])
        lines = [_with_n(line, place) for line in lines]
    headings = [table.group(row) if table.group else "" for row in rows]
    groups = tuple(
        (heading, tuple(line for _, line in members))
        for heading, members in groupby(zip(headings, lines, strict=True), key=lambda one: one[0])
    )
    gone = [column.heading for i, column in enumerate(table.columns) if i not in kept]
    notes = (_silence(table, n_silent), _note(gone) if rows else "")
    has_csv = table.data.num_rows <= MOST_CSV_ROWS
    kinds = ("csv", "parquet", "tex", "md") if has_csv else ("parquet", "tex", "md")
    return TableText(columns, groups, " ".join(filter(None, notes)), left_out, kinds)


def says_something(table: ReportTable) -> bool:
    """Return whether any row of the table is shown."""
    tells = table.tells
    return tells is None or any(tells(row) for row in _rows(table.data))


def _telling(table: ReportTable) -> tuple[pa.Table, int]:
    if table.tells is None:
        return table.data, 0
    told = [table.tells(row) for row in table.data.to_pylist()]
    return table.data.filter(pa.array(told, pa.bool_())), told.count(False)


def _silence(table: ReportTable, n_silent: int) -> str:
    if n_silent == table.data.num_rows:
        return f"{table.silence[:1].upper()}{table.silence[1:]}." if n_silent else ""
    is_one = n_silent == 1
    rows = "1 further row is" if is_one else f"{n_silent:,} further rows are"
    return f"{rows} not shown: there {table.silence}." if n_silent else ""


def _is_defined(table: ReportTable, show: Callable[[Row], TableCell]) -> bool:
    return any(not _is_empty(show(row)) for row in _rows(table.data))


def _rows(data: pa.Table) -> Iterator[Row]:
    batches = data.to_batches(max_chunksize=_AT_A_TIME)
    return chain.from_iterable(batch.to_pylist() for batch in batches)


def _with_n(line: Sequence[TableCell], place: int) -> tuple[TableCell, ...]:
    counts = Counter(cell.n for cell in line if cell.n is not None)
    usual = max(counts, key=lambda n: (counts[n], n), default=None)
    own = tuple(
        cell
        if cell.n in (None, usual)
        else replace(cell, small=" ".join(filter(None, (cell.small, f"n={cell.n:,}"))))
        for cell in line
    )
    of_row = TableCell(UNDEFINED_CELL if usual is None else f"{usual:,}")
    return (*own[:place], of_row, *own[place:])


def _is_empty(cell: TableCell) -> bool:
    return cell.text in (UNDEFINED_CELL, NOT_HERE, "") and not cell.small


def _note(gone: Sequence[str]) -> str:
    if not gone:
        return ""
    them = "it" if len(gone) == 1 else "them"
    return f"Not shown, because no row of this run defines {them}: {', '.join(gone)}."
