"""Copies what a connection needs in order to compute parts of a family to further connections."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import duckdb
import pyarrow as pa

from mirror_ray.analysis.quoting import identifier, literal
from mirror_ray.analysis.sql_file import SqlFile
from mirror_ray.analysis.sql_files import read_with
from mirror_ray.records.sandboxed_duckdb import confine

_CHOSEN = ("joined", "kept")
"""Schemas whose tables list the episodes that count, or those that do not. The views of shards read
them."""
_MOST_COPIED_ROWS = 100_000
"""Each connection has a copy of every table; a larger one would take too much memory."""


@dataclass(frozen=True, slots=True)
class PartCatalog:
    """The definitions, variables and small tables that such a connection needs.

    Args:
        paths: of the shards, the only files that it may read.
        definitions: statements that create schemas, views and macros.
        variables: by name.
        tables: name, with its schema → rows.
    """

    paths: tuple[str, ...]
    definitions: tuple[str, ...]
    variables: dict[str, Any]
    tables: dict[str, pa.Table]

    @classmethod
    def of(
        cls,
        connection: duckdb.DuckDBPyConnection,
        family: str,
        sources: Sequence[SqlFile],
        every: Sequence[SqlFile],
        paths: Iterable[str],
    ) -> "PartCatalog | None":
        """Return the catalog of `connection`, or None if its tables are too large to be copied.

        Args:
            sources: the files of what is computed by parts; `every`: all files.
            paths: of the shards of all parts, absolute.
        """
        again = f"stage.{family}_again"
        chosen = connection.execute(
            "select schema_name, table_name, estimated_size from duckdb_tables() "
            "where list_contains($1, schema_name)",
            [list(_CHOSEN)],
        ).fetchall()
        n_again = connection.execute(f"select count(*) from {again}").fetchall()[0][0]  # noqa: S608 - ours
        if max([n_again, *(n_rows for _, _, n_rows in chosen)]) > _MOST_COPIED_ROWS:
            return None
        names = [*(f"{schema}.{identifier(table)}" for schema, table, _ in chosen), again]
        needed = read_with(source.view for source in sources)
        files = [one for one in every if one.view in needed and one.view != again]
        schemas = dict.fromkeys(("shard", "stage", *_CHOSEN, *(one.layer for one in files)))
        shards = connection.execute(
            "select view_name, sql from duckdb_views() "
            "where schema_name = 'shard' and starts_with(view_name, $1)",
            [f"{family}_"],
        ).fetchall()
        of_shards = (
            f"create view shard.{identifier(name)} with (defer_binding) as "
            f"{sql.partition(' AS ')[2]}"
            for name, sql in shards
        )
        listed = connection.execute("select name from duckdb_variables()").fetchall()
        return cls(
            tuple(paths),
            (
                *(f"create schema {name}" for name in schemas),
                *of_shards,
                *(one.definition(deferred=True) for one in files),
            ),
            {name: _variable(connection, name) for (name,) in listed},
            {name: connection.sql(f"from {name}").to_arrow_table() for name in names},
        )

    def connection(self, *, threads: int, memory_bytes: int) -> duckdb.DuckDBPyConnection:
        """Return a new database in memory, confined to the shards."""
        opened = duckdb.connect(config={"threads": threads, "memory_limit": f"{memory_bytes}B"})
        confine(opened, self.paths)
        for name, value in self.variables.items():
            opened.execute(f"set variable {name} = $1", [value])
        for definition in self.definitions:
            opened.execute(definition)
        for number, (name, rows) in enumerate(self.tables.items()):
            opened.register(f"copied_{number}", rows)
            opened.execute(f"create table {name} as from copied_{number}")
            opened.unregister(f"copied_{number}")
        return opened


def _variable(connection: duckdb.DuckDBPyConnection, name: str) -> Any:
    return connection.execute(f"select getvariable({literal(name)})").fetchall()[0][0]
