"""A run directory as a DuckDB database: raw shards first, then the views of `sql`, layer by layer.

Knows where a run keeps its Parquet files and how a .sql file becomes a view or a macro; does not
know what any family measures. A file of `sql/<number>_<layer>/` is one bare select and becomes
`<layer>.<file name>`; in `0_macro` its second line names the macro and its parameters. The raw
shards are `shard.<family>_steps`, `shard.<family>_episodes` and `shard.<family>_intervals`.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa

from analysis.intervals import INTERVALS
from mirror_ray.records.schemas import EPISODES, STEPS

VIEWS_FILE = "views.sql"

_SHARDS: Mapping[str, tuple[str, pa.Schema]] = {
    "steps": ("steps/family={family}/**/*.parquet", STEPS),
    "episodes": ("episodes/family={family}/**/*.parquet", EPISODES),
    "intervals": ("intervals/{family}.parquet", INTERVALS),
}
_TYPES = {
    pa.string(): "varchar",
    pa.int32(): "integer",
    pa.int64(): "bigint",
    pa.float64(): "double",
    pa.bool_(): "boolean",
    pa.list_(pa.string()): "varchar[]",
}
_SHARD_NAME = re.compile(r"\bshard\.(\w+)_(steps|episodes|intervals)\b")
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
    directory: str, *, variables: Mapping[str, Any] | None = None
) -> duckdb.DuckDBPyConnection:
    """An in-memory database with all views over a run; nothing is written.

    Args:
        variables: what the views read with `getvariable`, e.g. ``{"mirror_px_threshold": 100}``.

    Raises:
        NotADirectoryError: there is no such directory.
        ValueError: a variable that no view reads.
    """
    root = Path(directory)
    if not root.is_dir():
        raise NotADirectoryError(f"no run directory at {directory}")
    connection = duckdb.connect()
    for name, value in (variables or {}).items():
        if name not in variable_names():
            raise ValueError(f"no view reads a variable {name!r}; {variable_names()} are read")
        connection.execute(f"set variable {name} = $1", [value])
    for statement in _statements(root.resolve()):
        connection.execute(statement)
    return connection


def write_views(directory: str) -> Path:
    """Write `views.sql`, which gives the plain DuckDB command line every view.

    Use: ``cd DIRECTORY && duckdb -init views.sql``. It finds the shards anew each time it is read.
    """
    path = Path(directory) / VIEWS_FILE
    unfinished = path.with_suffix(".sql.tmp")
    head = "-- All views of this run. From this directory: duckdb -init views.sql\n"
    unfinished.write_text("\n".join([head, *_statements(None)]) + "\n", encoding="utf-8")
    unfinished.replace(path)
    return path


def _statements(root: Path | None) -> Iterator[str]:
    """What makes the database; paths are under `root`, or relative to the working directory."""
    sources = sql_files()
    yield "create schema if not exists shard;"
    mentioned = {
        match.groups() for source in sources for match in _SHARD_NAME.finditer(source.text)
    }
    for family, kind in sorted(mentioned):
        yield from _shard_statements(root, family, kind)
    for layer in dict.fromkeys(source.layer for source in sources):
        yield f"create schema if not exists {layer};"
    for source in sources:
        yield source.definition


def _shard_statements(root: Path | None, family: str, kind: str) -> Iterator[str]:
    """A view over all shards of one kind; without any it has their common columns and no row."""
    pattern, schema = _SHARDS[kind]
    pattern = pattern.format(family=family)
    if root is not None:
        pattern = f"{_without_wildcards(str(root))}/{pattern}"
    found = _quoted(
        f"from read_parquet({_quoted(pattern)}, union_by_name = true, hive_partitioning = false)"
    )
    none = _quoted(f"select {_typed_nulls(schema)} where false")
    # Read from elsewhere, relative patterns would match nothing and all tables would look empty.
    astray = (
        f"when not exists (from glob('{VIEWS_FILE}')) "
        f"then error('{VIEWS_FILE} must be read from its own directory') "
        if root is None
        else ""
    )
    name = f"{family}_{kind}"
    yield (
        f"set variable shard_{name} = (select case {astray}when count(*) > 0 then {found} "  # noqa: S608 - quoted
        f"else {none} end from glob({_quoted(pattern)}));"
    )
    yield f"create or replace view shard.{name} as from query(getvariable('shard_{name}'));"


def _typed_nulls(schema: pa.Schema) -> str:
    return ", ".join(f"null::{_TYPES[field.type]} as {field.name}" for field in schema)


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _without_wildcards(path: str) -> str:
    """The path as a glob pattern that matches itself alone."""
    return re.sub(r"([*?\[])", r"[\1]", path)
