"""`mirror-ray status`: how far a run is, read from its manifest and shards without disturbing it.

Counts sealed episodes: a run in progress has a few more in its journal.
"""

from argparse import Namespace
from collections import Counter
from collections.abc import Sequence
from typing import Any

import duckdb
from rich.table import Table

from mirror_ray.cli.show import as_mappings, console, count, new_table, print_json, usd
from mirror_ray.records.resume import sealed_columns
from mirror_ray.records.rundir import read_manifest
from mirror_ray.records.storage import home_of, is_address
from mirror_ray.sweep.expand import expand_cells
from mirror_ray.sweep.file import SweepKeys

_COLUMNS = ("family", "condition", "model", "planned", "done", "failed", "asks", "cost_usd")

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
    case when count(cost_usd) = count(*) then sum(cost_usd) end as cost_usd
from latest
group by all
"""


def main(arguments: Namespace) -> int:
    """Prints one row per family, condition and model; 1 while episodes are missing or failed."""
    manifest = read_manifest(arguments.directory)
    keys = SweepKeys.model_validate(manifest["sweep"])
    _, episodes = expand_cells(keys.stages, keys.models, arguments.directory)
    planned = Counter((spec.cell.family, spec.cell.condition, spec.cell.model) for spec in episodes)
    sealed = _sealed(arguments.directory)
    rows = [
        (*cell, n_planned, *sealed.get(cell, (0, 0, 0, 0.0))) for cell, n_planned in planned.items()
    ]
    done, failed = sum(row[4] for row in rows), sum(row[5] for row in rows)
    if arguments.json:
        print_json(as_mappings(_COLUMNS, rows))
    else:
        console.print(_table(rows))
        console.print(
            f"{keys.name}: {done:,} of {len(episodes):,} episodes done, {failed:,} failed,"
            f" {len(episodes) - done - failed:,} to play; {len(manifest['runs'])} runs so far"
        )
        if is_address(arguments.directory):
            console.print(f"Journal on this head: {home_of(arguments.directory)}", soft_wrap=True)
    return int(done < len(episodes))


def _table(rows: Sequence[tuple[Any, ...]]) -> Table:
    """Models down, conditions across: done of planned; then what all of a model's came to."""
    conditions = list(dict.fromkeys((row[0], row[1]) for row in rows))
    names = [" ".join(condition) for condition in conditions]
    table = new_table("model", *names, "failed", "asks", "cost")
    for model in dict.fromkeys(row[2] for row in rows):
        mine = {(row[0], row[1]): row[3:] for row in rows if row[2] == model}
        _, _, failed, asks, costs = zip(*mine.values(), strict=True)
        progress = [
            f"{mine[condition][1]}/{mine[condition][0]}" if condition in mine else ""
            for condition in conditions
        ]
        cost_usd = None if None in costs else sum(costs)
        table.add_row(model, *progress, count(sum(failed)), count(sum(asks)), usd(cost_usd))
    return table


def _sealed(directory: str) -> dict[tuple[str, str, str], tuple[int, int, int, float | None]]:
    columns = ("family", "condition", "model", "episode_id", "take", "error_kind", "n_asks")
    with duckdb.connect() as connection:
        connection.register("sealed", sealed_columns(directory, "episodes", (*columns, "cost_usd")))
        rows = connection.execute(_SEALED).fetchall()
    return {(family, condition, model): tuple(rest) for family, condition, model, *rest in rows}
