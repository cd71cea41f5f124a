"""Counts, for `status`, the episodes that are planned and those that have ended."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import duckdb
import pyarrow as pa

from mirror_ray.core.error_kinds import FINAL_KINDS, UNPAID
from mirror_ray.records.journal.read_only import JournalQuery
from mirror_ray.records.partner_costs import Amount
from mirror_ray.records.sandboxed_duckdb import confine
from mirror_ray.records.shards.shard_index import latest_takes, sealed_columns
from mirror_ray.records.so_far import unsealed_episodes

StatusCell: TypeAlias = tuple[str, str, str]
"""Family, condition and model."""

_CELL = ("family", "condition", "model")
_COLUMNS = (*_CELL, "episode_id", "take", "error_kind", "cost_usd")

_SEALED = """
select
    family, condition, model,
    count(*) filter (error_kind = 'none') as done,
    count(*) filter (error_kind not in ('none', $unpaid)) as failed,
    -- A sum that leaves out an unknown cost would be too low: unknown stays unknown.
    case when count(cost_usd) = count(*) then sum(cost_usd) end as cost_usd,
    count(*) filter (error_kind = $unpaid) as unpaid,
    count(cost_usd) filter (list_contains($final, error_kind)) as ended,
    coalesce(sum(cost_usd) filter (list_contains($final, error_kind)), 0.0) as ended_usd
from sealed
where episode_id in (select episode_id from planned)
group by all
"""

_BESIDE_THE_PLAN = """
select count(*) from sealed where episode_id not in (select episode_id from planned)
"""
"""Counts shards that were copied here from other runs."""

_ENDED = """
select episode_id from sealed
where list_contains($shared, episode_id) and cost_usd is not null
and list_contains($final, error_kind)
"""

_SUMS = """
select family, condition, model, sum(amount)
from planned inner join amounts using (episode_id)
group by all
"""


def counted_cells(planned: pa.Table) -> Counter[StatusCell]:
    """Return the number of planned episodes of each cell, in the plan's order."""
    # Arrow returns groups in any order.
    rows = planned.append_column("at", pa.array(range(planned.num_rows), pa.int64()))
    wanted: list[tuple[str, str]] = [("episode_id", "count"), ("at", "min")]
    groups = rows.group_by(list(_CELL)).aggregate(wanted).sort_by("at_min")
    *cells, counts = (groups[name].to_pylist() for name in (*_CELL, "episode_id_count"))
    return Counter(dict(zip(zip(*cells, strict=True), counts, strict=True)))


def sealed_ends(directory: str) -> pa.Table:
    """Return all takes in the shards, with what `counted_ends` and `asks_so_far` read. Raise
    RunDirError if a shard is unusable."""
    return sealed_columns(directory, "episodes", (*_COLUMNS, "n_asks"))


def counted_ends(
    directory: str,
    planned: pa.Table,
    sealed: pa.Table,
    journal: JournalQuery,
    shared_ids: Sequence[str] = (),
) -> tuple[dict[StatusCell, tuple[Any, ...]], frozenset[str], int]:
    """Return what `_SEALED` selects, by cell; which of `shared_ids` have finally ended at a known
    cost; and how many episodes are not of the plan. `planned` is as `table_of_planned` makes it.
    `sealed` is what `sealed_ends` returned after the journal was opened: an episode that was sealed
    meanwhile is in both, and counts once."""
    with duckdb.connect() as connection:
        confine(connection)
        waiting = unsealed_episodes(directory, _COLUMNS, journal)
        every_take = pa.concat_tables([sealed.select(list(_COLUMNS)), waiting])
        connection.register("sealed", latest_takes(every_take))
        connection.register("planned", planned)
        given = {"final": sorted(FINAL_KINDS), "unpaid": UNPAID}
        rows = connection.execute(_SEALED, given).fetchall()
        shared = {"final": given["final"], "shared": list(shared_ids)}
        ended = connection.execute(_ENDED, shared).fetchall() if shared_ids else ()
        others = connection.execute(_BESIDE_THE_PLAN).fetchall()[0][0]
    by_cell = {(family, condition, model): tuple(rest) for family, condition, model, *rest in rows}
    return by_cell, frozenset(episode_id for (episode_id,) in ended), others


def sum_by_cell(planned: pa.Table, amounts: Mapping[str, Amount]) -> dict[StatusCell, Amount]:
    """Return the sums of `amounts`, by episode id, over each cell's planned episodes, for cells
    that have any."""
    if not amounts:
        return {}
    with duckdb.connect() as connection:
        confine(connection)
        connection.register("planned", planned)
        given = {"episode_id": list(amounts), "amount": list(amounts.values())}
        connection.register("amounts", pa.table(given))
        rows = connection.execute(_SUMS).fetchall()
    return {(family, condition, model): amount for family, condition, model, amount in rows}
