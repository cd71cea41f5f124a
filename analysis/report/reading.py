"""How a section reads the run: SQL in, rows or a typed table out.

Knows the open run; does not know what is asked of it.
"""

from dataclasses import dataclass

import duckdb
import pyarrow as pa

from analysis.report.section import Row


@dataclass(frozen=True, slots=True)
class Reading:
    """A run that is open for queries.

    Args:
        connection: from `analysis.warehouse.open_run`.
    """

    connection: duckdb.DuckDBPyConnection

    def table(self, sql: str) -> pa.Table:
        """The query's result with its types."""
        return self.connection.sql(sql).to_arrow_table()

    def rows(self, sql: str) -> list[Row]:
        """The query's result as dictionaries; undefined is None."""
        rows: list[Row] = self.table(sql).to_pylist()
        return rows
