"""Computes the parts of a family, several at once, each on its own connection.

Parts do not depend on each other. DuckDB takes less processor time for a query on one thread than
on several, which then have to combine what they found."""

from collections import deque
from collections.abc import Generator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from queue import SimpleQueue
from typing import TypeAlias

import duckdb
import pyarrow as pa

from mirror_ray.analysis.part_catalog import PartCatalog
from mirror_ray.analysis.part_rows import PartRows
from mirror_ray.analysis.shard_parts import PART_KINDS, ShardPart
from mirror_ray.analysis.sql_file import SqlFile

PartTables: TypeAlias = dict[str, pa.Table]
"""Table → the rows that a part adds to it."""

MOST_AT_ONCE = 8
_PART_BYTES = 2**30
"""A part takes about as much memory while it is computed."""


@dataclass(frozen=True, slots=True)
class PartQueries:
    """What is computed of each part.

    Args:
        columns: of the episodes, as `part_rows.chosen_columns` returns them.
        sources: in their order, each after those that it reads.
        tables: view → the table for its rows; the rows of other views exist only within a part.
        astray: the table for the ids of steps whose episode is not in the part.
    """

    family: str
    columns: str
    sources: Sequence[SqlFile]
    tables: Mapping[str, str]
    astray: str

    def computed(self, rows: PartRows, part: ShardPart) -> PartTables:
        """Return the rows that the part adds to each table."""
        rows.take(part)
        steps, episodes = (f"shard.{self.family}_{kind}" for kind in PART_KINDS)
        found = {
            self.astray: rows.query(
                f"select distinct episode_id from {steps} "  # noqa: S608 - ours
                f"anti join {episodes} using (episode_id)"
            )
        }
        for source in self.sources:
            some = rows.of(source)
            if source.view in self.tables:
                found[self.tables[source.view]] = some
        return found


def computed_parts(
    connection: duckdb.DuckDBPyConnection,
    catalog: PartCatalog | None,
    queries: PartQueries,
    parts: Sequence[ShardPart],
) -> Generator[tuple[ShardPart, PartTables]]:
    """Yield each part in turn with its rows, while the next ones are computed.

    As many parts are computed at once as there are cores and memory for. If the generator is closed
    early, the queries end.

    Args:
        connection: computes them one by one, if it has only one thread or `catalog` is None.
        catalog: of `connection`.
    """
    with ExitStack() as used:
        connections = _connections(connection, catalog, len(parts), used)
        idle: SimpleQueue[PartRows] = SimpleQueue()
        for one in connections:
            rows = PartRows(one, queries.family, queries.columns)
            used.callback(rows.close)
            idle.put(rows)

        def compute(part: ShardPart) -> PartTables:
            rows = idle.get()
            try:
                return queries.computed(rows, part)
            finally:
                idle.put(rows)

        threads = used.enter_context(ThreadPoolExecutor(len(connections)))
        begun: deque[tuple[ShardPart, Future[PartTables]]] = deque()
        try:
            for part in parts:
                if len(begun) == len(connections):
                    yield _first(begun)
                begun.append((part, threads.submit(compute, part)))
            while begun:
                yield _first(begun)
        finally:
            # Parts remain only after an error, or if the generator is closed early.
            for _, waiting in begun:
                waiting.cancel()
            for one in connections if begun else ():
                one.interrupt()


def _first(begun: deque[tuple[ShardPart, Future[PartTables]]]) -> tuple[ShardPart, PartTables]:
    part, rows = begun[0]
    found = rows.result()
    begun.popleft()
    return part, found


def _connections(
    connection: duckdb.DuckDBPyConnection,
    catalog: PartCatalog | None,
    n_parts: int,
    used: ExitStack,
) -> list[duckdb.DuckDBPyConnection]:
    n_threads, memory_bytes = connection.execute(
        "select current_setting('threads'), parse_formatted_bytes(current_setting('memory_limit'))"
    ).fetchall()[0]
    n = min(n_parts, n_threads, memory_bytes // _PART_BYTES, MOST_AT_ONCE)
    if catalog is None or n < 2:
        return [connection]
    each = {"threads": n_threads // n, "memory_bytes": memory_bytes // n}
    return [used.enter_context(catalog.connection(**each)) for _ in range(n)]
