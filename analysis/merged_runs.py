"""Several run directories as one: each episode that they share counts once.

An estimate over a whole cell counts only if one directory alone has that cell."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import duckdb

from mirror_ray.analysis.quoting import identifier, literal
from mirror_ray.analysis.selection import narrow
from mirror_ray.analysis.shards import Shards

RUN_DIR = "run_dir"

# An episode that ended well counts before one that did not; of equals, the one that ended last
# counts.
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
    """Return SQL for the episodes that do not count because another directory's copy does. Its
    columns are `episode_id` and `run_dir`.

    Args:
        episodes: a relation of all takes, with a column `run_dir`.
        directories: of equal copies, the one in the first directory counts.
        several: a query for the ids that occur in several rows; None derives it.
    """
    order = f"[{', '.join(literal(one) for one in directories)}]"
    several = several or _SEVERAL.format(episodes=episodes)
    return _SURPLUS.format(several=several, episodes=episodes, order=order)


_CELLS = "select distinct family, condition, model, temperature, run_dir from {}"
_SETTINGS = """
select family, condition, model, temperature, count(distinct run_dir) > 1 as is_shared
from ({cells})
group by all
"""
_ESTIMATED = ("intervals", "decisions")
"""Kinds of rows that summarise whole settings."""


@dataclass(frozen=True, slots=True)
class Joined:
    """The families of several directories. Those in `single` have one row per episode. In those in
    `cut`, some rows do not count."""

    single: frozenset[str] = frozenset()
    cut: frozenset[str] = frozenset()


def join_runs(
    connection: duckdb.DuckDBPyConnection, directories: Sequence[str], shards: Iterable[Shards]
) -> Joined:
    """Restrict the views, for good, to one copy of each episode that several directories have.

    Stored intervals and differences remain if they cover all episodes of their cells.

    Args:
        directories: as ``run_dir`` names them; of equal copies, the one in the first directory
            counts.
    """
    all_shards = tuple(shards)
    connection.execute("create schema joined")
    families = {
        each.family: f"shard.{identifier(each.name)}"
        for each in all_shards
        if each.kind == "episodes"
    }
    repeated = (
        f"select {literal(family)} as family, * from ({_SEVERAL.format(episodes=episodes)})"  # noqa: S608 - ours
        for family, episodes in families.items()
    )
    # All episodes are read once: in large runs reading them takes longer than comparing them.
    connection.execute(f"create table joined.several as {' union all '.join(repeated)}")
    several = {
        name
        for (name,) in connection.execute("select distinct family from joined.several").fetchall()
    }
    surplus: dict[str, bool] = {}
    for family in families.keys() & several:
        table = f"joined.{identifier(family)}"
        ids = f"select episode_id from joined.several where family = {literal(family)}"  # noqa: S608 - ours
        found = surplus_sql(families[family], directories, ids)
        connection.execute(f"create table {table} as {found}")
        surplus[family] = bool(connection.execute(f"from {table} limit 1").fetchall())
    estimated = [each for each in all_shards if each.kind in _ESTIMATED]
    has_estimates = _has_rows(connection, estimated)
    if has_estimates:
        cells = " union all ".join(map(_CELLS.format, families.values()))
        connection.execute(f"create table joined.settings as {_SETTINGS.format(cells=cells)}")
    for each in all_shards:
        if each.kind in _ESTIMATED and not has_estimates:
            continue
        condition = _condition(each, surplus)
        if condition is not None:
            narrow(connection, each, condition, apart="of_each_run")
    return Joined(
        frozenset(families.keys() - several),
        frozenset(name for name, some in surplus.items() if some),
    )


def _has_rows(connection: duckdb.DuckDBPyConnection, shards: Iterable[Shards]) -> bool:
    rows = (f"(select 1 from shard.{identifier(each.name)} limit 1)" for each in shards)  # noqa: S608 - ours
    return bool(connection.execute(f"{' union all '.join(rows)} limit 1").fetchall())


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
    # A row may cover several conditions: it counts if all conditions of its model are in one run.
    return (
        "where not exists (select 1 from joined.settings as played where played.is_shared "
        "and played.family = stored.family and played.model = stored.model "
        "and played.temperature is not distinct from stored.temperature "
        "and (played.condition = stored.condition or stored.condition not in "
        "(select condition from joined.settings)))"
    )
