"""Several run directories as one: of what they share, each episode counts once.

Only where directories have cells in common are episodes compared at all.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import duckdb

from mirror_ray.analysis.quoting import identifier, literal
from mirror_ray.analysis.shards import Shards

RUN_DIR = "run_dir"

# An episode that ended well counts before one that did not; of such the one that ended last.
_SEVERAL = "select episode_id from {episodes} group by episode_id having count(*) > 1"
_SURPLUS = """
with several as ({several}),

ends as (
    select
        episode_id,
        run_dir,
        bool_or(error_kind = 'none') as ended_well,
        max(finished_at) as finished_at,
        max(take) as take
    from {episodes}
    semi join several using (episode_id)
    group by episode_id, run_dir
)

select episode_id, run_dir
from ends
qualify row_number() over (
    partition by episode_id
    order by
        ended_well desc, finished_at desc nulls last, take desc, list_position({order}, run_dir)
) > 1
"""


def surplus_sql(episodes: str, directories: Sequence[str], several: str | None = None) -> str:
    """Which episodes of which run directories do not count, as another one's counts: columns
    `episode_id` and `run_dir`.

    Args:
        episodes: a relation of all takes, with a column `run_dir`.
        directories: of episodes that ended alike, the first one's count.
        several: a query for the ids that several of its rows have; None: it is worked out.
    """
    order = f"[{', '.join(literal(one) for one in directories)}]"
    several = several or _SEVERAL.format(episodes=episodes)
    return _SURPLUS.format(several=several, episodes=episodes, order=order)


_CELLS = """
select distinct {family} as shards, family, condition, model, temperature, cell_id, run_dir
from {episodes}
"""
_SETTINGS = """
select family, condition, model, temperature, count(distinct run_dir) > 1 as is_shared
from joined.cells
group by all
"""
_IS_SHARED = """
select 1 from joined.cells where shards = $1 group by cell_id having count(distinct run_dir) > 1
"""


@dataclass(frozen=True, slots=True)
class Joined:
    """What is known of several directories' families.

    Args:
        single: those that have one row of each episode.
        cut: those of which some rows do not count.
    """

    single: frozenset[str] = frozenset()
    cut: frozenset[str] = frozenset()


def join_runs(
    connection: duckdb.DuckDBPyConnection, directories: Sequence[str], shards: Iterable[Shards]
) -> Joined:
    """Leaves out, for good, what several directories have of one episode but for one of them.

    Of stored intervals and differences those remain that stand for all episodes of their cells.

    Args:
        directories: as ``run_dir`` names them; of episodes that ended alike, the first one's count.
        shards: those that the connection has views of.
    """
    all_shards = tuple(shards)
    connection.execute("create schema joined")
    families = {each.family: each for each in all_shards if each.kind == "episodes"}
    cells = (
        _CELLS.format(family=literal(family), episodes=f"shard.{identifier(each.name)}")
        for family, each in families.items()
    )
    connection.execute(f"create table joined.cells as {' union all '.join(cells)}")
    connection.execute(f"create table joined.settings as {_SETTINGS}")
    surplus: dict[str, bool] = {}
    single: set[str] = set()
    for family, each in families.items():
        # To compare episodes takes long: only where a cell is in several directories at all.
        if not connection.execute(_IS_SHARED, [family]).fetchall():
            continue
        episodes, table = f"shard.{identifier(each.name)}", f"joined.{identifier(family)}"
        several = f"joined.{identifier(f'{family}_several')}"
        query = _SEVERAL.format(episodes=episodes)
        connection.execute(f"create table {several} as {query}")
        if not _count(connection, several):
            single.add(family)
            continue
        found = surplus_sql(episodes, directories, f"from {several}")
        connection.execute(f"create table {table} as {found}")
        surplus[family] = bool(_count(connection, table))
    for each in all_shards:
        condition = _condition(each, surplus)
        if condition is not None:
            _narrow(connection, each, condition)
    return Joined(frozenset(single), frozenset(name for name, some in surplus.items() if some))


def _count(connection: duckdb.DuckDBPyConnection, table: str) -> int:
    ((count,),) = connection.execute(f"select count(*) from {table}").fetchall()  # noqa: S608 - ours
    return int(count)


def joined_facts(stated: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Model → what the catalogues said of it, the later directory's before the earlier's."""
    return {name: facts for each in stated for name, facts in each.items()}


def _condition(each: Shards, surplus: Mapping[str, bool]) -> str | None:
    if each.kind in ("episodes", "steps"):
        if not surplus.get(each.family):
            return None
        return (
            "where not exists (select 1 from "  # noqa: S608 - our names
            f"joined.{identifier(each.family)} as surplus where surplus.episode_id = "
            "stored.episode_id and surplus.run_dir = stored.run_dir)"
        )
    if each.kind == "differences":
        return "qualify count(*) over (partition by contrast, metric, parameters) = 1"
    # A row may stand for several conditions: then it counts if all of its model are in one run.
    return (
        "where not exists (select 1 from joined.settings as played where played.is_shared "
        "and played.family = stored.family and played.model = stored.model "
        "and played.temperature is not distinct from stored.temperature "
        "and (played.condition = stored.condition or stored.condition not in "
        "(select condition from joined.settings)))"
    )


def _narrow(connection: duckdb.DuckDBPyConnection, each: Shards, condition: str) -> None:
    every = identifier(f"{each.name}_of_each_run")
    connection.execute(f"alter view shard.{identifier(each.name)} rename to {every}")
    connection.execute(
        f"create view shard.{identifier(each.name)} with (defer_binding) as "  # noqa: S608 - our names
        f"select * from shard.{every} as stored {condition}"
    )
