"""The raw shards of runs as relations, `shard.<family>_<kind>`, empty where a run has no file.

Also states where a run directory keeps its Parquet files, on disk or in an object store. A family's
steps and episodes have all columns of its contract; columns that a file lacks are NULL. `steps`,
`episodes` and `intervals` belong to a family; `shard.paired_differences` and
`shard.stopping_decisions` cover all families."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
from pyarrow import fs as pafs

from mirror_ray.analysis.footers import read_footers
from mirror_ray.analysis.quoting import literal
from mirror_ray.analysis.shards import ShardFile, Shards, unknown_shards
from mirror_ray.records.checked_parquet import checked_format, refuse_altered
from mirror_ray.records.sandboxed_duckdb import confine, pattern_of
from mirror_ray.records.shard_checks import check_schema, check_size, damaged, damaged_one
from mirror_ray.records.shard_files import EPISODES_FOLDER, REPLACED_KEY, STEPS_FOLDER, in_force
from mirror_ray.records.storage import files_below, is_address, storage_of

_SCHEMAS = """\
from (
    select file_name, list((name, type, converted_type)) as columns from parquet_schema({})
    group by file_name
) group by columns"""
# A killed merge leaves shards that another one replaces. Otherwise the pattern is kept, which finds
# later shards, too.
_WITHOUT_REPLACED = f"""\
set variable merged_$name = (
    select list(file) from (select unnest(getvariable('listed_$name')) as file)
    where file like '%-to-%'
);
set variable gone_$name = (from query(if(
    getvariable('merged_$name') is null, 'select null::varchar[]', '
    select list(regexp_replace(file_name, ''[^/]*$'', '''') || gone) from (
        select file_name, unnest(string_split(decode(value), chr(10))) as gone
        from parquet_kv_metadata(getvariable(''merged_$name''))
        where decode(key) = ''{REPLACED_KEY}''
    )')));
set variable files_$name = (
    select list(file) from (select unnest(getvariable('listed_$name')) as file)
    where not list_contains(coalesce(getvariable('gone_$name'), []), file)
);
set variable source_$name = if(
    len(getvariable('files_$name')) < len(getvariable('listed_$name')),
    'getvariable(''files_$name'')',
    getvariable('source_$name')
);"""  # noqa: S608 - ours
MOST_KEPT_FOOTERS = 5_000
"""A footer takes about 100 KB. Under memory pressure DuckDB drops footers, but also moves tables to
disk. With more files, keeping the footers costs more than reading them again.
"""


def add_shard_views(
    connection: duckdb.DuckDBPyConnection, directories: Sequence[str], shards: Iterable[Shards]
) -> tuple[tuple[ShardFile, ...], tuple[Shards, ...]]:
    """Create the schema `shard` and a view over each kind of file. Only footers are read; from then
    on the connection reads these files alone, and its settings cannot change.

    Args:
        directories: each once. If there are several, a column ``run_dir`` names the directory of
            each row.

    Returns:
        All files, or none if any is in an object store. Of those on disk, a view reads the files
            that the variable `Shards.files` lists, at first all. Then the shards that have views:
            the given ones, and those of families that are not installed here.

    Raises:
        RunDirError: a file is not a shard, or has other columns.
    """
    places = [_Place.of(directory) for directory in directories]
    shards = tuple(shards)
    shards += unknown_shards((path for place in places for path in place.found), shards)
    on_disk = [place for place in places if not is_address(place.directory)]
    stored = [place for place in places if is_address(place.directory)]
    several = len(places) > 1
    paths = {each: [path for place in on_disk for path in place.files(each)] for each in shards}
    local_paths = [path for some in paths.values() for path in some]
    # Every query reads the same small shards, which never change once they have their names.
    kept = str(len(local_paths) <= MOST_KEPT_FOOTERS).lower()
    connection.execute(f"set parquet_metadata_cache = {kept}")
    confine(connection, local_paths)
    connection.execute("create schema shard")
    files: list[ShardFile] = []
    for each, local in paths.items():
        sources = []
        if local:
            origin = f"select *, {_run_dir(on_disk)} as run_dir " if several else ""
            n_rows, read = _on_disk(connection, local, each)
            sources.append(origin + read)
            files += (ShardFile(each, path, n_rows[path]) for path in local)
        for number, place in enumerate(stored):
            if some := place.files(each):
                origin = f"select *, {literal(place.directory)} as run_dir " if several else ""
                name = f"stored_{number}_{each.name}"
                sources.append(origin + _in_store(connection, place.fs, some, each, name))
        query = " union all by name ".join(sources) + each.completed if sources else each.nothing
        if several and not sources:
            query = f"select *, null::varchar as run_dir from ({query})"  # noqa: S608 - our own names
        connection.execute(f"create view shard.{each.name} with (defer_binding) as {query}")
    return () if stored else tuple(files), shards


@dataclass(frozen=True, slots=True)
class _Place:
    directory: str
    fs: pafs.FileSystem
    root: str
    found: tuple[str, ...]

    @classmethod
    def of(cls, directory: str) -> "_Place":
        fs, root = storage_of(directory)
        if not is_address(directory):
            root = str(Path(root).resolve())
        shards = in_force(fs, files_below(fs, root, ".parquet"))
        found = (path.removeprefix(f"{root}/") for path in shards)
        return cls(directory, fs, root, tuple(found))

    def files(self, each: Shards) -> list[str]:
        return [f"{self.root}/{path}" for path in each.among(self.found)]


def _run_dir(places: Iterable[_Place]) -> str:
    # A directory within another is matched first.
    inner = sorted(places, key=lambda place: -len(place.root))
    whens = " ".join(
        f"when starts_with(filename, {literal(place.root + '/')}) then {literal(place.directory)}"
        for place in inner
    )
    return f"case {whens} end"


def shard_tables(shards: Iterable[Shards], root: str | None, views_file: str) -> Iterator[str]:
    """Return statements that create empty tables of shards, for `shard_views` to replace.

    A family without files has the common columns. These statements are for DuckDB's own command
    line, which lists the files again each time.

    Args:
        root: the run directory. None: the working directory, which must contain `views_file`.
    """
    # From another directory, relative patterns would match nothing and all tables would look empty.
    astray = (
        f"when not exists (from glob('{views_file}')) "
        f"then error('{views_file} must be read from its own directory') "
        if root is None
        else ""
    )
    for each in shards:
        below = each.pattern if root is None else f"{pattern_of(root)}/{each.pattern}"
        name, pattern = each.name, literal(below)
        yield f"set variable source_{name} = {literal(pattern)};"
        yield f"set variable listed_{name} = (select list(file) from glob({pattern}));"  # noqa: S608 - quoted
        if each.kind in (STEPS_FOLDER, EPISODES_FOLDER):
            yield _WITHOUT_REPLACED.replace("$name", name)
        yield (
            f"set variable columns_{name} = case {astray}when getvariable('listed_{name}') is null "
            f"then 'select null' else {_around(name, _differ)} end;"
        )
        yield f"set variable differ_{name} = (from query(getvariable('columns_{name}')));"
        end = literal(f"){each.completed}")
        read = f"{_around(name, _read_if)} || getvariable('differ_{name}') || {end}"
        yield f"set variable shard_{name} = coalesce({read}, {literal(each.nothing)});"
        yield f"drop view if exists shard.{name};"
        yield f"create or replace table shard.{name} as from query({_source(each)}) limit 0;"


def shard_views(shards: Iterable[Shards]) -> Iterator[str]:
    """Return statements that replace the tables of `shard_tables` by views over the files."""
    for each in shards:
        yield f"drop table shard.{each.name};"
        yield f"create view shard.{each.name} as from query({_source(each)});"


def _on_disk(
    connection: duckdb.DuckDBPyConnection, paths: Sequence[str], shards: Shards
) -> tuple[Mapping[str, int], str]:
    """Return how many rows each file has, and the query over the files that the variable lists."""
    try:
        refuse_altered(pafs.LocalFileSystem(), paths)
        footers = read_footers(paths)
        for path in footers.samples:
            check_schema(path, pq.read_schema(path), shards.columns)
        for path, n_rows in footers.n_rows.items():
            check_size(path, n_rows, footers.n_bytes[path])
        files = f"[{', '.join(literal(pattern_of(path)) for path in footers.samples)}]"
        # One file of each schema.
        different = f"select any_value(file_name) {_SCHEMAS.format(files)}"
        is_mixed = len(footers.samples) > 1 and len(connection.execute(different).fetchall()) > 1
    except (duckdb.Error, pa.ArrowException, OSError) as error:
        raise damaged_one(paths, pq.read_schema, error) from error
    read_files(connection, shards, paths)
    listed = f"getvariable('{shards.files}')"
    return footers.n_rows, f"{_read_if(listed)}{is_mixed})"


def read_files(connection: duckdb.DuckDBPyConnection, shards: Shards, paths: Iterable[str]) -> None:
    """From now on, let the view over these shards read only these files."""
    connection.execute(f"set variable {shards.files} = $1", [[pattern_of(path) for path in paths]])


def _in_store(
    connection: duckdb.DuckDBPyConnection,
    fs: pafs.FileSystem,
    paths: Sequence[str],
    shards: Shards,
    name: str,
) -> str:
    # Imported late: it takes as long as all other imports of a query on disk.
    import pyarrow.dataset as pads  # noqa: PLC0415

    factory = pads.FileSystemDatasetFactory(fs, paths, checked_format())
    try:
        columns = factory.inspect(promote_options="permissive", fragments=None)
    except pa.ArrowException as error:
        raise damaged(paths[0], str(error)) from error
    check_schema(paths[0], columns, shards.columns)
    connection.register(name, factory.finish(columns))
    return f"from {name}"


def _differ(pattern: str) -> str:
    """Return SQL for whether the files have several schemas. To unite several, each query opens all
    files first; files of one schema are read directly."""
    return f"select count(*) > 1 from (select any_value(file_name) {_SCHEMAS.format(pattern)})"  # noqa: S608 - quoted


def _around(name: str, query: Callable[[str], str]) -> str:
    before, after = query("\0").split("\0")
    return f"{literal(before)} || getvariable('source_{name}') || {literal(after)}"


def _read_if(pattern: str) -> str:
    """Return the call that reads the files, open for the `union_by_name` argument and a bracket."""
    return f"from read_parquet({pattern}, hive_partitioning = false, union_by_name = "


def _source(shards: Shards) -> str:
    return f"getvariable('shard_{shards.name}')"
