"""A part of a run: all views, restricted to the episodes that fulfil a condition.

The condition is SQL of the reader, never of the run directory, and runs on a confined connection.
"""

from collections.abc import Iterable, Sequence

import duckdb

from mirror_ray.analysis.quoting import identifier, literal
from mirror_ray.analysis.shards import Shards
from mirror_ray.contract.columns import COLUMNS
from mirror_ray.records.schemas import EPISODES

_CELL = ("condition", "model", "temperature", "variant")


def keep_episodes(
    connection: duckdb.DuckDBPyConnection,
    shards: Iterable[Shards],
    where: str,
    further: Sequence[str] = (),
) -> None:
    """Restrict an open run, for good, to the episodes that fulfil a condition.

    A stored interval, computed over a whole cell, remains only if the whole cell does. A decision
    remains if any part of its cells does, because a cell that was stopped early has no p.

    Args:
        where: a condition over the columns that all families' episodes share.
        further: other columns that the shards' views have.

    Raises:
        ValueError: it is not a condition.
        duckdb.Error: DuckDB rejects it.
    """
    all_shards = tuple(shards)
    families = sorted({each.family for each in all_shards if each.kind == "episodes"})
    queries = {family: _chosen(family, where, further) for family in families}
    for query in queries.values():
        statements = connection.extract_statements(query)
        if len(statements) != 1 or statements[0].type != duckdb.StatementType.SELECT:
            raise ValueError("one condition, as written after `where`")
    connection.execute("create schema kept")
    for family, query in queries.items():
        connection.execute(f"create table kept.{identifier(family)} as {query}")
        own = COLUMNS.get(family)
        if own is not None and "judged_id" in own.episodes.names:
            # A judge's readings belong to the replies that it read, although it is another model.
            connection.execute(_judgements(family))
        cut = (
            f"select {', '.join(_CELL)}, "  # noqa: S608 - our names
            f"bool_or(episode_id in (select episode_id from kept.{identifier(family)})) as is_part "
            f"from shard.{identifier(f'{family}_episodes')} "
            "group by all having not bool_and(episode_id in "
            f"(select episode_id from kept.{identifier(family)}))"
        )
        connection.execute(f"create table kept.{identifier(f'{family}_cut')} as {cut}")
    cuts = " or ".join(
        f"exists (select 1 from kept.{identifier(f'{family}_cut')} where is_part)"  # noqa: S608 - our names
        for family in families
    )
    for each in all_shards:
        narrow(connection, each, f"where {_condition(each, cuts, families)}", apart="whole")


def _chosen(family: str, where: str, further: Sequence[str]) -> str:
    columns = ", ".join((*EPISODES.names, *further))
    # On a separate line, because a comment may end the condition.
    return (
        f"select episode_id from (select {columns} from "  # noqa: S608 - the reader's own condition
        f"shard.{identifier(f'{family}_episodes')} "
        f"qualify take = max(take) over (partition by episode_id)) where (\n{where}\n)"
    )


def _judgements(family: str) -> str:
    kept = f"kept.{identifier(family)}"
    return (
        f"insert into {kept} select distinct episode_id "  # noqa: S608 - our names
        f"from shard.{identifier(f'{family}_episodes')} "
        f"where judged_id in (select episode_id from {kept}) "
        f"and episode_id not in (select episode_id from {kept})"
    )


def _condition(each: Shards, cuts: str, families: Sequence[str]) -> str:
    if each.kind in ("episodes", "steps"):
        return f"episode_id in (select episode_id from kept.{identifier(each.family)})"  # noqa: S608 - our names
    if each.kind == "differences":
        return f"not ({cuts or 'false'})"
    if each.kind == "decisions":
        return " or ".join(_is_there(family) for family in families) or "false"
    same = " and ".join(f"cut.{name} is not distinct from stored.{name}" for name in _CELL)
    return f"not exists (select 1 from kept.{identifier(f'{each.family}_cut')} as cut where {same})"  # noqa: S608 - our names


def _is_there(family: str) -> str:
    return (
        f"(stored.family = {literal(family)} and exists (select 1 "  # noqa: S608 - our names
        f"from shard.{identifier(f'{family}_episodes')} as played "
        "where played.model in (stored.model, stored.against) "
        "and played.condition = stored.condition "
        "and played.temperature is not distinct from stored.temperature "
        "and played.variant = stored.variant))"
    )


def narrow(connection: duckdb.DuckDBPyConnection, each: Shards, clause: str, *, apart: str) -> None:
    """Restrict a shard view; the unrestricted one remains as ``shard.<name>_<apart>``. `clause` is
    a condition over the rows, which are called ``stored``."""
    name = identifier(each.name)
    whole = identifier(f"{each.name}_{apart}")
    connection.execute(f"alter view shard.{name} rename to {whole}")
    connection.execute(
        f"create view shard.{name} with (defer_binding) as "  # noqa: S608 - our names
        f"select * from shard.{whole} as stored {clause}"
    )


def models_condition(models: Iterable[str]) -> str:
    """Return the SQL condition that an episode is by one of these models."""
    return f"model in ({', '.join(literal(model) for model in models)})"
