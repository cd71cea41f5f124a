"""What `status` counts, read from a run directory without disturbing the run.

It counts the episodes in shards, and those that wait in the journal for the next shard. Requests
and money include those of unfinished episodes; a request counts once it was sent."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from mirror_ray.cli.run_status import Status, entries_in
from mirror_ray.cli.status_ends import (
    StatusCell,
    counted_cells,
    counted_ends,
    sealed_ends,
    sum_by_cell,
)
from mirror_ray.cli.status_plan import RecordedPlan, recorded_budgets, recorded_plan
from mirror_ray.core.identity import EpisodeSpec
from mirror_ray.engine.driver.cost_forecast import Costs, ModelCosts, Paid
from mirror_ray.records.control_changes import budget_now
from mirror_ray.records.journal.read_only import JournalQuery, open_journal
from mirror_ray.records.lock import is_held
from mirror_ray.records.manifest import sweep_name
from mirror_ray.records.partner_costs import (
    Amount,
    EpisodePart,
    PartnerCosts,
    partner_costs_so_far,
    parts_by_model,
)
from mirror_ray.records.run_state import run_state
from mirror_ray.records.rundir import LOCK_NAME
from mirror_ray.records.served_models import earlier_gpu_s
from mirror_ray.records.so_far import (
    asks_so_far,
    has_waste,
    presumed_so_far,
    spent_so_far,
    unpriced_so_far,
    unusual_asks,
)
from mirror_ray.records.storage import home_of

_JOURNAL = ("reply", "form", "finished", "ledger", "begun")

_NOTHING = (0, 0, 0.0, 0, 0, 0.0)
"""The sealed rows of a cell without a finished episode."""


def read_status(directory: str, manifest: Mapping[str, Any]) -> Status:
    """Read what `status` shows. Raise RunDirError if something in the directory cannot be read,
    SweepError if its sweep names something that no longer exists."""
    home = home_of(directory)
    # Asked first: calls in flight when the journal is opened may have ended with the run.
    is_running = bool(is_held(home / LOCK_NAME))
    with open_journal(home, _JOURNAL) as journal:
        presumed_usd = presumed_so_far(directory, journal, is_running=is_running)
        return replace(_status(directory, manifest, journal), presumed_usd=presumed_usd)


def _status(directory: str, manifest: Mapping[str, Any], journal: JournalQuery) -> Status:
    # Arrow reads the shards outside of Python's lock, while the plan is read or made again.
    with ThreadPoolExecutor(1) as reader:
        reading = reader.submit(sealed_ends, directory), reader.submit(unusual_asks, directory)
        plan = recorded_plan(directory, manifest)
        ends, unusual = (one.result() for one in reading)
    planned, shared = counted_cells(plan.episodes), plan.shared
    shared_ids = [spec.episode_id for spec in shared]
    sealed, ended_ids, others = counted_ends(directory, plan.episodes, ends, journal, shared_ids)
    partners = partner_costs_so_far(directory, shared, journal)
    spent_usd = _by_cell(plan, spent_so_far(directory, journal), partners.spent_usd)
    unpriced = _by_cell(plan, unpriced_so_far(directory, journal, unusual), partners.unpriced)
    asks = _by_cell(plan, asks_so_far(directory, ends, unusual, journal), partners.asks)
    rows = []
    # A model that only plays as a partner has no episodes as the first model, but it has
    # requests and costs.
    for cell in dict.fromkeys((*planned, *spent_usd)):
        n_planned = planned[cell]
        done, failed, cost_usd, unpaid, *_ = sealed.get(cell, _NOTHING)
        spent, n_unpriced = spent_usd.get(cell, 0), unpriced.get(cell, 0)
        known_usd = None if n_unpriced and not spent else spent
        money = (cost_usd, known_usd, unpaid, n_unpriced)
        counts = (n_planned, done, failed, asks.get(cell, 0))
        rows.append((*cell, *counts, *money, plan.settled[cell]))
    budgets = recorded_budgets(directory, manifest)
    left = sum(row[3] - row[4] - row[5] - row[11] for row in rows)
    state = run_state(directory, manifest, left=left)
    return Status(
        sweep_name(directory, manifest),
        rows,
        _costs(
            *_parts(shared, planned - plan.settled, sealed, ended_ids, partners),
            spent_usd,
            unpriced,
            budgets.by_model_usd,
        ),
        budget_now(manifest, budgets.sweep_usd),
        state,
        len(manifest["runs"]),
        entries_in(manifest),
        earlier_gpu_s(manifest),
        others=others,
        has_waste=has_waste(unusual),
    )


def _costs(
    planned: Mapping[StatusCell, int],
    ends: Mapping[StatusCell, tuple[int, float]],
    spent_usd: Mapping[StatusCell, float],
    unpriced: Mapping[StatusCell, int],
    ceilings_usd: Mapping[str, float],
) -> dict[str, ModelCosts]:
    episodes = Counter[str]()
    paid: dict[str, Paid] = {}
    for cell, count_planned in planned.items():
        ended, ended_usd = ends.get(cell, (0, 0.0))
        model, so_far = cell[-1], paid.get(cell[-1], Paid())
        episodes[model] += count_planned
        paid[model] = Paid(
            so_far.spent_usd + spent_usd.get(cell, 0.0),
            so_far.ended + ended,
            so_far.ended_usd + ended_usd,
            so_far.unpriced + unpriced.get(cell, 0),
        )
    costs = Costs(episodes, paid)
    found = {model: costs.of(model, 0.0) for model in episodes}
    limited = ceilings_usd.keys() & found.keys()
    return found | {
        model: replace(found[model], ceiling_usd=ceilings_usd[model]) for model in limited
    }


def _parts(
    shared: Sequence[EpisodeSpec],
    planned: Mapping[StatusCell, int],
    sealed: Mapping[StatusCell, tuple[Any, ...]],
    ended_ids: Collection[str],
    partners: PartnerCosts,
) -> tuple[dict[StatusCell, int], dict[StatusCell, tuple[int, float]]]:
    """Return, by model, the episodes that it takes part in, how many have ended, and what it cost
    there."""
    parts = dict(planned)
    ends = {cell: (row[-2], row[-1]) for cell, row in sealed.items()}
    for spec in shared:
        own = (spec.cell.family, spec.cell.condition, spec.cell.model)
        for model in spec.cell.others:
            cell = (*own[:2], model)
            parts[cell] = parts.get(cell, 0) + 1
            if spec.episode_id in ended_ids:
                usd = partners.spent_usd.get((spec.episode_id, model), 0.0)
                (n, so_far), (n_own, whole) = ends.get(cell, (0, 0.0)), ends[own]
                ends[cell], ends[own] = (n + 1, so_far + usd), (n_own, max(0.0, whole - usd))
    return parts, ends


def _by_cell(
    plan: RecordedPlan, amounts: Mapping[str, Amount], partners: Mapping[EpisodePart, Amount]
) -> dict[StatusCell, Amount]:
    """Return the sums by cell of amounts by episode. `partners` are other models' parts of them."""
    shared_ids = pa.array([spec.episode_id for spec in plan.shared], pa.string())
    is_own = pc.invert(pc.is_in(plan.episodes["episode_id"], shared_ids))
    sums = sum_by_cell(plan.episodes.filter(is_own), amounts)
    # The models of an episode share its cost.
    for spec, model, part in parts_by_model(amounts, partners, plan.shared):
        key = (spec.cell.family, spec.cell.condition, model)
        sums[key] = sums.get(key, 0) + part
    return sums
