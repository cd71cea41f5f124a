"""A large run's own counts by model, in a file that it renews while it plays.

Counting a run's rows takes longer the more episodes it has; reading these counts does not. The file
may contain anything, like all files of a run directory."""

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import astuple, dataclass, fields
from datetime import UTC, datetime, timedelta
from pathlib import Path

from mirror_ray.core.plain_json import parse_json
from mirror_ray.core.untrusted import bounded_float, bounded_int, is_storable
from mirror_ray.records.manifest import time_of
from mirror_ray.records.storage import TEMPORARY_SUFFIX, read_stored_text, storage_of

LIVE_COUNTS_NAME = "live_counts.json"
FEWEST_EPISODES = 20_000
"""A run with fewer planned episodes writes no such file, because its rows are counted quickly."""

_CURRENT = timedelta(seconds=120)


@dataclass(frozen=True, slots=True)
class ModelCount:
    """One model's episodes and costs, earlier runs included. Costs are in USD, and are defined as
    in `mirror_ray.engine.driver.cost_forecast.ModelCosts`."""

    planned: int
    done: int
    failed: int
    unpaid: int
    unpriced: int
    spent_usd: float
    reserved_usd: float
    ceiling_usd: float | None
    projected_usd: float | None


_N_FIGURES = len(fields(ModelCount))


@dataclass(frozen=True, slots=True)
class LiveCounts:
    """The counts of a run.

    Args:
        models: model → its counts, in the plan's order.
        budget_usd: the sweep's budget; None without one.
        presumed_usd: the most that calls of unknown cost may have cost.
    """

    models: Mapping[str, ModelCount]
    budget_usd: float | None
    presumed_usd: float


def write_live_counts(home: Path, started_at: str, counts: LiveCounts) -> None:
    """Write the counts of the run that began at `started_at`. If that is impossible, the run goes
    on without the file."""
    written = {
        "at": datetime.now(UTC).isoformat(timespec="milliseconds"),
        "started_at": started_at,
        "budget_usd": counts.budget_usd,
        "presumed_usd": counts.presumed_usd,
        "models": {name: astuple(one) for name, one in counts.models.items()},
    }
    temporary = home / f".{LIVE_COUNTS_NAME}{TEMPORARY_SUFFIX}"
    with suppress(OSError):
        # Made anew: a run directory may be somebody else's, and a link would lead elsewhere.
        temporary.unlink(missing_ok=True)
        with temporary.open("x") as file:
            json.dump(written, file)
        temporary.replace(home / LIVE_COUNTS_NAME)


def remove_live_counts(home: Path) -> None:
    """Remove the file, if there is one."""
    with suppress(OSError):
        (home / LIVE_COUNTS_NAME).unlink(missing_ok=True)


def live_counts(home: Path, started_at: str, now: datetime | None = None) -> LiveCounts | None:
    """Return the counts of the run that began at `started_at`; None if there are none, or if they
    are old, damaged or of another run."""
    fs, root = storage_of(str(home))
    try:
        found = parse_json(read_stored_text(fs, f"{root}/{LIVE_COUNTS_NAME}"))
    except (OSError, ValueError):
        return None
    if not isinstance(found, dict) or found.get("started_at") != started_at:
        return None
    at, models = time_of(found.get("at")), found.get("models")
    if at is None or abs((now or datetime.now(UTC)) - at) > _CURRENT:
        return None
    if not isinstance(models, dict):
        return None
    named = ((name, _count(row)) for name, row in models.items() if is_storable(name))
    known = {name: one for name, one in named if one is not None}
    if not known or len(known) < len(models):
        return None
    presumed_usd = bounded_float(found.get("presumed_usd")) or 0.0
    return LiveCounts(known, bounded_float(found.get("budget_usd")), presumed_usd)


def _count(row: object) -> ModelCount | None:
    if not isinstance(row, list) or len(row) != _N_FIGURES:
        return None
    whole = [n for one in row[:5] if (n := bounded_int(one)) is not None]
    spent_usd, reserved_usd, ceiling_usd, projected_usd = map(bounded_float, row[5:])
    if len(whole) < 5 or spent_usd is None or reserved_usd is None:
        return None
    planned, done, failed, unpaid, unpriced = whole
    if done + failed + unpaid > planned:
        return None
    return ModelCount(
        planned, done, failed, unpaid, unpriced, spent_usd, reserved_usd, ceiling_usd, projected_usd
    )
