"""Scores of episodes as tables, worked out once, for those who ask many views above them.

A family's shards are taken by parts that fit into memory. Nearly every episode lies in one part
whole: views whose files say ``-- held: by parts`` make each row of the rows of one episode, and are
worked out part by part; of ``-- held: within a part`` a table is there for those alone, as of all
episodes it would be large. Episodes of which several parts have something are worked out at the
end. A family of one part, and every other view, is worked out at once; so is what reads episodes
whole but has few rows, and says ``-- held: whole``. What has no row unless another view has some
says ``-- empty without: VIEW where …``, once for each such view, and is not worked out where none
has any.

What parts came to is kept for the next opening, where `kept` says. Within a part, rows go on from
view to view as `part_rows` says, and into tables as `part_writer` does.

Tables lie in the database `held`, in memory, where a checkpoint compresses them.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence, Set

import duckdb
import pyarrow as pa

from mirror_ray.analysis.part_cache import KeptRows
from mirror_ray.analysis.part_rows import PartRows
from mirror_ray.analysis.part_writer import PartWriter
from mirror_ray.analysis.shard_parts import PART_KINDS, ShardPart, shard_parts
from mirror_ray.analysis.shards import ShardFile
from mirror_ray.analysis.sql_files import SqlFile
from mirror_ray.contract.metrics import METRICS

_ASTRAY = "part.astray"
"""Ids of the episodes that several parts may have something of."""
_OF_EPISODES = ("_again", "_episodes", "_trajectories")
"""Endings of views of lower layers that have at most one row per episode, and none of its texts."""

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
    """Put tables in place of the views that have one row per episode.

    Of a family of several parts its episodes stay a view, as they are too many to be copied whole;
    of one without rows all do.

    Args:
        connection: has all views of `sources`, over these files.
        single: families that are known to have one row of each episode.
        keep: take what earlier openings worked out of parts, and keep what this one does; only if
            the views are over all rows of the files.
    """
    connection.execute("attach ':memory:' as held (compress)")
    files = tuple(files)
    # Of runs in an object store no file is listed.
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
            _hold_by_parts(connection, family, by_parts, parts, keep)
    for source in sources:
        if source.family in absent:
            continue
        if _is_held(source) and not (source.family in divided and _is_left_out(source)):
            _hold(connection, source)


def _is_held(source: SqlFile) -> bool:
    return (
        source.layer == "episode"
        or _held(source) is not None
        or (source.layer != "macro" and source.name.endswith(_OF_EPISODES))
    )


def _is_left_out(source: SqlFile) -> bool:
    return _is_by_parts(source) or (source.layer == "stage" and _held(source) is None)


def _held(source: SqlFile) -> str | None:
    return None if (found := _HELD.search(source.text)) is None else found[1]


def _is_by_parts(source: SqlFile) -> bool:
    return _held(source) in ("by parts", "within a part")


def _stays_in_part(source: SqlFile) -> bool:
    return _held(source) == "within a part"


def _again(family: str) -> str:
    return f"stage.{family}_again"


def _table(source: SqlFile) -> str:
    return f"held.{source.layer}_{source.name}"


def _hold(connection: duckdb.DuckDBPyConnection, *sources: SqlFile) -> None:
    for source in sources:
        few = "" if _may_have_rows(connection, source) else " limit 0"
        connection.execute(f"create table {_table(source)} as from {source.view}{few}")
        connection.execute(f"create or replace view {source.view} as from {_table(source)}")


def _may_have_rows(connection: duckdb.DuckDBPyConnection, source: SqlFile) -> bool:
    needed = _WITHOUT.findall(source.text)
    return not needed or any(
        connection.execute(f"from {rows} limit 1").fetchall() for rows in needed
    )


def _hold_by_parts(
    connection: duckdb.DuckDBPyConnection,
    family: str,
    sources: Sequence[SqlFile],
    parts: Sequence[ShardPart],
    keep: bool,
) -> None:
    connection.execute("create schema part")
    connection.execute(f"create table {_ASTRAY} as from {_again(family)}")
    parts[0].read(connection)
    for source in _kept(sources):
        connection.execute(f"create table {_table(source)} as from (\n{source.text}\n) limit 0")
    kept = KeptRows.of(connection, family, sources) if keep else None
    tables = (_ASTRAY, *(_table(source) for source in _kept(sources)))
    rows = PartRows(connection, family, sources)
    with PartWriter(connection, kept) as writer:
        for part in parts:
            found = None if kept is None else kept.rows(connection, part, tables)
            is_new = found is None
            if found is None:
                part.read(connection)
                found = _worked_out(connection, family, sources, rows)
            writer.write(part, found, is_new=is_new)
    if kept is not None:
        kept.make_room()
    rows.close()
    whole = ShardPart()
    whole.add(file for part in parts for some in part.files.values() for file in some)
    whole.read(connection)
    if _count(connection, _ASTRAY):
        _work_out_again(connection, family, sources)
    for source in sources:
        if _stays_in_part(source):
            connection.execute(source.definition(deferred=True))
        else:
            _show(connection, source)
    connection.execute("drop schema part cascade")


def _worked_out(
    connection: duckdb.DuckDBPyConnection,
    family: str,
    sources: Sequence[SqlFile],
    rows: PartRows,
) -> dict[str, pa.Table]:
    """What the part that is read adds to each table."""
    rows.take_episodes()
    steps, episodes = (f"shard.{family}_{kind}" for kind in PART_KINDS)
    astray = connection.sql(
        f"select distinct episode_id from {steps} "  # noqa: S608 - ours
        f"anti join {episodes} using (episode_id)"
    )
    found = {_ASTRAY: astray.to_arrow_table()}
    for source in sources:
        some = rows.of(source)
        if not _stays_in_part(source):
            found[_table(source)] = some
    return found


def _count(connection: duckdb.DuckDBPyConnection, table: str) -> int:
    ((count,),) = connection.execute(f"select count(*) from {table}").fetchall()  # noqa: S608 - ours
    return int(count)


def _kept(sources: Iterable[SqlFile]) -> tuple[SqlFile, ...]:
    return tuple(source for source in sources if not _stays_in_part(source))


def _show(connection: duckdb.DuckDBPyConnection, source: SqlFile) -> None:
    connection.execute(
        f"create or replace view {source.view} with (defer_binding) as from {_table(source)}"
    )


def _work_out_again(
    connection: duckdb.DuckDBPyConnection, family: str, sources: Sequence[SqlFile]
) -> None:
    """The episodes of which several parts have something, from all their rows."""
    for source in _kept(sources):
        connection.execute(
            f"delete from {_table(source)} where episode_id in (from {_ASTRAY})"  # noqa: S608 - ours
        )
    for kind in PART_KINDS:
        name = f"{family}_{kind}"
        connection.execute(f"alter view shard.{name} rename to {name}_of_all")
        connection.execute(
            f"create view shard.{name} with (defer_binding) as from shard.{name}_of_all "
            f"semi join {_ASTRAY} using (episode_id)"
        )
    for source in sources:
        # They may be many: what does not fit into memory goes to disk.
        table = f"part.{source.layer}_{source.name}"
        connection.execute(f"create table {table} as\n{source.text}")
        connection.execute(f"create or replace view {source.view} as from {table}")
        if not _stays_in_part(source):
            connection.execute(f"insert into {_table(source)} from {table}")
    connection.execute("checkpoint held")
    for kind in PART_KINDS:
        name = f"{family}_{kind}"
        connection.execute(f"drop view shard.{name}")
        connection.execute(f"alter view shard.{name}_of_all rename to {name}")
