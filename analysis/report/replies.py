"""How many of the replies behind a table were read: a sentence, a column, and marks."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from mirror_ray.analysis.reading import Reading, Row
from mirror_ray.analysis.report.section import (
    NONE_READ,
    UNDEFINED_CELL,
    Column,
    Figure,
    Part,
    ReportTable,
    Section,
    TableCell,
)
from mirror_ray.analysis.summary_cells import MOSTLY_UNREAD

_KEYS = ("condition", "temperature", "variant", "model")
_ON_MARKS = f" {MOSTLY_UNREAD} marks estimates for which fewer than half of the replies were read."


class Replies:
    """The replies of a family's latest episodes, counted cell by cell.

    Args:
        rows: of ``metric.<family>_read``.
    """

    def __init__(self, rows: Sequence[Row]) -> None:
        self._rows = rows
        self._counts: dict[tuple[str, ...], dict[tuple[object, ...], tuple[int, int]]] = {}

    def counts(self, keys: Sequence[str], row: Row) -> tuple[int, int]:
        """Return how many replies were read and how many there are, where the row agrees.

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
        """``84 of 90 replies were read.``; "" without replies."""
        n_read, n = self.counts((), {})
        if not n:
            return ""
        return f"{'All' if n_read == n else f'{n_read:,} of'} {n:,} replies were read."

    @property
    def on_marks(self) -> str:
        """Explain a mark; "" if in every cell at least half of the replies were read."""
        return _ON_MARKS if any(2 * row["n_read"] < row["n_replies"] for row in self._rows) else ""


def replies_of(run: Reading, family: str) -> Replies:
    """Count the replies of a family."""
    return Replies(run.rows(f"from metric.{family}_read"))


def read_column(replies: Replies, keys: Sequence[str]) -> Column:
    """Show how many replies each row rests on.

    Args:
        keys: as of `Replies.counts`.
    """

    def show(row: Row) -> TableCell:
        n_read, n = replies.counts(keys, row)
        return TableCell(f"{n_read:,} of {n:,}" if n else UNDEFINED_CELL)

    return Column("read", show, meaning="How many of the row's replies could be read.")


def with_replies(section: Section, replies: Replies) -> Section:
    """Say in every part of a family's section how many replies were read.

    Where some are unread, tables by model have a column of the counts, and estimates that rest on
    fewer than half of their replies are marked, never bold and without letters.
    """
    if not (said := replies.sentence):
        return section
    parts: list[Part] = []
    for part in section.parts:
        if isinstance(part, ReportTable):
            parts.append(_counted(replace(part, replies=said), replies))
        else:
            parts.append(replace(part, replies=said) if isinstance(part, Figure) else part)
    return replace(section, parts=tuple(parts))


def _counted(table: ReportTable, replies: Replies) -> ReportTable:
    keys = [key for key in _KEYS if key in table.data.column_names]
    n_read, n = replies.counts((), {})
    if n_read == n or "model" not in keys:
        return table
    first, *others = (_marked(column, replies, keys) for column in table.columns)
    return replace(
        table,
        columns=(first, read_column(replies, keys), *others),
        replies=f"{table.replies}{replies.on_marks}",
    )


def _marked(column: Column, replies: Replies, keys: Sequence[str]) -> Column:
    def by(show: Callable[[Row], TableCell]) -> Callable[[Row], TableCell]:
        def cell(row: Row) -> TableCell:
            shown = show(row)
            n_read, n = replies.counts(keys, row)
            if shown.n is None or 2 * n_read >= n:
                return shown
            if not n_read:
                return TableCell(NONE_READ, n=shown.n)
            return replace(shown, is_best=False, letters=MOSTLY_UNREAD)

        return cell

    over = column.over
    return replace(
        column,
        show=by(column.show),
        over=None if over is None else lambda rows: by(over(rows)),
    )
