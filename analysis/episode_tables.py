"""Scores of episodes as tables, computed once, for readers who query many views above them.

The shards of a family are read in parts that fit into memory. Nearly every episode is entirely in
one part. A view's file states how it is computed:

- ``-- held: by parts``: each row comes from one episode's rows, so it is computed part by part.
- ``-- held: within a part``: the rows, which would be large, exist only while a part is read.
- ``-- held: whole``: the view reads whole episodes but has few rows, so it is computed at once.
- ``-- empty without: VIEW where …``: the view has no row unless VIEW has one, so without one it is
  not computed. There may be several such lines.

Episodes that are spread over several parts are computed at the end. A family with one part, and
every other view, is computed at once.

`part_workers` computes several parts at once. Within a part, `part_rows` passes rows from view to
view; `part_writer` writes them into files that the views then read, and `part_cache` keeps these.
Tables are in the in-memory database `held`."""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence, Set
from contextlib import closing

import duckdb

from mirror_ray.analysis.part_cache import KeptRows
from mirror_ray.analysis.part_catalog import PartCatalog
from mirror_ray.analysis.part_rows import chosen_columns
from mirror_ray.analysis.part_workers import PartQueries, computed_parts
from mirror_ray.analysis.part_writer import PartWriter
from mirror_ray.analysis.quoting import identifier, literal
from mirror_ray.analysis.shard_parts import PART_KINDS, ShardPart, shard_parts
from mirror_ray.analysis.shards import ShardFile
from mirror_ray.analysis.sql_file import SqlFile
from mirror_ray.contract.metrics import METRICS
from mirror_ray.records.sandboxed_duckdb import pattern_of

_OF_EPISODES = ("_again", "_episodes", "_trajectories")
"""Suffixes of views of lower layers that have at most one row per episode and no texts."""

_HELD = re.compile(r"^-- held: (by parts|within a part|whole)$", re.MULTILINE)
_WITHOUT = re.compile(r"^-- empty without: (.+)$", re.MULTILINE)


def hold_episodes(
    connection: duckdb.DuckDBPyConnection,
    sources: Sequence[SqlFile],
    files: Iterable[ShardFile],
    single: Set[str] = frozenset(),
    *,
    keep: bool = False,
) -> None:
    """Replace the views that have one row per episode by tables.

    If a family has several parts, its episodes remain a view, because they are too many to copy. If
    it has no rows, all its views remain.

    Args:
        connection: has all views of `sources`, over these files.
        single: families that are known to have one row per episode.
        keep: read what earlier openings computed of parts, and store what this one computes; only
            if the views cover all rows of the files.
    """
    connection.execute("attach ':memory:' as held (compress)")
    files = tuple(files)
    # No files are listed for runs in an object store.
    absent = {*METRICS} - {file.shards.family for file in files if file.n_rows} if files else set()
    found: dict[str, list[ShardFile]] = defaultdict(list)
    for file in files:
        if file.shards.kind in PART_KINDS:
            found[file.shards.family].append(file)
    for source in sources:
        if source.view in {_again(family) for family in single}:
            nothing = "select null::varchar as episode_id where false"
            connection.execute(f"create or replace view {source.view} as {nothing}")
    divided: set[str] = set()
    for family, each in found.items():
        parts = shard_parts(each)
        by_parts = [one for one in sources if one.family == family and _is_by_parts(one)]
        if by_parts and len(parts) > 1:
            divided.add(family)
            _hold(connection, *(one for one in sources if one.view == _again(family)))
            _hold_by_parts(connection, family, by_parts, sources, parts, keep=keep)
    for source in sources:
        if source.family in absent:
            continue
        is_left_out = _is_by_parts(source) or (source.layer == "stage" and _held(source) is None)
        if _is_held(source) and not (source.family in divided and is_left_out):
            _hold(connection, source)


def _is_held(source: SqlFile) -> bool:
    return (
        source.layer == "episode"
        or _held(source) is not None
        or (source.layer == "metric" and source.name.endswith("_read"))
        or (source.layer != "macro" and source.name.endswith(_OF_EPISODES))
    )


def _held(source: SqlFile) -> str | None:
    return None if (found := _HELD.search(source.text)) is None else found[1]


def _is_by_parts(source: SqlFile) -> bool:
    return _held(source) in ("by parts", "within a part")


def _stays_in_part(source: SqlFile) -> bool:
    return _held(source) == "within a part"


def _again(family: str) -> str:
    return f"stage.{family}_again"


def _astray(family: str) -> str:
    """Return the table of ids of the episodes that may have rows in several parts."""
    return f"held.{family}_astray"


def _table(source: SqlFile) -> str:
    return f"held.{source.layer}_{source.name}"


def _hold(connection: duckdb.DuckDBPyConnection, *sources: SqlFile) -> None:
    for source in sources:
        needed = [f"from {rows} limit 1" for rows in _WITHOUT.findall(source.text)]
        may_have_rows = not needed or any(connection.execute(one).fetchall() for one in needed)
        few = "" if may_have_rows else " limit 0"
        connection.execute(f"create table {_table(source)} as from {source.view}{few}")
        connection.execute(f"create or replace view {source.view} as from {_table(source)}")


def _hold_by_parts(
    connection: duckdb.DuckDBPyConnection,
    family: str,
    sources: Sequence[SqlFile],
    every: Sequence[SqlFile],
    parts: Sequence[ShardPart],
    *,
    keep: bool,
) -> None:
    kept_sources = [source for source in sources if not _stays_in_part(source)]
    connection.execute("create schema part")
    parts[0].read(connection)
    queries = {_astray(family): f"from {_again(family)}"}
    queries |= {_table(source): source.text for source in kept_sources}
    nothing = {one: connection.sql(f"from (\n{text}\n) limit 0") for one, text in queries.items()}
    columns = {table: _columns(rows) for table, rows in nothing.items()}
    schemas = {table: rows.to_arrow_table().schema for table, rows in nothing.items()}
    writer = PartWriter(connection, KeptRows.of(connection, family, sources) if keep else None)
    new = [part for part in parts if not writer.take(part, schemas)]
    if new:
        expected = {one.view: nothing[_table(one)].columns for one in kept_sources}
        part_queries = PartQueries(
            family,
            chosen_columns(connection, family, sources, expected),
            sources,
            {one.view: _table(one) for one in kept_sources},
            _astray(family),
        )
        paths = [file.path for part in new for some in part.files.values() for file in some]
        catalog = PartCatalog.of(connection, family, sources, every, paths)
        with closing(computed_parts(connection, catalog, part_queries, new)) as computed:
            for part, rows in computed:
                writer.write(part, rows)
    read = {}
    for table, files in writer.finish().items():
        listed = ", ".join(literal(pattern_of(file)) for file in files)
        read[table] = f"select {columns[table]} from read_parquet([{listed}])"  # noqa: S608 - quoted
    astray = _astray(family)
    connection.execute(f"create table {astray} as {read[astray]} union from {_again(family)}")
    whole = ShardPart()
    whole.add(file for part in parts for some in part.files.values() for file in some)
    whole.read(connection)
    if connection.execute(f"from {astray} limit 1").fetchall():
        _work_out_again(connection, family, sources, astray)
        for source in kept_sources:
            read[_table(source)] += (
                f" anti join {astray} using (episode_id) union all from {_table(source)}"
            )
    for source in sources:
        if _stays_in_part(source):
            connection.execute(source.definition(deferred=True))
        else:
            create = f"create or replace view {source.view} with (defer_binding)"
            connection.execute(f"{create} as {read[_table(source)]}")
    connection.execute("drop schema part cascade")


def _columns(rows: duckdb.DuckDBPyRelation) -> str:
    """Return what selects these columns, in their types, from files of such rows."""
    typed = zip(rows.columns, rows.types, strict=True)
    return ", ".join(f"{identifier(name)}::{kind} as {identifier(name)}" for name, kind in typed)


def _work_out_again(
    connection: duckdb.DuckDBPyConnection, family: str, sources: Sequence[SqlFile], astray: str
) -> None:
    """Compute the episodes that are spread over several parts, from all their rows."""
    for kind in PART_KINDS:
        name = f"{family}_{kind}"
        connection.execute(f"alter view shard.{name} rename to {name}_of_all")
        connection.execute(
            f"create view shard.{name} with (defer_binding) as from shard.{name}_of_all "
            f"semi join {astray} using (episode_id)"
        )
    for source in sources:
        # There may be many of them: DuckDB writes what does not fit into memory to disk.
        schema = "part" if _stays_in_part(source) else "held"
        place = f"{schema}.{source.layer}_{source.name}"
        connection.execute(f"create table {place} as\n{source.text}")
        connection.execute(f"create or replace view {source.view} as from {place}")
    for kind in PART_KINDS:
        name = f"{family}_{kind}"
        connection.execute(f"drop view shard.{name}")
        connection.execute(f"alter view shard.{name}_of_all rename to {name}")
