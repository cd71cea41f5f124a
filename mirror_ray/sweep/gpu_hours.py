"""How long a sweep's own model servers hold GPUs, and what those cost where a price is given."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mirror_ray.sweep.duration import Timetable
from mirror_ray.sweep.estimate import CellEstimate, by_model, together
from mirror_ray.sweep.in_flight import SERVED_AT_ONCE
from mirror_ray.sweep.plan import Plan
from mirror_ray.sweep.ranges import Range

LOADING_S = Range(60.0, 240.0, 900.0)
"""Of a server, from its start until it answers: weights are fetched, read and compiled for."""


@dataclass(frozen=True, slots=True)
class GpuUse:
    """What one model's servers hold.

    Args:
        gpus: of all its servers together.
        hours: GPU hours of the episodes that are left, loading included.
        usd: what these cost; None where no price is given.
        measured: whether the latency is this run's own, rather than assumed.
    """

    model: str
    gpus: float
    hours: Range
    usd: Range | None
    measured: bool


def gpu_use(plan: Plan, cells: Sequence[CellEstimate], times: Timetable) -> tuple[GpuUse, ...]:
    """Of every model that the run serves on GPUs, in the plan's order.

    Each model's servers are held from their start to its last episode's end. Without a latency of
    this run's own, one is assumed, and so many calls at once as `SERVED_AT_ONCE` says.
    """
    uses = []
    for name, mine in by_model(cells).items():
        model = plan.models[name]
        served = model.serve
        if served is None or not served.gpus:
            continue
        gpus = served.gpus * served.replicas
        left = together([one.left for one in mine]).calls.high > 0
        held_s = times.keys[model.limits.key].time_s + LOADING_S if left else Range(0.0, 0.0, 0.0)
        hours = held_s * (gpus / 3600.0)
        price = model.usd_per_gpu_hour
        usd = None if price is None else hours * price
        uses.append(GpuUse(name, gpus, hours, usd, mine[0].latency_s is not None))
    return tuple(uses)


def gpu_hours_in_words(uses: Sequence[GpuUse], most: int = 6) -> list[str]:
    """Lines for a person; none where no model is served on GPUs."""
    if not uses:
        return []
    hours = sum((use.hours for use in uses[1:]), uses[0].hours)
    lines = [f"GPU hours: {_span(hours)} in all, {_money(uses)}; budgets count them as they pass."]
    for use in uses[:most]:
        basis = "by this run's latency" if use.measured else "by an assumed latency"
        lines.append(f"  {use.model}: {_span(use.hours)} on {_gpus(use.gpus)}, {basis}")
    if len(uses) > most:
        lines.append(f"  … and {len(uses) - most:,} more models")
    lines.append(
        f"Assumed until measured: {SERVED_AT_ONCE} calls at once per server, and"
        f" {LOADING_S.low / 60:.0f} to {LOADING_S.high / 60:.0f} minutes to load the weights."
    )
    return lines


def gpu_hours_as_json(uses: Sequence[GpuUse]) -> list[Mapping[str, object]]:
    """The same as plain data."""
    return [
        {
            "model": use.model,
            "gpus": use.gpus,
            "gpu_hours": _plain(use.hours),
            "usd": None if use.usd is None else _plain(use.usd),
            "measured": use.measured,
        }
        for use in uses
    ]


def _gpus(count: float) -> str:
    return f"{count:g} GPU{'' if count == 1 else 's'}"


def _money(uses: Sequence[GpuUse]) -> str:
    known = [use.usd for use in uses if use.usd is not None]
    if not known:
        return "of unknown price (usd_per_gpu_hour)"
    usd = sum(known[1:], known[0])
    least = "" if len(known) == len(uses) else "at least "
    return f"{least}${usd.expected:,.2f} (${usd.low:,.2f} to ${usd.high:,.2f})"


def _span(hours: Range) -> str:
    return f"{hours.expected:,.2f} h ({hours.low:,.2f} to {hours.high:,.2f})"


def _plain(figure: Range) -> dict[str, float]:
    return {"low": figure.low, "expected": figure.expected, "high": figure.high}
