"""`mirror-ray status`: how far a run is and what it costs, read without disturbing it.

Counts sealed episodes: a run in progress has a few more in its journal. Money is all that is known
to be spent, unfinished episodes included.
"""

from argparse import Namespace
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

import duckdb
from rich.table import Table

from mirror_ray.cli.show import as_mappings, console, count, new_table, print_json, usd
from mirror_ray.engine.costs import Costs, ModelCosts, Paid
from mirror_ray.identity import EpisodeSpec
from mirror_ray.records.resume import sealed_columns
from mirror_ray.records.rundir import read_manifest
from mirror_ray.records.spend import spent_so_far
from mirror_ray.records.storage import home_of, is_address
from mirror_ray.sweep.expand import expand_budgets
from mirror_ray.sweep.file import SweepKeys
from mirror_ray.sweep.recorded import recorded_episodes
from mirror_ray.types import FINAL_KINDS

_COLUMNS = (
    "family",
    "condition",
    "model",
    "planned",
    "done",
    "failed",
    "asks",
    "cost_usd",
    "spent_usd",
)

_Cell: TypeAlias = tuple[str, str, str]

# A finished episode is one row of an episodes shard; of several takes the latest counts.
_SEALED = """
with latest as (
    select * from sealed
    qualify row_number() over (partition by episode_id order by take desc) = 1
)
select
    family, condition, model,
    count(*) filter (error_kind = 'none') as done,
    count(*) filter (error_kind <> 'none') as failed,
    sum(n_asks) as asks,
    -- A sum that leaves out an unknown cost would be too low: unknown stays unknown.
    case when count(cost_usd) = count(*) then sum(cost_usd) end as cost_usd,
    count(cost_usd) filter (list_contains($final, error_kind)) as ended,
    coalesce(sum(cost_usd) filter (list_contains($final, error_kind)), 0.0) as ended_usd
from latest
group by all
"""


MOST_CONDITIONS = 6
"""Side by side."""

_NOTHING = (0, 0, 0, 0.0, 0, 0.0)
"""What is sealed of a cell without a finished episode."""


def main(arguments: Namespace) -> int:
    """Prints one row per family, condition and model; 1 while episodes are missing or failed."""
    manifest = read_manifest(arguments.directory)
    episodes = tuple(recorded_episodes(arguments.directory, manifest).values())
    keys = SweepKeys.model_validate(manifest["sweep"])
    planned = Counter((spec.cell.family, spec.cell.condition, spec.cell.model) for spec in episodes)
    sealed = _sealed(arguments.directory)
    spent_usd = _spent(arguments.directory, episodes)
    rows = [
        (*cell, n_planned, *sealed.get(cell, _NOTHING)[:4], spent_usd.get(cell, 0.0))
        for cell, n_planned in planned.items()
    ]
    done, failed = sum(row[4] for row in rows), sum(row[5] for row in rows)
    if arguments.json:
        print_json(as_mappings(_COLUMNS, rows))
    else:
        ceilings_usd = expand_budgets(keys.budget_per_model_usd, keys.models, arguments.directory)
        costs = _costs(planned, sealed, spent_usd, ceilings_usd)
        console.print(_table(rows, costs))
        console.print(_money(costs, keys.budget_usd))
        console.print(
            f"{keys.name}: {done:,} of {len(episodes):,} episodes done, {failed:,} failed,"
            f" {len(episodes) - done - failed:,} to play; {len(manifest['runs'])} runs so far"
        )
        if is_address(arguments.directory):
            console.print(f"Journal on this head: {home_of(arguments.directory)}", soft_wrap=True)
    return int(done < len(episodes))


def _table(rows: Sequence[tuple[Any, ...]], costs: Mapping[str, ModelCosts]) -> Table:
    """Models down, conditions across: done of planned; then what all of a model's came to."""
    conditions = list(dict.fromkeys((row[0], row[1]) for row in rows))
    if len(conditions) > MOST_CONDITIONS:
        rows = _by_family(rows)
        conditions = list(dict.fromkeys((row[0], row[1]) for row in rows))
    several = len({family for family, _ in conditions}) > 1
    names = [" ".join(condition) if several else condition[1] for condition in conditions]
    table = new_table("model", *names, "failed", "asks", "spent", "budget", "in all")
    for model in dict.fromkeys(row[2] for row in rows):
        mine = {(row[0], row[1]): row[3:] for row in rows if row[2] == model}
        _, _, failed, asks, _, _ = zip(*mine.values(), strict=True)
        progress = [
            f"{mine[condition][1]}/{mine[condition][0]}" if condition in mine else ""
            for condition in conditions
        ]
        money = (costs[model].spent_usd, costs[model].ceiling_usd, costs[model].projected_usd)
        table.add_row(model, *progress, count(sum(failed)), count(sum(asks)), *map(usd, money))
    return table


def _by_family(rows: Sequence[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """All conditions of a family and model as one: more would not fit beside each other."""
    summed: dict[tuple[str, str, str], list[Any]] = {}
    for family, _, model, *figures in rows:
        sums = summed.setdefault((family, "all conditions", model), [0] * len(figures))
        for place, figure in enumerate(figures):
            known = sums[place] is not None and figure is not None
            sums[place] = sums[place] + figure if known else None
    return [(*cell, *sums) for cell, sums in summed.items()]


def _money(costs: Mapping[str, ModelCosts], budget_usd: float | None) -> str:
    """Spent, of how much, and what the whole plan comes to at the mean costs so far."""
    projected = [one.projected_usd for one in costs.values()]
    in_all = None if None in projected else sum(one or 0.0 for one in projected)
    of = "" if budget_usd is None else f" of {usd(budget_usd)}"
    spent_usd = sum(one.spent_usd for one in costs.values())
    return f"Spent {usd(spent_usd)}{of}; at the mean costs so far {usd(in_all)} in all."


def _costs(
    planned: Mapping[_Cell, int],
    sealed: Mapping[_Cell, tuple[Any, ...]],
    spent_usd: Mapping[_Cell, float],
    ceilings_usd: Mapping[str, float],
) -> dict[str, ModelCosts]:
    """Model → its money."""
    episodes = Counter[str]()
    paid: dict[str, Paid] = {}
    for cell, count_planned in planned.items():
        *_, ended, ended_usd = sealed.get(cell, _NOTHING)
        model, so_far = cell[-1], paid.get(cell[-1], Paid())
        episodes[model] += count_planned
        paid[model] = Paid(
            so_far.spent_usd + spent_usd.get(cell, 0.0),
            so_far.ended + ended,
            so_far.ended_usd + ended_usd,
        )
    costs = Costs(episodes, paid)
    return {
        model: replace(costs.of(model, 0.0), ceiling_usd=ceilings_usd.get(model))
        for model in episodes
    }


def _spent(directory: str, episodes: Sequence[EpisodeSpec]) -> dict[_Cell, float]:
    ledger = spent_so_far(directory)
    spent_usd: defaultdict[_Cell, float] = defaultdict(float)
    for spec in episodes:
        cell = (spec.cell.family, spec.cell.condition, spec.cell.model)
        spent_usd[cell] += ledger.get(spec.episode_id, 0.0)
    return dict(spent_usd)


def _sealed(directory: str) -> dict[_Cell, tuple[Any, ...]]:
    """What `_SEALED` selects, by cell."""
    columns = ("family", "condition", "model", "episode_id", "take", "error_kind", "n_asks")
    with duckdb.connect() as connection:
        connection.register("sealed", sealed_columns(directory, "episodes", (*columns, "cost_usd")))
        rows = connection.execute(_SEALED, {"final": sorted(FINAL_KINDS)}).fetchall()
    return {(family, condition, model): tuple(rest) for family, condition, model, *rest in rows}
