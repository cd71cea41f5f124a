"""A run's raw shards as relations, `shard.<family>_<kind>`: without rows where it has no file.

Knows where a run directory keeps its Parquet files, on disk or in an object store, and the columns
that all families share; does not know the views above. `steps`, `episodes` and `intervals` are a
family's; `shard.paired_differences` is of all families.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.dataset as pads
from pyarrow import fs as pafs

from analysis.intervals import DIFFERENCES, INTERVALS
from mirror_ray.records.schemas import EPISODES, STEPS
from mirror_ray.records.storage import files_below, is_address, storage_of

_KINDS: Mapping[str, tuple[str, pa.Schema]] = {
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
_MENTION = re.compile(r"\bshard\.(\w+)_(steps|episodes|intervals|differences)\b")


@dataclass(frozen=True, slots=True, order=True)
class Shards:
    """All files of one kind of one family."""

    family: str
    kind: str

    @property
    def name(self) -> str:
        """The relation's, within the schema `shard`."""
        return f"{self.family}_{self.kind}"

    @property
    def pattern(self) -> str:
        """Where the files lie, from the run directory."""
        return _KINDS[self.kind][0].format(family=self.family)

    @property
    def nothing(self) -> str:
        """The query of a run without such a file: the common columns, no row."""
        columns = (f"null::{_sql_type(c.type)} as {c.name}" for c in _KINDS[self.kind][1])
        return f"select {', '.join(columns)} where false"


def mentioned_shards(texts: Iterable[str]) -> tuple[Shards, ...]:
    """Those that any of the queries reads, sorted."""
    found = {Shards(match[1], match[2]) for text in texts for match in _MENTION.finditer(text)}
    return tuple(sorted(found))


def add_shard_views(
    connection: duckdb.DuckDBPyConnection, directory: str, shards: Iterable[Shards]
) -> None:
    """Make the schema `shard` and a view over each; of files, only what says how to read them is
    read."""
    connection.execute("create schema shard")
    fs, root = storage_of(directory)
    stored = list(files_below(fs, root, ".parquet")) if is_address(directory) else None
    for each in shards:
        if stored is None:
            source = _on_disk(connection, str(Path(root).resolve()), each)
        else:
            source = _in_store(connection, fs, root, stored, each)
        connection.execute(
            f"create view shard.{each.name} with (defer_binding) as {source or each.nothing}"
        )


def shard_tables(shards: Iterable[Shards], root: str | None, views_file: str) -> Iterator[str]:
    """Statements that make an empty table with each one's columns, for `shard_views` to replace.

    Without files it has the common columns. For DuckDB alone, which finds the files anew each time.

    Args:
        root: the run directory; None: the working directory, in which `views_file` must lie.
    """
    # Read from elsewhere, relative patterns would match nothing and all tables would look empty.
    astray = (
        f"when not exists (from glob('{views_file}')) "
        f"then error('{views_file} must be read from its own directory') "
        if root is None
        else ""
    )
    for each in shards:
        name, pattern = each.name, _quoted(_below(root, each.pattern))
        yield (
            f"set variable columns_{name} = (select case {astray}when count(*) > 0 "  # noqa: S608 - quoted
            f"then {_quoted(_differ(pattern))} else 'select null' end from glob({pattern}));"
        )
        yield f"set variable differ_{name} = (from query(getvariable('columns_{name}')));"
        read = f"{_quoted(_read_if(pattern))} || getvariable('differ_{name}') || ')'"
        yield f"set variable shard_{name} = coalesce({read}, {_quoted(each.nothing)});"
        yield f"drop view if exists shard.{name};"
        yield f"create or replace table shard.{name} as from query({_source(each)}) limit 0;"


def shard_views(shards: Iterable[Shards]) -> Iterator[str]:
    """Statements that put views over the files in place of the tables of `shard_tables`."""
    for each in shards:
        yield f"drop table shard.{each.name};"
        yield f"create view shard.{each.name} as from query({_source(each)});"


def _on_disk(connection: duckdb.DuckDBPyConnection, root: str, shards: Shards) -> str | None:
    """The query over the files; None without any."""
    if next(Path(root).glob(shards.pattern), None) is None:
        return None
    pattern = _quoted(_below(root, shards.pattern))
    (differ,) = connection.execute(_differ(pattern)).fetchall()[0]
    return f"{_read_if(pattern)}{differ})"


def _in_store(
    connection: duckdb.DuckDBPyConnection,
    fs: pafs.FileSystem,
    root: str,
    found: Iterable[str],
    shards: Shards,
) -> str | None:
    """As `_on_disk`, read by Arrow: DuckDB alone cannot."""
    # fnmatch's * takes folders in.
    below = _below(root, shards.pattern).replace("**/", "")
    paths = [path for path in found if fnmatchcase(path, below)]
    if not paths:
        return None
    factory = pads.FileSystemDatasetFactory(fs, paths, pads.ParquetFileFormat())
    columns = factory.inspect(promote_options="permissive", fragments=None)
    connection.register(f"stored_{shards.name}", factory.finish(columns))
    return f"from stored_{shards.name}"


def _differ(pattern: str) -> str:
    """Have the files several schemas? To unite those, each query opens all files before it begins;
    files of one schema are read as such."""
    return (
        "select count(distinct columns) > 1 from (select list((name, type, converted_type)) "  # noqa: S608 - quoted
        f"as columns from parquet_schema({pattern}) group by file_name)"
    )


def _read_if(pattern: str) -> str:
    """What reads the files, but for whether they `_differ`, and a bracket."""
    return f"from read_parquet({pattern}, hive_partitioning = false, union_by_name = "


def _source(shards: Shards) -> str:
    return f"getvariable('shard_{shards.name}')"


def _below(root: str | None, pattern: str) -> str:
    """The pattern in a folder whose own name is no pattern."""
    return pattern if root is None else re.sub(r"([*?\[])", r"[\1]", root) + f"/{pattern}"


def _sql_type(kind: pa.DataType) -> str:
    if pa.types.is_list(kind):
        return f"{_sql_type(kind.value_type)}[]"
    if pa.types.is_struct(kind):
        parts = ", ".join(f"{part.name} {_sql_type(part.type)}" for part in kind)
        return f"struct({parts})"
    return _TYPES[kind]


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
