"""How reports and exports read a run: SQL in, rows or a typed table out.

Knows the open run; does not know what is asked of it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import duckdb
import pyarrow as pa

Row: TypeAlias = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Reading:
    """A run that is open for queries.

    Args:
        connection: from `analysis.warehouse.open_run`.
        pages: episode id → the address of its page, relative to the report's.
    """

    connection: duckdb.DuckDBPyConnection
    pages: Mapping[str, str] = field(default_factory=dict)

    def page_of(self, episode_id: str) -> str | None:
        """Where an episode can be watched; None where no page of it was written."""
        return self.pages.get(episode_id)

    def table(self, sql: str) -> pa.Table:
        """The query's result with its types."""
        return self.connection.sql(sql).to_arrow_table()

    def rows(self, sql: str) -> list[Row]:
        """The query's result as dictionaries; undefined is None."""
        rows: list[Row] = self.table(sql).to_pylist()
        return rows

    def has(self, view: str, column: str) -> bool:
        """Is there such a view, ``layer.name``, with such a column?"""
        # Asked of duckdb_columns(), every view of the run would be bound.
        found = self.rows(
            f"select 1 from duckdb_views() where schema_name || '.' || view_name = '{view}'"  # noqa: S608 - our own names
        )
        return bool(found) and column in self.connection.sql(f"from {view}").columns

    def families(self) -> tuple[str, ...]:
        """The families that have sealed episodes, sorted."""
        names = self.rows(
            "select replace(view_name, '_episodes', '') as family from duckdb_views() "
            "where schema_name = 'stage' and ends_with(view_name, '_episodes') order by family"
        )
        return tuple(
            row["family"]
            for row in names
            if self.rows(f"select 1 from stage.{row['family']}_episodes limit 1")  # noqa: S608 - a view's name
        )

    def every(self, layer: str, kind: str, columns: str) -> str:
        """SQL for what all families' rows have in common.

        Args:
            layer: ``shard`` for all takes, ``stage`` for the latest ones, re-asks left out.
            kind: ``episodes`` or ``steps``.
            columns: of the common ones, as a select has them.
        """
        return "\n    union all\n".join(
            f"    select {columns} from {layer}.{family}_{kind}"  # noqa: S608 - our own names
            for family in self.families()
        )
