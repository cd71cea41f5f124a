"""What `status` counts, read from a run directory without disturbing the run.

It counts the episodes in shards, and those that wait in the journal for the next shard. Requests
and money include those of unfinished episodes; a request counts once it was sent."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from mirror_ray.cli.status_ends import (
    StatusCell,
    counted_cells,
    counted_ends,
    sealed_ends,
    sum_by_cell,
)
from mirror_ray.cli.status_table import entries_in
from mirror_ray.core.identity import EpisodeSpec
from mirror_ray.engine.driver.cost_forecast import Costs, ModelCosts, Paid
from mirror_ray.engine.driver.run_summary import (
    EXIT_BUDGET,
    EXIT_DONE,
    EXIT_FAILED,
    EXIT_UNFINISHED,
    OUT_OF_BUDGET,
)
from mirror_ray.records.control_changes import budget_now
from mirror_ray.records.journal.read_only import JournalQuery, open_journal
from mirror_ray.records.lock import is_held
from mirror_ray.records.partner_costs import (
    Amount,
    EpisodePart,
    PartnerCosts,
    partner_costs_so_far,
    parts_by_model,
)
from mirror_ray.records.planned_episodes import planned_there, table_of_planned
from mirror_ray.records.run_state import RunState, run_state
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
from mirror_ray.stopping.rounds import settled_of
from mirror_ray.sweep.by_model import expand_by_model
from mirror_ray.sweep.file import SweepKeys
from mirror_ray.sweep.recorded import recorded_episodes
from mirror_ray.sweep.roles import all_models
from mirror_ray.sweep.sharding import shard_of

STATUS_COLUMNS = (
    "family",
    "condition",
    "model",
    "planned",
    "done",
    "failed",
    "asks",
    "cost_usd",
    "spent_usd",
    "unpaid",
    "n_unpriced",
    "settled",
)

_JOURNAL = ("reply", "form", "finished", "ledger", "begun")


_NOTHING = (0, 0, 0.0, 0, 0, 0.0)
"""The sealed rows of a cell without a finished episode."""


@dataclass(frozen=True, slots=True)
class Status:
    """The contents of `status` for a run directory.

    Args:
        rows: with `STATUS_COLUMNS`, by family, condition and model.
        entries: model → its entry in the manifest.
        gpu_s: model → GPU seconds that the run's own servers have used.
        others: episodes outside the plan, such as those in shards copied from another run.
        has_waste: whether a request failed, was sent several times, or has an unread reply.
        presumed_usd: the most that calls with lost replies or costs may have cost, at known prices.
    """

    name: str
    rows: Sequence[tuple[Any, ...]]
    costs: Mapping[str, ModelCosts]
    budget_usd: float | None
    state: RunState
    n_runs: int
    entries: Mapping[str, Mapping[str, Any]]
    gpu_s: Mapping[str, float]
    presumed_usd: float = 0.0
    others: int = 0
    has_waste: bool = False

    @property
    def planned(self) -> int:
        """Episodes of the plan."""
        return sum(row[3] for row in self.rows)

    @property
    def done(self) -> int:
        """Episodes that ended well."""
        return sum(row[4] for row in self.rows)

    @property
    def settled(self) -> int:
        """Episodes that are skipped because `until` has decided their comparison."""
        return sum(row[11] for row in self.rows)

    @property
    def exit_code(self) -> int:
        """The exit code of `status`, which tells scripts the state of the run."""
        failed, unpaid = sum(row[5] for row in self.rows), sum(row[9] for row in self.rows)
        if self.done + self.settled == self.planned:
            return EXIT_DONE
        if self.done + self.settled + failed == self.planned:
            return EXIT_FAILED
        is_unpaid = unpaid or self.state.why == OUT_OF_BUDGET
        return EXIT_BUDGET if is_unpaid and self.state.state != "running" else EXIT_UNFINISHED


def read_status(directory: str, manifest: Mapping[str, Any]) -> Status:
    """Read what `status` shows. Raise RunDirError if something in the directory cannot be read,
    SweepError if its sweep names something that no longer exists."""
    home = home_of(directory)
    # Asked first: calls in flight when the journal is opened may have ended with the run.
    is_running = bool(is_held(home / LOCK_NAME))
    with open_journal(home, _JOURNAL) as journal:
        presumed_usd = presumed_so_far(directory, journal, is_running=is_running)
        return replace(_status(directory, manifest, journal), presumed_usd=presumed_usd)


@dataclass(frozen=True, slots=True)
class _RecordedPlan:
    """The plan of a run directory.

    Args:
        episodes: as `table_of_planned` makes it.
        shared: its episodes that query several models.
        settled: by cell, the episodes that are skipped because `until` has decided.
    """

    episodes: pa.Table
    shared: Sequence[EpisodeSpec] = ()
    settled: Counter[StatusCell] = field(default_factory=Counter)


def _plan_of(directory: str, manifest: Mapping[str, Any]) -> _RecordedPlan:
    there = planned_there(home_of(directory), manifest["sweep_sha"])
    if there is not None:
        return _RecordedPlan(there)
    specs = tuple(recorded_episodes(directory, manifest).values())
    settled_ids = settled_of(directory, manifest, specs)
    return _RecordedPlan(
        table_of_planned(specs),
        tuple(spec for spec in specs if spec.cell.others),
        Counter(_cell_of(spec) for spec in specs if spec.episode_id in settled_ids),
    )


def _status(directory: str, manifest: Mapping[str, Any], journal: JournalQuery) -> Status:
    # Arrow reads the shards outside of Python's lock, while the plan is read or made again.
    with ThreadPoolExecutor(1) as reader:
        reading = reader.submit(sealed_ends, directory), reader.submit(unusual_asks, directory)
        plan = _plan_of(directory, manifest)
        keys = SweepKeys.model_validate(manifest["sweep"])
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
    shard = shard_of(keys.shard, keys.share, directory)
    share = 1.0 if shard is None else shard.share
    ceilings_usd = expand_by_model(
        {name: usd * share for name, usd in keys.budget_per_model_usd.items()},
        all_models(keys),
        f"{directory}: budget_per_model_usd",
    )
    left = sum(row[3] - row[4] - row[5] - row[11] for row in rows)
    state = run_state(directory, manifest, left=left)
    return Status(
        keys.name,
        rows,
        _costs(
            *_parts(shared, planned - plan.settled, sealed, ended_ids, partners),
            spent_usd,
            unpriced,
            ceilings_usd,
        ),
        budget_now(manifest, keys.budget_usd and keys.budget_usd * share),
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
    return {
        model: replace(costs.of(model, 0.0), ceiling_usd=ceilings_usd.get(model))
        for model in episodes
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


def _cell_of(spec: EpisodeSpec) -> StatusCell:
    return spec.cell.family, spec.cell.condition, spec.cell.model


def _by_cell(
    plan: _RecordedPlan, amounts: Mapping[str, Amount], partners: Mapping[EpisodePart, Amount]
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
