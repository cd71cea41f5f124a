"""How many of the replies behind a table were read: a sentence, a column, and marks."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeAlias

import pyarrow.compute as pc

from mirror_ray.analysis.reading import Reading, Row
from mirror_ray.analysis.report.section import (
    NONE_READ,
    NOT_HERE,
    UNDEFINED_CELL,
    Column,
    Figure,
    Part,
    ReportTable,
    Section,
    TableCell,
)
from mirror_ray.analysis.summary_cells import MOSTLY_UNREAD
from mirror_ray.contract.metrics import METRICS

_KEYS = ("condition", "temperature", "variant", "model")
_OWN = ("n_read", "n_replies")
Counts: TypeAlias = Callable[[Row], tuple[int, int]]
"""For a row, how many of its replies were read, and how many there are."""
_SETS = """\
select distinct regexp_extract(variant, '\\+prompts=([^+]+)', 1) as name
from episode.{family}
where {where}
order by name"""
_ON_MARKS = f" {MOSTLY_UNREAD} marks estimates for which fewer than half of the replies were read."

_ON_MODELS = (
    f" {MOSTLY_UNREAD} marks models of which fewer than half of the replies were read somewhere."
)


def prompt_wording(run: Reading, family: str) -> str:
    """Return a sentence for the notes of a family's tables; "" if the run has no such prompts."""
    metrics = METRICS.get(family)
    if metrics is None or not metrics.our_words:
        return ""
    sets = run.rows(_SETS.format(family=family, where=metrics.our_words_in))
    said = ", ".join(f"prompt set {row['name']}" if row["name"] else "our wording" for row in sets)
    return f" Prompts of {metrics.our_words}: {said}." if sets else ""


class Replies:
    """The replies of a family's latest episodes, counted cell by cell, from rows of
    ``metric.<family>_read``. `wording` is that of the prompts, from `prompt_wording`."""

    def __init__(self, rows: Sequence[Row], wording: str = "") -> None:
        self._rows = rows
        self._wording = wording
        self._counts: dict[tuple[str, ...], dict[tuple[object, ...], tuple[int, int]]] = {}

    def counts(self, keys: Sequence[str], row: Row) -> tuple[int, int]:
        """Return how many replies were read and how many there are, over the cells that agree with
        the row.

        Args:
            keys: some of `condition`, `temperature`, `variant` and `model`.
            row: with these keys.
        """
        if (by_row := self._counts.get(tuple(keys))) is None:
            by_row = self._counts[tuple(keys)] = {}
            for one in self._rows:
                place = tuple(one[key] for key in keys)
                n_read, n = by_row.get(place, (0, 0))
                by_row[place] = (n_read + one["n_read"], n + one["n_replies"])
        return by_row.get(tuple(row[key] for key in keys), (0, 0))

    @property
    def sentence(self) -> str:
        """State ``84 of 90 replies were read.``, and whose wording the prompts have."""
        n_read, n = self.counts((), {})
        counted = "All" if n_read == n else f"{n_read:,} of"
        read = f"{counted} {n:,} replies were read." if n else ""
        return f"{read}{self._wording}".strip()

    @property
    def on_marks(self) -> str:
        """Explain the mark; "" if in every cell at least half of the replies were read."""
        return _ON_MARKS if any(2 * row["n_read"] < row["n_replies"] for row in self._rows) else ""


def replies_of(run: Reading, family: str) -> Replies:
    """Count the replies of a family."""
    return Replies(run.rows(f"from metric.{family}_read"), prompt_wording(run, family))


def read_column(counts: Counts) -> Column:
    """Show how many replies each row rests on."""

    def show(row: Row) -> TableCell:
        n_read, n = counts(row)
        return TableCell(f"{n_read:,} of {n:,}" if n else UNDEFINED_CELL)

    return Column("read", show, meaning="How many of the row's replies could be read.")


def drawn_rows(rows: Sequence[Row], replies: Replies) -> tuple[list[Row], str]:
    """Return a figure's rows with any reply read, with models marked, and a note for below the
    figure."""
    keys = [key for key in _KEYS if key in rows[0]]
    counts = [
        _own_counts(row) if {*_OWN} <= row.keys() else replies.counts(keys, row) for row in rows
    ]
    if "model" not in keys or all(2 * n_read >= n for n_read, n in counts):
        return list(rows), ""
    pairs = [
        (row, 2 * read < n) for row, (read, n) in zip(rows, counts, strict=True) if read or not n
    ]
    marked = {row["model"] for row, is_mostly_unread in pairs if is_mostly_unread}
    drawn = [
        {**row, "model": f"{row['model']} {MOSTLY_UNREAD}"} if row["model"] in marked else row
        for row, _ in pairs
    ]
    said = "" if len(pairs) == len(rows) else " Not drawn where no reply was read."
    return drawn, f"{said}{_ON_MODELS if marked else ''}"


def with_replies(section: Section, replies: Replies) -> Section:
    """State in every part of a family's section how many replies were read.

    Where some are unread, tables by model have a column of the counts. Estimates that rest on fewer
    than half of their replies are marked, and are never bold or lettered."""
    if not (said := replies.sentence):
        return section
    parts: list[Part] = []
    for part in section.parts:
        if isinstance(part, ReportTable):
            parts.append(_counted_by(replies, replace(part, replies=said)))
        else:
            parts.append(replace(part, replies=said) if isinstance(part, Figure) else part)
    return replace(section, parts=tuple(parts))


def with_counts(section: Section) -> Section:
    """Count the replies of all tables of a section."""
    parts = (
        of_own_counts(part) if isinstance(part, ReportTable) else part for part in section.parts
    )
    return replace(section, parts=tuple(parts))


def of_own_counts(table: ReportTable) -> ReportTable:
    """Count the replies of a table whose rows state how many they rest on."""
    if not _has_counts(table) or any(column.heading == "read" for column in table.columns):
        return table
    read, replies = (table.data.column(name) for name in ("n_read", "n_replies"))
    if not pc.any(pc.less(read, replies)).as_py():
        return table
    is_any_marked = pc.any(pc.less(pc.multiply(read, 2), replies)).as_py()
    return _marked_table(table, _own_counts, _ON_MARKS if is_any_marked else "")


def _has_counts(table: ReportTable) -> bool:
    return {*_OWN} <= {*table.data.column_names}


def _own_counts(row: Row) -> tuple[int, int]:
    return row["n_read"] or 0, row["n_replies"] or 0


def _counted_by(replies: Replies, table: ReportTable) -> ReportTable:
    keys = [key for key in _KEYS if key in table.data.column_names]
    n_read, n = replies.counts((), {})
    if "model" not in keys or _has_counts(table):
        return table
    found = [replies.counts(keys, row) for row in table.data.select(keys).to_pylist()]
    data = table.data.append_column("n_replies", [[n for _, n in found]])
    table = replace(table, data=data.append_column("n_read", [[n_read for n_read, _ in found]]))
    if n_read == n:
        return table
    return _marked_table(table, lambda row: replies.counts(keys, row), replies.on_marks)


def _marked_table(table: ReportTable, counts: Counts, on_marks: str) -> ReportTable:
    first, *others = (_marked(column, counts) for column in table.columns)
    columns = (first, read_column(counts), *others)
    return replace(table, columns=columns, replies=f"{table.replies}{on_marks}")


def _marked(column: Column, counts: Counts) -> Column:
    def by(show: Callable[[Row], TableCell]) -> Callable[[Row], TableCell]:
        def cell(row: Row) -> TableCell:
            shown = show(row)
            n_read, n = counts(row)
            if 2 * n_read >= n or shown.text == NOT_HERE:
                return shown
            if not n_read:
                return TableCell(NONE_READ, n=shown.n)
            if shown.text == UNDEFINED_CELL:
                return shown
            return replace(shown, is_best=False, letters=MOSTLY_UNREAD)

        return cell

    over = column.over
    if not column.is_estimate:
        return column
    return replace(
        column, show=by(column.show), over=None if over is None else lambda rows: by(over(rows))
    )
