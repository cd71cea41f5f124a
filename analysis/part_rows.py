"""Passes the rows of a part from view to view as Arrow tables.

DuckDB takes as long to insert rows into a table as to compute them, because it counts the distinct
values of every column. An Arrow table takes a fraction of that and is read as fast. A part's
episodes are read once, with the columns that the family's views name."""

import re
from collections.abc import Sequence

import duckdb
import pyarrow as pa

from mirror_ray.analysis.quoting import identifier
from mirror_ray.analysis.sql_file import SqlFile
from mirror_ray.analysis.sql_files import read_with

_COLUMN = re.compile(r"\w+")


class PartRows:
    """The Arrow tables of the current part, and the views over them.

    Args:
        connection: has the views of `sources` and those below, over some part.
        family: has its episodes in ``shard.<family>_episodes``.
        sources: what is computed by parts.
    """

    def __init__(
        self, connection: duckdb.DuckDBPyConnection, family: str, sources: Sequence[SqlFile]
    ) -> None:
        self._connection = connection
        self._sources = sources
        self._names: set[str] = set()
        self._episodes = f"{family}_episodes"
        self._of_files = f"{self._episodes}_of_files"
        connection.execute(f"alter view shard.{self._episodes} rename to {self._of_files}")
        self._columns = self._chosen_columns()

    def take_episodes(self) -> None:
        """Read the part's episodes once, for all views."""
        query = f"select {self._columns} from shard.{self._of_files}"  # noqa: S608 - ours
        self._hold(self._episodes, f"shard.{self._episodes}", query)

    def of(self, source: SqlFile) -> pa.Table:
        """Return a view's rows of the part, which the views above it then read."""
        return self._hold(f"part_{source.layer}_{source.name}", source.view, source.text)

    def close(self) -> None:
        """Drop all rows; episodes are read from their files again."""
        for name in self._names:
            self._connection.unregister(name)
        self._connection.execute(f"drop view shard.{self._episodes}")
        self._connection.execute(f"alter view shard.{self._of_files} rename to {self._episodes}")

    def _hold(self, name: str, view: str, query: str) -> pa.Table:
        # DuckDB reads each batch with one thread.
        rows: pa.Table = self._connection.sql(query).to_arrow_table(30_000)
        self._connection.register(name, rows)
        self._names.add(name)
        shown = f"create or replace view {view} with (defer_binding) as from {name}"
        self._connection.execute(shown)
        return rows

    def _chosen_columns(self) -> str:
        """Return the columns that the views name, or all if views would change with fewer."""
        all_columns = self._connection.sql(f"from shard.{self._of_files} limit 0").columns
        words = {
            word
            for text in read_with(source.view for source in self._sources).values()
            for word in _COLUMN.findall(text)
        }
        chosen = ", ".join(identifier(name) for name in all_columns if name in words)
        expected = self._columns_of_sources("*")
        return chosen if self._columns_of_sources(chosen) == expected else "*"

    def _columns_of_sources(self, columns: str) -> list[list[str]] | None:
        """Return the columns of each source, or None if a view names other columns."""
        self._connection.execute(
            f"create or replace view shard.{self._episodes} with (defer_binding) as "  # noqa: S608 - ours
            f"select {columns} from shard.{self._of_files}"
        )
        try:
            return [self._connection.sql(source.text).columns for source in self._sources]
        except duckdb.BinderException:
            return None
