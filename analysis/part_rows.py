"""Passes the rows of a part from view to view as Arrow tables.

DuckDB takes as long to insert rows into a table as to compute them, because it counts the distinct
values of every column. An Arrow table takes a fraction of that and is read as fast. A part's
episodes are read once, with the columns that the family's views name."""

import re
from collections.abc import Mapping, Sequence

import duckdb
import pyarrow as pa

from mirror_ray.analysis.quoting import identifier
from mirror_ray.analysis.shard_parts import ShardPart
from mirror_ray.analysis.sql_file import SqlFile
from mirror_ray.analysis.sql_files import read_with

_COLUMN = re.compile(r"\w+")


class PartRows:
    """The Arrow tables of the current part, and the views over them.

    Args:
        connection: has the views that are computed by parts and those below, over some part.
        family: has its episodes in ``shard.<family>_episodes``.
        columns: of the episodes, as `chosen_columns` returns them.
    """

    def __init__(self, connection: duckdb.DuckDBPyConnection, family: str, columns: str) -> None:
        self._connection = connection
        self._columns = columns
        self._names: set[str] = set()
        self._episodes = f"{family}_episodes"
        self._of_files = f"{self._episodes}_of_files"
        connection.execute(f"alter view shard.{self._episodes} rename to {self._of_files}")

    def take(self, part: ShardPart) -> None:
        """Let the views read this part alone, whose episodes are read once, for all views."""
        part.read(self._connection)
        query = f"select {self._columns} from shard.{self._of_files}"  # noqa: S608 - ours
        self._hold(self._episodes, f"shard.{self._episodes}", query)

    def query(self, query: str) -> pa.Table:
        """Return the rows of a query of the part."""
        return self._connection.sql(query).to_arrow_table()

    def of(self, source: SqlFile) -> pa.Table:
        """Return a view's rows of the part, which the views above it then read."""
        return self._hold(f"part_{source.layer}_{source.name}", source.view, source.text)

    def close(self) -> None:
        """Drop all rows; episodes are read from their files again."""
        for name in self._names:
            self._connection.unregister(name)
        self._connection.execute(f"drop view if exists shard.{self._episodes}")
        self._connection.execute(f"alter view shard.{self._of_files} rename to {self._episodes}")

    def _hold(self, name: str, view: str, query: str) -> pa.Table:
        # DuckDB reads each batch with one thread.
        rows: pa.Table = self._connection.sql(query).to_arrow_table(30_000)
        self._connection.register(name, rows)
        self._names.add(name)
        shown = f"create or replace view {view} with (defer_binding) as from {name}"
        self._connection.execute(shown)
        return rows


def chosen_columns(
    connection: duckdb.DuckDBPyConnection,
    family: str,
    sources: Sequence[SqlFile],
    expected: Mapping[str, Sequence[str]],
) -> str:
    """Return the columns of episodes that views name, as SQL, or ``*`` if one would change with
    fewer.

    Args:
        sources: the views that are computed by parts.
        expected: view → its columns, for those whose rows are kept.
    """
    episodes = f"shard.{family}_episodes"
    words = {
        word
        for text in read_with(source.view for source in sources).values()
        for word in _COLUMN.findall(text)
    }
    every = connection.sql(f"from {episodes} limit 0").columns
    chosen = ", ".join(identifier(name) for name in every if name in words) or "*"
    connection.execute(f"alter view {episodes} rename to {family}_episodes_of_files")
    connection.execute(
        f"create view {episodes} with (defer_binding) as "  # noqa: S608 - ours
        f"select {chosen} from {episodes}_of_files"
    )
    kept = [source for source in sources if source.view in expected]
    try:
        is_same = all(connection.sql(one.text).columns == list(expected[one.view]) for one in kept)
    except duckdb.BinderException:
        is_same = False
    finally:
        connection.execute(f"drop view {episodes}")
        connection.execute(f"alter view {episodes}_of_files rename to {family}_episodes")
    return chosen if is_same else "*"
