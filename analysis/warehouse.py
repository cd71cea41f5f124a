"""A run directory as a DuckDB database: raw shards first, then the views of `sql`, layer by layer.

Knows where a run keeps its Parquet files and how a .sql file becomes a view or a macro; does not
know what any family measures. A file of `sql/<number>_<layer>/` is one bare select and becomes
`<layer>.<file name>`; in `0_macro` its second line names the macro and its parameters. The raw
shards are `shard.<family>_steps`, `shard.<family>_episodes` and `shard.<family>_intervals`, and
`shard.paired_differences` over all families.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from importlib.resources import files
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.dataset as pads
from pyarrow import fs as pafs

from analysis.intervals import DIFFERENCES, INTERVALS
from mirror_ray.records.schemas import EPISODES, STEPS
from mirror_ray.records.storage import files_below, is_address, join, storage_of, write_text

VIEWS_FILE = "views.sql"

_SHARDS: Mapping[str, tuple[str, pa.Schema]] = {
    "steps": ("steps/family={family}/**/*.parquet", STEPS),
    "episodes": ("episodes/family={family}/**/*.parquet", EPISODES),
    "intervals": ("intervals/{family}.parquet", INTERVALS),
    "differences": ("intervals/{family}_differences.parquet", DIFFERENCES),
}
_TYPES = {
    pa.string(): "varchar",
    pa.int32(): "integer",
    pa.int64(): "bigint",
    pa.float64(): "double",
    pa.bool_(): "boolean",
}
_HEAD = "-- All views of this run. From this directory: duckdb -init views.sql\n"
_HEAD_OF_STORED = """\
-- All views of this run, from anywhere: duckdb -init views.sql
-- DuckDB reads the store through its extension httpfs; who may read it is told once, beforehand:
--   create persistent secret (type s3, provider credential_chain);
"""
_SHARD_NAME = re.compile(r"\bshard\.(\w+)_(steps|episodes|intervals|differences)\b")
_MACRO_LINE = re.compile(r"^-- macro: (\w+)(\(.*\))$", re.MULTILINE)
_VARIABLE = re.compile(r"\bgetvariable\('(\w+)'\)")


@dataclass(frozen=True, slots=True)
class SqlFile:
    """One file of a layer: `text` is a bare select under its comments."""

    layer: str
    name: str
    text: str

    @property
    def definition(self) -> str:
        """The statement that puts it into the database."""
        body = self.text.strip()
        if self.layer != "macro":
            return f"create or replace view {self.layer}.{self.name} as\n{body};"
        declared = _MACRO_LINE.search(body)
        if declared is None or declared[1] != self.name:
            raise ValueError(f"{self.name}.sql: no line `-- macro: {self.name}(…)`")
        # As a bare expression the macro may also stand around aggregates: as a subquery it would
        # silently aggregate over its own single row.
        comments, expression = re.split(r"^select\b", body, maxsplit=1, flags=re.MULTILINE)
        return f"{comments}create or replace macro macro.{self.name}{declared[2]} as{expression};"


def sql_files() -> tuple[SqlFile, ...]:
    """Every file of every layer, lower layers first."""
    root = files("analysis") / "sql"
    folders = sorted((entry for entry in root.iterdir() if entry.is_dir()), key=lambda f: f.name)
    return tuple(
        SqlFile(
            layer=folder.name.split("_", 1)[1],
            name=entry.name.removesuffix(".sql"),
            text=entry.read_text(encoding="utf-8"),
        )
        for folder in folders
        for entry in sorted(folder.iterdir(), key=lambda file: file.name)
        if entry.name.endswith(".sql")
    )


def variable_names() -> tuple[str, ...]:
    """The parameters that the views read, sorted."""
    return tuple(sorted({name for file in sql_files() for name in _VARIABLE.findall(file.text)}))


def open_run(
    directory: str,
    *,
    variables: Mapping[str, Any] | None = None,
    hold: bool = False,
    config: Mapping[str, Any] | None = None,
) -> duckdb.DuckDBPyConnection:
    """An in-memory database with all views over a run; nothing is written.

    Shards in an object store are those there now; of each, only what a query needs is read.

    Args:
        directory: the run directory's path or address.
        variables: what the views read with `getvariable`, e.g. ``{"mirror_px_threshold": 100}``.
        config: DuckDB's own settings, e.g. ``{"threads": 2}``.
        hold: work out the layer `episode` once, now: for those who ask many views above it.

    Raises:
        NotADirectoryError: there is no such directory.
        ValueError: a variable that no view reads.
    """
    fs, root = storage_of(directory)
    if fs.get_file_info(root).type != pafs.FileType.Directory:
        raise NotADirectoryError(f"no run directory at {directory}")
    connection = duckdb.connect(config=dict(config or {}))
    # It would stand in the middle of what is printed for scripts.
    connection.execute("set enable_progress_bar = false")
    for name, value in (variables or {}).items():
        if name not in variable_names():
            raise ValueError(f"no view reads a variable {name!r}; {variable_names()} are read")
        connection.execute(f"set variable {name} = $1", [value])
    connection.execute("create schema shard;")
    if is_address(directory):
        _add_stored_shards(connection, fs, root)
        for statement in _layer_statements():
            connection.execute(statement)
    else:
        for statement in _statements(str(Path(root).resolve())):
            connection.execute(statement)
    if hold:
        _hold_episodes(connection)
    return connection


def write_views(directory: str) -> str:
    """Write `views.sql`, which gives the plain DuckDB command line every view; returns where.

    Use: ``cd DIRECTORY && duckdb -init views.sql``; of a run in an object store the file may lie
    anywhere. It finds the shards anew each time it is read.
    """
    fs, root = storage_of(directory)
    stored = is_address(directory)
    head = _HEAD_OF_STORED if stored else _HEAD
    statements = _statements(directory.rstrip("/") if stored else None)
    text = "\n".join([head, "create schema if not exists shard;", *statements])
    write_text(fs, f"{root}/{VIEWS_FILE}", f"{text}\n")
    return join(directory, VIEWS_FILE)


def _add_stored_shards(
    connection: duckdb.DuckDBPyConnection, fs: pafs.FileSystem, root: str
) -> None:
    """Views over the shards in an object store, read by Arrow: DuckDB alone cannot."""
    found = list(files_below(fs, root, ".parquet"))
    for family, kind in _mentioned_shards():
        pattern, schema = _SHARDS[kind]
        below = f"{_without_wildcards(root)}/{pattern.format(family=family)}"
        # fnmatch's * takes folders in.
        paths = [path for path in found if fnmatchcase(path, below.replace("**/", ""))]
        source = f"select {_typed_nulls(schema)} where false"
        if paths:
            source = f"from stored_{family}_{kind}"
            factory = pads.FileSystemDatasetFactory(fs, paths, pads.ParquetFileFormat())
            columns = factory.inspect(promote_options="permissive", fragments=None)
            connection.register(f"stored_{family}_{kind}", factory.finish(columns))
        connection.execute(f"create view shard.{family}_{kind} as {source};")


def _statements(root: str | None) -> Iterator[str]:
    """The views over all shards, by DuckDB's own means, and all views over those.

    A view that is made binds all below it, and binding reads the head of every shard: the layers
    are made over empty tables with the shards' columns, which the shards then replace.

    Args:
        root: the run directory; None: the working directory.
    """
    shards = _mentioned_shards()
    for family, kind in shards:
        yield from _shard_source(root, family, kind)
        name = f"{family}_{kind}"
        yield f"drop view if exists shard.{name};"
        yield f"create or replace table shard.{name} as from query({_source_of(name)}) limit 0;"
    yield from _layer_statements()
    for family, kind in shards:
        name = f"{family}_{kind}"
        yield f"drop table shard.{name};"
        yield f"create view shard.{name} as from query({_source_of(name)});"


def _hold_episodes(connection: duckdb.DuckDBPyConnection) -> None:
    connection.execute("create schema held")
    for source in sql_files():
        if source.layer == "episode":
            name = source.name
            connection.execute(f"create table held.{name} as from episode.{name}")
            connection.execute(f"create or replace view episode.{name} as from held.{name}")


def _layer_statements() -> Iterator[str]:
    """What makes the views and macros over the shards, lower layers first."""
    sources = sql_files()
    for layer in dict.fromkeys(source.layer for source in sources):
        yield f"create schema if not exists {layer};"
    for source in sources:
        yield source.definition


def _mentioned_shards() -> list[tuple[str, str]]:
    """Every (family, kind) that a view reads, sorted."""
    return sorted(
        {
            (match[1], match[2])
            for source in sql_files()
            for match in _SHARD_NAME.finditer(source.text)
        }
    )


def _shard_source(root: str | None, family: str, kind: str) -> Iterator[str]:
    """Sets a variable to the query over all shards of one kind.

    Without any it has their common columns and no row. Shards of one schema are read as such:
    to unite those of several, each query opens them all before it begins.
    """
    pattern, schema = _SHARDS[kind]
    pattern = pattern.format(family=family)
    if root is not None:
        pattern = f"{_without_wildcards(root)}/{pattern}"
    name = f"{family}_{kind}"
    columns = _quoted(
        "select count(distinct columns) > 1 from (select list((name, type, converted_type)) "  # noqa: S608 - quoted
        f"as columns from parquet_schema({_quoted(pattern)}) group by file_name)"
    )
    # Read from elsewhere, relative patterns would match nothing and all tables would look empty.
    astray = (
        f"when not exists (from glob('{VIEWS_FILE}')) "
        f"then error('{VIEWS_FILE} must be read from its own directory') "
        if root is None
        else ""
    )
    yield (
        f"set variable columns_{name} = (select case {astray}when count(*) > 0 then {columns} "  # noqa: S608 - quoted
        f"else 'select null' end from glob({_quoted(pattern)}));"
    )
    yield f"set variable differ_{name} = (from query(getvariable('columns_{name}')));"
    read = _quoted(f"from read_parquet({_quoted(pattern)}, union_by_name = ")
    none = _quoted(f"select {_typed_nulls(schema)} where false")
    yield (
        f"set variable shard_{name} = coalesce({read} || getvariable('differ_{name}') "
        f"|| ', hive_partitioning = false)', {none});"
    )


def _source_of(name: str) -> str:
    return f"getvariable('shard_{name}')"


def _sql_type(kind: pa.DataType) -> str:
    if pa.types.is_list(kind):
        return f"{_sql_type(kind.value_type)}[]"
    if pa.types.is_struct(kind):
        parts = ", ".join(f"{part.name} {_sql_type(part.type)}" for part in kind)
        return f"struct({parts})"
    return _TYPES[kind]


def _typed_nulls(schema: pa.Schema) -> str:
    return ", ".join(f"null::{_sql_type(field.type)} as {field.name}" for field in schema)


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _without_wildcards(path: str) -> str:
    """The path as a glob pattern that matches itself alone."""
    return re.sub(r"([*?\[])", r"[\1]", path)
