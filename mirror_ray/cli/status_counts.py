"""What `status` counts, read from a run directory without disturbing the run.

It counts the episodes in shards, and those that wait in the journal for the next shard. Requests
and money include those of unfinished episodes; a request counts once it was sent."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import repeat
from operator import attrgetter
from typing import Any

from mirror_ray.cli.status_ends import StatusCell, counted_ends, sealed_ends
from mirror_ray.cli.status_table import entries_in
from mirror_ray.core.identity import Cell, EpisodeSpec
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


def _status(directory: str, manifest: Mapping[str, Any], journal: JournalQuery) -> Status:
    # Arrow reads the shards outside of Python's lock, while the plan is made again.
    with ThreadPoolExecutor(1) as reader:
        reading = reader.submit(sealed_ends, directory), reader.submit(unusual_asks, directory)
        episodes = tuple(recorded_episodes(directory, manifest).values())
        keys = SweepKeys.model_validate(manifest["sweep"])
        planned = _counted(episodes)
        ends, unusual = (one.result() for one in reading)
    sealed, ended_ids, others = counted_ends(directory, episodes, ends, journal)
    of_cells: dict[Cell, list[EpisodeSpec]] = {}
    for spec in episodes:
        of_cells.setdefault(spec.cell, []).append(spec)
    shared = [spec for cell, specs in of_cells.items() if cell.others for spec in specs]
    partners = partner_costs_so_far(directory, shared, journal)
    spent_usd = _by_cell(spent_so_far(directory, journal), partners.spent_usd, of_cells)
    unpriced = _by_cell(unpriced_so_far(directory, journal, unusual), partners.unpriced, of_cells)
    asks = _by_cell(asks_so_far(directory, ends, unusual, journal), partners.asks, of_cells)
    settled_ids = settled_of(directory, manifest, episodes)
    settled = _counted(spec for spec in episodes if spec.episode_id in settled_ids)
    rows = []
    # A model that only plays as a partner has no episodes as the first model, but it has
    # requests and costs.
    for cell in spent_usd:
        n_planned = planned[cell]
        done, failed, cost_usd, unpaid, *_ = sealed.get(cell, _NOTHING)
        spent, n_unpriced = spent_usd[cell], unpriced[cell]
        known_usd = None if n_unpriced and not spent else spent
        money = (cost_usd, known_usd, unpaid, n_unpriced)
        counts = (n_planned, done, failed, asks[cell])
        rows.append((*cell, *counts, *money, settled[cell]))
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
            *_parts(shared, planned - settled, sealed, ended_ids, partners),
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


def _counted(episodes: Iterable[EpisodeSpec]) -> Counter[StatusCell]:
    return Counter((one.cell.family, one.cell.condition, one.cell.model) for one in episodes)


def _by_cell(
    amounts: Mapping[str, Amount],
    partners: Mapping[EpisodePart, Amount],
    of_cells: Mapping[Cell, Sequence[EpisodeSpec]],
) -> dict[StatusCell, Amount]:
    sums: dict[StatusCell, Amount] = {}
    ids = attrgetter("episode_id")
    for cell, specs in of_cells.items():
        # The models of an episode share its cost.
        parts: Iterable[tuple[str, Amount]] = (
            ((model, part) for _, model, part in parts_by_model(amounts, partners, specs))
            if cell.others
            else [(cell.model, sum(map(amounts.get, map(ids, specs), repeat(0))))]
        )
        for model, part in parts:
            key = (cell.family, cell.condition, model)
            sums[key] = sums.get(key, 0) + part
    return sums
