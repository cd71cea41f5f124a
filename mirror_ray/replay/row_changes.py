"""Compares two tables of the same rows: counts of changed values, with readable examples."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import pyarrow as pa

MAX_EXAMPLES = 3

_Kind = Literal["steps", "episodes"]
STATUS_COLUMN: Mapping[_Kind, str] = {"steps": "parse_status", "episodes": "error_kind"}
"""For each kind of rows, the column by whose values its changes are counted."""


@dataclass(frozen=True, slots=True)
class Example:
    """One value that changed; `ask` is None in an episode's own row."""

    episode_id: str
    ask: int | None
    before: Any
    after: Any


@dataclass(frozen=True, slots=True)
class ColumnChange:
    """A column with changed values: the number of rows by status (or ``before → after``), and the
    first few examples."""

    kind: _Kind
    column: str
    rows: int
    by_status: Mapping[str, int]
    examples: tuple[Example, ...]


@dataclass(slots=True)
class ChangeTally:
    """Accumulates changes, table by table."""

    _by_status: dict[tuple[_Kind, str], Counter[str]] = field(default_factory=dict)
    _examples: dict[tuple[_Kind, str], list[Example]] = field(default_factory=dict)

    def add(
        self, kind: _Kind, before: pa.Table, after: pa.Table, columns: Sequence[str]
    ) -> set[str]:
        """Count differences in `columns`; return the ids of the episodes that have any. `before`
        and `after` have the same rows in the same order, with the same columns."""
        ids = before["episode_id"].to_pylist()
        asks = before["ask"].to_pylist() if kind == "steps" else [None] * len(ids)
        statuses = _in_words(before[STATUS_COLUMN[kind]], after[STATUS_COLUMN[kind]])
        changed = set()
        for column in columns:
            if before[column].equals(after[column]):
                continue
            values = zip(before[column].to_pylist(), after[column].to_pylist(), strict=True)
            for row, (old, new) in enumerate(values):
                if old != new:
                    changed.add(ids[row])
                    self._note(kind, column, statuses[row], Example(ids[row], asks[row], old, new))
        return changed

    def changes(self) -> tuple[ColumnChange, ...]:
        """Return all changes: steps before episodes, columns with more changed rows first."""
        every = (
            ColumnChange(
                kind, column, by_status.total(), by_status, tuple(self._examples[kind, column])
            )
            for (kind, column), by_status in self._by_status.items()
        )
        return tuple(sorted(every, key=lambda change: (change.kind != "steps", -change.rows)))

    def _note(self, kind: _Kind, column: str, status: str, example: Example) -> None:
        self._by_status.setdefault((kind, column), Counter())[status] += 1
        examples = self._examples.setdefault((kind, column), [])
        if len(examples) < MAX_EXAMPLES:
            examples.append(example)


def _in_words(before: pa.ChunkedArray, after: pa.ChunkedArray) -> list[str]:
    return [
        str(new) if old == new else f"{old} → {new}"
        for old, new in zip(before.to_pylist(), after.to_pylist(), strict=True)
    ]
