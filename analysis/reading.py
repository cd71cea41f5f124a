"""The interface by which reports and exports read a run: SQL in, rows or a typed table out."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias
from warnings import catch_warnings

import duckdb
import pyarrow as pa

Row: TypeAlias = dict[str, Any]
_RELATION = re.compile(r"\b\w+\.\w+\b")


@dataclass(frozen=True, slots=True)
class Reading:
    """A run that is open for queries.

    Args:
        connection: from `mirror_ray.analysis.warehouse.open_run`.
        pages: episode id → the address of its page, relative to the report.
        manifest: what the run directory states about how it was made; None if unknown.
        settings: the views' parameters that the reader set.
        pairs: (a cell's id, another's) → the address of the list of episodes in scenes where they
            differ, if any.
        held: view → a table of the view's rows of the families' leading metrics.
    """

    connection: duckdb.DuckDBPyConnection
    pages: Mapping[str, str] = field(default_factory=dict)
    manifest: Mapping[str, Any] | None = None
    settings: Mapping[str, object] = field(default_factory=dict)
    pairs: Callable[[str, str], str | None] | None = None
    held: Mapping[str, str] = field(default_factory=dict)
    _families: dict[str, tuple[str, ...]] = field(default_factory=dict, init=False, repr=False)
    """By layer, filled on first use, because all sections need it."""

    def page_of(self, episode_id: str) -> str | None:
        """Return the address of an episode's page; None if no page of it was written."""
        return self.pages.get(episode_id)

    def page_of_pairs(self, cell: str, other: str) -> str | None:
        """Return the address of two cells' episodes in scenes where they differ, or None."""
        return None if self.pairs is None else self.pairs(cell, other)

    def table(self, sql: str) -> pa.Table:
        """Return the query's result with its types."""
        # As in `rows`. DuckDB warns of a copy, which takes less time than binding.
        with catch_warnings(action="ignore", category=UserWarning):
            return self.connection.execute(sql).to_arrow_table()

    def rows(self, sql: str, **values: object) -> list[Row]:
        """Return the query's result as dictionaries, with None for undefined values. The query
        names its parameters with ``$name``."""
        # DuckDB would bind a relation's query twice: to describe it, and to execute it.
        cursor = self.connection.execute(sql, values or None)
        names = [name for name, *_ in cursor.description or ()]
        return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]

    def leading(self, sql: str) -> str:
        """Return the same query over stored rows, if there are any. The query must read only rows
        of a family's leading metric."""
        return _RELATION.sub(lambda found: self.held.get(found[0], found[0]), sql)

    def has(self, view: str, column: str) -> bool:
        """Return whether the view ``layer.name`` exists and has the column."""
        # A query of duckdb_columns() would bind every view of the run.
        found = self.rows(
            "select 1 from duckdb_views() where schema_name || '.' || view_name = $view", view=view
        )
        return bool(found) and column in self.connection.sql(f"from {view}").columns

    def families(self) -> tuple[str, ...]:
        """Return the families with sealed, paid episodes, sorted."""
        return self._families_in("stage")

    def recorded_families(self) -> tuple[str, ...]:
        """Return the families with sealed episodes of any kind, sorted."""
        return self._families_in("shard")

    def _families_in(self, layer: str) -> tuple[str, ...]:
        if layer not in self._families:
            self._families[layer] = self._read_families(layer)
        return self._families[layer]

    def families_with_views(self) -> tuple[str, ...]:
        """Return the families that have views, with or without episodes, sorted."""
        names = self.rows(
            "select replace(view_name, '_episodes', '') as family from duckdb_views() "
            "where schema_name = 'stage' and ends_with(view_name, '_episodes') order by family"
        )
        return tuple(row["family"] for row in names)

    def _read_families(self, layer: str) -> tuple[str, ...]:
        return tuple(
            family
            for family in self.families_with_views()
            if self.rows(f"select 1 from {layer}.{family}_episodes limit 1")  # noqa: S608 - a view's name
        )

    def every(self, layer: str, kind: str, columns: str) -> str:
        """Return SQL for the columns that all families' rows have in common.

        Args:
            layer: ``shard`` for all takes; ``stage`` for the latest takes of paid episodes, without
                replies that were asked for again.
            kind: ``episodes``, ``steps`` or, of ``stage``, ``asked``: every request once.
            columns: some of the common ones, as a select lists them.
        """
        is_recorded = layer == "shard" or kind == "asked"
        families = self.recorded_families() if is_recorded else self.families()
        return "\n    union all\n".join(
            f"    select {columns} from {layer}.{family}_{kind}"  # noqa: S608 - our own names
            for family in families
        )
