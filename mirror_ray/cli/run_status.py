"""What `status` shows of a run, however it was counted."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mirror_ray.engine.driver.cost_forecast import ModelCosts
from mirror_ray.engine.driver.run_summary import (
    EXIT_BUDGET,
    EXIT_DONE,
    EXIT_FAILED,
    EXIT_UNFINISHED,
    OUT_OF_BUDGET,
)
from mirror_ray.records.run_state import RunState

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
        is_own: whether these are the run's own counts by model: rows have no family, and no number
            of requests.
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
    is_own: bool = False

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


def entries_in(manifest: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """Return each model's entry in the manifest; the latest start takes precedence."""
    found: dict[str, Mapping[str, Any]] = {}
    for run in manifest["runs"]:
        models = run.get("models") if isinstance(run, Mapping) else None
        named = models.items() if isinstance(models, Mapping) else ()
        found |= {name: entry for name, entry in named if isinstance(entry, Mapping)}
    return found
