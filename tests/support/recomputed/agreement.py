"""Comparison of a view's rows with rows recomputed from a run's raw files."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import pyarrow.parquet as pq
import pytest

from mirror_ray.analysis.warehouse import open_run
from support.analysis.asked_rows import rows_of

LABELS = ("temperature", "n_replies", "n_read")
"""Numeric columns of every view that are no results, or repeat those of `metric.replies`."""
Expected = Mapping[tuple[Any, ...], Mapping[str, Any]]


@dataclass(frozen=True)
class RecordedRun:
    """A run directory: its raw rows, and a connection with the views."""

    directory: str
    connection: duckdb.DuckDBPyConnection

    @classmethod
    def opened(cls, directory: str) -> "RecordedRun":
        return cls(directory, open_run(directory, hold=True))

    def raw(self, kind: str) -> list[dict[str, Any]]:
        """The rows of `steps` or `episodes` as the Parquet files have them."""
        files = sorted(Path(self.directory, kind).rglob("*.parquet"))
        assert files
        return [row for path in files for row in pq.read_table(path, partitioning=None).to_pylist()]

    def agrees(
        self,
        view: str,
        keys: Sequence[str],
        expected: Expected,
        *,
        where: str = "true",
        given: Collection[str] = (),
        trivial: Collection[str] = (),
    ) -> None:
        """Every row and every numeric column of a view is as expected, to 1e-9.

        Args:
            given: numeric columns that are no result (printed values, names of levels).
            trivial: columns, or metrics of a column `estimate`, that may be 0 or 1 everywhere.
        """
        found = rows_of(self.connection, f"from {view} where {where}")
        rows = {tuple(row[key] for key in keys): row for row in found}
        assert len(rows) == len(found), f"{view}: {keys} are no key"
        assert rows.keys() == expected.keys(), view
        numeric = {
            name
            for row in found
            for name, value in row.items()
            if isinstance(value, int | float) and name not in {*keys, *given, *LABELS}
        }
        computed = {name for row in expected.values() for name in row}
        assert numeric <= computed, f"{view}: nobody recomputes {sorted(numeric - computed)}"
        for key, row in expected.items():
            for name, value in row.items():
                got, named = rows[key][name], f"{view} {key} {name}"
                if value is None or isinstance(value, str):
                    assert got == value, named
                else:
                    assert got is not None, named
                    assert float(got) == pytest.approx(float(value), rel=1e-9, abs=1e-9), named
        for name in computed - {*trivial}:
            values = {row.get(name) for row in expected.values()}
            assert values - {0, 1, None}, f"{view}: {name} is 0 or 1 everywhere"
        if "metric" in keys and "estimate" in computed:
            place = list(keys).index("metric")
            for metric in {key[place] for key in expected} - {*trivial}:
                told = {row["estimate"] for key, row in expected.items() if key[place] == metric}
                assert told - {0, 1, None}, f"{view}: {metric} is 0 or 1 everywhere"
