"""The status of a large run that is playing, from the counts that it writes meanwhile."""

from collections.abc import Mapping
from typing import Any

from mirror_ray.cli.run_status import Status, entries_in
from mirror_ray.engine.driver.cost_forecast import ModelCosts
from mirror_ray.records.live_counts import ModelCount, live_counts
from mirror_ray.records.manifest import sweep_name
from mirror_ray.records.run_state import run_state
from mirror_ray.records.served_models import earlier_gpu_s
from mirror_ray.records.storage import home_of

_CONDITION = "done"
"""The rows' condition, which `status_table` uses as the heading of their column."""


def live_status(directory: str, manifest: Mapping[str, Any]) -> Status | None:
    """Return the status of the run in `directory` from the counts that it writes while it plays;
    None if it is not playing or writes none. Raise RunDirError if the manifest names no sweep."""
    state = run_state(directory, manifest, left=None)
    started_at = state.progress.get("started_at")
    if state.state != "running" or not isinstance(started_at, str):
        return None
    counts = live_counts(home_of(directory), started_at)
    if counts is None:
        return None
    return Status(
        name=sweep_name(directory, manifest),
        rows=[_row(model, one) for model, one in counts.models.items()],
        costs={model: _costs(one) for model, one in counts.models.items()},
        budget_usd=counts.budget_usd,
        state=state,
        n_runs=len(manifest["runs"]),
        entries=entries_in(manifest),
        gpu_s=earlier_gpu_s(manifest),
        presumed_usd=counts.presumed_usd,
        is_own=True,
    )


def _row(model: str, one: ModelCount) -> tuple[Any, ...]:
    known_usd = _costs(one).known_usd
    counts = (one.planned, one.done, one.failed, None)
    return ("", _CONDITION, model, *counts, None, known_usd, one.unpaid, one.unpriced, 0)


def _costs(one: ModelCount) -> ModelCosts:
    return ModelCosts(
        one.spent_usd, one.reserved_usd, one.ceiling_usd, one.projected_usd, one.unpriced
    )
