"""The plan of a run directory and its budgets, for `status`.

What reads sweeps is imported only if it is needed: it takes longer to load than most runs take to
be counted."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa

from mirror_ray.cli.status_ends import StatusCell
from mirror_ray.core.identity import EpisodeSpec
from mirror_ray.core.untrusted import bounded_float
from mirror_ray.records.planned_episodes import planned_there, table_of_planned
from mirror_ray.records.storage import home_of


@dataclass(frozen=True, slots=True)
class RecordedPlan:
    """The plan of a run directory.

    Args:
        episodes: as `table_of_planned` makes it.
        shared: its episodes that query several models.
        settled: by cell, the episodes that are skipped because `until` has decided.
    """

    episodes: pa.Table
    shared: Sequence[EpisodeSpec] = ()
    settled: Counter[StatusCell] = field(default_factory=Counter)


def recorded_plan(directory: str, manifest: Mapping[str, Any]) -> RecordedPlan:
    """Return the plan of the run in `directory`. Raise RunDirError if it cannot be read, SweepError
    if it names something that no longer exists."""
    there = planned_there(home_of(directory), manifest["sweep_sha"])
    if there is not None:
        return RecordedPlan(there)
    from mirror_ray.stopping.rounds import settled_of  # noqa: PLC0415
    from mirror_ray.sweep.recorded import recorded_episodes  # noqa: PLC0415

    specs = tuple(recorded_episodes(directory, manifest).values())
    settled_ids = settled_of(directory, manifest, specs)
    cells = ((one.episode_id, one.cell) for one in specs)
    return RecordedPlan(
        table_of_planned(specs),
        tuple(spec for spec in specs if spec.cell.others),
        Counter(
            (cell.family, cell.condition, cell.model)
            for episode_id, cell in cells
            if episode_id in settled_ids
        ),
    )


@dataclass(frozen=True, slots=True)
class RecordedBudgets:
    """The budgets of a run, in USD: its share of the sweep's (None without one), and of each
    model's."""

    sweep_usd: float | None
    by_model_usd: Mapping[str, float]


def recorded_budgets(directory: str, manifest: Mapping[str, Any]) -> RecordedBudgets:
    """Return the budgets of the run in `directory`. Raise RunDirError or SweepError if those of
    models, or its shard, cannot be read."""
    sweep = manifest["sweep"]
    share = _share(directory, sweep)
    sweep_usd = bounded_float(sweep.get("budget_usd"))
    by_model_usd: Mapping[str, float] = {}
    if sweep.get("budget_per_model_usd"):
        from mirror_ray.sweep.by_model import expand_by_model  # noqa: PLC0415
        from mirror_ray.sweep.recorded import recorded_keys  # noqa: PLC0415
        from mirror_ray.sweep.roles import all_models  # noqa: PLC0415

        keys = recorded_keys(directory, manifest)
        of_patterns = {name: usd * share for name, usd in keys.budget_per_model_usd.items()}
        where = f"{directory}: budget_per_model_usd"
        by_model_usd = expand_by_model(of_patterns, all_models(keys), where)
    return RecordedBudgets(None if sweep_usd is None else sweep_usd * share, by_model_usd)


def _share(directory: str, sweep: Mapping[str, Any]) -> float:
    if sweep.get("shard") is None:
        return 1.0
    from mirror_ray.sweep.sharding import shard_of  # noqa: PLC0415

    share = bounded_float(sweep.get("share"), high=1.0)
    shard = shard_of(str(sweep["shard"]), share, directory)
    return 1.0 if shard is None else shard.share
