"""All views, over rows in memory that are replaced again and again. They give the scores of an
episode that has just ended, which depend on nothing else in the run."""

import duckdb
import pyarrow as pa

from mirror_ray.analysis.quoting import identifier
from mirror_ray.analysis.shards import Shards, mentioned_shards
from mirror_ray.analysis.sql_files import sql_files
from mirror_ray.analysis.warehouse import definitions
from mirror_ray.contract.metrics import METRICS
from mirror_ray.records.sandboxed_duckdb import confine
from mirror_ray.records.shard_checks import sound


class RowViews:
    """A database with every view of a run, over the rows that it was last given.

    Views of the layer `episode` give the same rows as over the whole run, except for setting names
    that depend on what else was played."""

    def __init__(self) -> None:
        # A few rows do not keep more than one thread busy.
        self.connection = duckdb.connect(config={"threads": 1})
        confine(self.connection)
        self.connection.execute("create schema shard")
        self._shards = mentioned_shards(file.text for file in sql_files())
        for each in self._shards:
            table = f"shard.{identifier(each.name)}"
            self.connection.execute(f"create table {table} as {each.nothing}")
        for statement in definitions(frozenset(METRICS)):
            self.connection.execute(statement)

    def put(self, family: str, steps: pa.Table, episodes: pa.Table) -> bool:
        """Make a family's views read only these rows; return False if the family has no view. Raise
        RunDirError if a column has the wrong type, or a value names nothing."""
        found = False
        for kind, rows in (("steps", steps), ("episodes", episodes)):
            shards = Shards(family, kind)
            if shards in self._shards:
                found = True
                self._fill(shards, rows)
        return found

    def _fill(self, shards: Shards, rows: pa.Table) -> None:
        columns = shards.columns
        known = sound(shards.name, rows, columns).select(columns.names)
        table = f"shard.{identifier(shards.name)}"
        self.connection.register("given", known)
        try:
            self.connection.execute(f"delete from {table}")  # noqa: S608 - our own names
            self.connection.execute(f"insert into {table} by name from given")
        finally:
            self.connection.unregister("given")
