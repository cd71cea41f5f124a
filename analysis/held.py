"""Scores of episodes as tables, worked out once, for those who ask many views above them.

A family's shards are taken by parts that fit into memory. Nearly every episode lies in one part
whole: views whose files say ``-- held: by parts`` make each row of the rows of one episode, and are
worked out part by part; of ``-- held: within a part`` a table is there for those alone, as of all
episodes it would be large. Episodes of which several parts have something are worked out at the
end. A family of one part, and every other view, is worked out at once; so is what reads episodes
whole but has few rows, and says ``-- held: whole``. What has no row unless another view has some
says ``-- empty without: VIEW where …``, once for each such view, and is not worked out where none
has any.

Tables lie in the database `held`, in memory, where a checkpoint compresses them.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass, field

import duckdb

from mirror_ray.analysis.shard_views import read_files
from mirror_ray.analysis.shards import ShardFile
from mirror_ray.analysis.sql_files import SqlFile
from mirror_ray.metrics import METRICS

STEPS_PER_PART = 2_000_000
"""About: with what is worked out of them they take a gibibyte."""

_OF_EPISODES = ("_again", "_episodes", "_trajectories")
"""Endings of views of lower layers that have at most one row per episode, and none of its texts."""

_HELD = re.compile(r"^-- held: (by parts|within a part|whole)$", re.MULTILINE)
_WITHOUT = re.compile(r"^-- empty without: (.+)$", re.MULTILINE)
_KINDS = ("steps", "episodes")


@dataclass(slots=True)
class _Part:
    """Files of a family that were sealed together.

    Args:
        files: by kind.
    """

    files: dict[str, list[ShardFile]] = field(default_factory=lambda: {kind: [] for kind in _KINDS})

    @property
    def n_steps(self) -> int:
        return sum(file.n_rows for file in self.files["steps"])

    @property
    def has_both(self) -> bool:
        return all(self.files.values())

    def add(self, files: Iterable[ShardFile]) -> None:
        for file in files:
            self.files[file.shards.kind].append(file)

    def read(self, connection: duckdb.DuckDBPyConnection) -> None:
        """Have the family's views read this part alone."""
        for files in self.files.values():
            read_files(connection, files[0].shards, [file.path for file in files])


def hold_episodes(
    connection: duckdb.DuckDBPyConnection,
    sources: Sequence[SqlFile],
    files: Iterable[ShardFile],
    single: Set[str] = frozenset(),
) -> None:
    """Put tables in place of the views that have one row per episode.

    Of a family of several parts its episodes stay a view, as they are too many to be copied whole;
    of one without rows all do.

    Args:
        connection: has all views of `sources`, over these files.
        single: families that are known to have one row of each episode.
    """
    connection.execute("attach ':memory:' as held (compress)")
    files = tuple(files)
    # Of runs in an object store no file is listed.
    absent = {*METRICS} - {file.shards.family for file in files if file.n_rows} if files else set()
    found: dict[str, list[ShardFile]] = defaultdict(list)
    for file in files:
        if file.shards.kind in _KINDS:
            found[file.shards.family].append(file)
    for source in sources:
        if source.view in {_again(family) for family in single}:
            nothing = "select null::varchar as episode_id where false"
            connection.execute(f"create or replace view {source.view} as {nothing}")
    divided: set[str] = set()
    for family, each in found.items():
        parts = _parts(each)
        by_parts = [one for one in sources if one.family == family and _is_by_parts(one)]
        if by_parts and len(parts) > 1:
            divided.add(family)
            _hold(connection, *(one for one in sources if one.view == _again(family)))
            _hold_by_parts(connection, family, by_parts, parts)
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
    """Of a divided family: what has been worked out by parts, or is too large to be a table."""
    return _is_by_parts(source) or (source.layer == "stage" and _held(source) is None)


def _held(source: SqlFile) -> str | None:
    """What its file says of that."""
    return None if (found := _HELD.search(source.text)) is None else found[1]


def _is_by_parts(source: SqlFile) -> bool:
    """Whether it is worked out part by part, even if only for those that read it there."""
    return _held(source) in ("by parts", "within a part")


def _stays_in_part(source: SqlFile) -> bool:
    return _held(source) == "within a part"


def _again(family: str) -> str:
    return f"stage.{family}_again"


def _table(source: SqlFile, database: str = "held") -> str:
    return f"{database}.{source.layer}_{source.name}"


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


def _parts(files: Iterable[ShardFile]) -> list[_Part]:
    """In the order of their names; each has files of both kinds if there are any."""
    sealed: dict[tuple[str, str], list[ShardFile]] = defaultdict(list)
    for file in files:
        root, _, name = file.path.rpartition(f"/{file.shards.kind}/family=")
        sealed[root, name].append(file)
    parts = [_Part()]
    for _, together in sorted(sealed.items(), key=lambda item: item[0]):
        if parts[-1].n_steps >= STEPS_PER_PART and parts[-1].has_both:
            parts.append(_Part())
        parts[-1].add(together)
    if len(parts) > 1 and not parts[-1].has_both:
        rest = parts.pop()
        parts[-1].add(file for some in rest.files.values() for file in some)
    return parts


def _hold_by_parts(
    connection: duckdb.DuckDBPyConnection,
    family: str,
    sources: Sequence[SqlFile],
    parts: Sequence[_Part],
) -> None:
    steps, episodes = (f"shard.{family}_{kind}" for kind in _KINDS)
    connection.execute("create schema part")
    connection.execute(f"create table part.astray as from {_again(family)}")
    for source in sources:
        if _is_read(source, sources):
            _show(connection, source, _table(source, "part"))
    for part in parts:
        part.read(connection)
        connection.execute(
            f"insert into part.astray select distinct episode_id from {steps} "  # noqa: S608 - ours
            f"anti join {episodes} using (episode_id)"
        )
        _add(connection, sources)
    whole = _Part()
    whole.add(file for part in parts for some in part.files.values() for file in some)
    whole.read(connection)
    ((n_astray,),) = connection.execute("select count(*) from part.astray").fetchall()
    if n_astray:
        _work_out_again(connection, family, sources)
    for source in sources:
        if _stays_in_part(source):
            connection.execute(source.definition(deferred=True))
        else:
            _show(connection, source, _table(source))
    connection.execute("drop schema part cascade")


def _kept(sources: Iterable[SqlFile]) -> tuple[SqlFile, ...]:
    return tuple(source for source in sources if not _stays_in_part(source))


def _show(connection: duckdb.DuckDBPyConnection, source: SqlFile, table: str) -> None:
    connection.execute(f"create or replace view {source.view} with (defer_binding) as from {table}")


def _is_read(source: SqlFile, sources: Iterable[SqlFile]) -> bool:
    """Whether another of them reads it."""
    view = re.compile(rf"\b{re.escape(source.view)}\b")
    return any(view.search(other.text) for other in sources if other is not source)


def _add(connection: duckdb.DuckDBPyConnection, sources: Sequence[SqlFile]) -> None:
    """Work out what the shards' views have now; views above read those of the part."""
    for source in sources:
        query = source.text
        if _is_read(source, sources):
            part = _table(source, "part")
            connection.execute(f"create or replace table {part} as\n{query}")
            query = f"from {part}"
        if _stays_in_part(source):
            continue
        table = _table(source)
        connection.execute(f"create table if not exists {table} as from (\n{query}\n) limit 0")
        connection.execute(f"insert into {table}\n{query}")
    connection.execute("checkpoint held")


def _work_out_again(
    connection: duckdb.DuckDBPyConnection, family: str, sources: Sequence[SqlFile]
) -> None:
    """The episodes of which several parts have something, from all their rows."""
    for source in _kept(sources):
        connection.execute(
            f"delete from {_table(source)} where episode_id in (from part.astray)"  # noqa: S608 - ours
        )
    for kind in _KINDS:
        name = f"{family}_{kind}"
        connection.execute(f"alter view shard.{name} rename to {name}_of_all")
        connection.execute(
            f"create view shard.{name} with (defer_binding) as from shard.{name}_of_all "
            "semi join part.astray using (episode_id)"
        )
    _add(connection, sources)
    for kind in _KINDS:
        name = f"{family}_{kind}"
        connection.execute(f"drop view shard.{name}")
        connection.execute(f"alter view shard.{name}_of_all rename to {name}")
