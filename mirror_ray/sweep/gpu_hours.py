"""How long a sweep's own model servers use GPUs, and the cost if a price is given."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from math import sqrt
from statistics import fmean
from types import MappingProxyType
from typing import Literal, TypeAlias

from mirror_ray.records.served_models import ReadyTime
from mirror_ray.records.usage import Usage
from mirror_ray.sweep.duration import Timetable
from mirror_ray.sweep.estimate import CellEstimate, by_model
from mirror_ray.sweep.in_flight import SERVED_AT_ONCE
from mirror_ray.sweep.plan import Plan
from mirror_ray.sweep.ranges import ZERO_RANGE, Range, together, total

LOADING_S = Range(60.0, 240.0, 900.0)
"""Time from a server's start until it answers, in which weights are downloaded, loaded and
compiled."""


_MOST_SHOWN = 6

ENOUGH_READY_S, ENOUGH_CALLS = 180.0, 20
"""With this many ready seconds and calls, the recorded answers determine the servers' pace."""

Basis: TypeAlias = Literal["pace", "latency", "assumption"]
"""The basis of the hours.

- ``pace``: the calls per second that the servers of this run directory reached.
- ``latency``: recorded latencies and an assumed number of concurrent calls.
- ``assumption``: nothing recorded.

The first that is available is used.
"""


@dataclass(frozen=True, slots=True)
class AnswerRate:
    """How fast one server of a model has answered, excluding loading time.

    Args:
        calls: answered in `ready_s` seconds of one server.
        tokens_per_s: tokens read and written; None if some are unknown.
        loading_s: from its start until it was ready.
    """

    calls: int
    ready_s: float
    tokens_per_s: float | None
    loading_s: Range

    def time_s(self, calls: Range) -> Range:
        """Return how long one server takes for these calls, within two standard errors of its
        pace."""
        error = min(0.5, 2.0 / sqrt(self.calls))
        each_s = self.ready_s / self.calls
        return calls * Range(each_s / (1 + error), each_s, each_s / (1 - error))


@dataclass(frozen=True, slots=True)
class GpuUse:
    """The GPUs that one model's servers occupy.

    Args:
        gpus: of all its servers together.
        hours: GPU hours of the remaining episodes, loading included.
        usd: the cost of these hours; None if no price is given.
        pace: the pace from which the hours follow; None unless `basis` is "pace".
    """

    model: str
    gpus: float
    hours: Range
    usd: Range | None
    basis: Basis
    pace: AnswerRate | None = None


def paces(plan: Plan, usage: Usage, ready: Mapping[str, ReadyTime]) -> dict[str, AnswerRate]:
    """Return the pace in this run directory of each model that has answered enough calls.

    Models with co-players have no pace, because an episode's requests go to all of its models.

    Args:
        usage: what the directory's episodes have used, the present run's among them.
        ready: how long the model's servers were ready.
    """
    alone = {name for name in ready if name in plan.models}
    for cell in plan.cells:
        if len({name for _, name in cell.models}) > 1:
            alone -= {name for _, name in cell.models}
    calls, tokens, unknown = Counter[str](), Counter[str](), set[str]()
    for spec in plan.episodes if alone else ():
        model = spec.cell.model
        if model not in alone or (used := usage.episodes.get(spec.episode_id)) is None:
            continue
        calls[model] += used.asks
        if used.tokens_in is None or used.tokens_out is None:
            unknown.add(model)
        else:
            tokens[model] += used.tokens_in + used.tokens_out
    found = {}
    for model in alone:
        ready_s, loads_s = ready[model].ready_s, ready[model].loads_s
        if ready_s >= ENOUGH_READY_S and calls[model] >= ENOUGH_CALLS:
            per_s = None if model in unknown else tokens[model] / ready_s
            loading_s = Range(min(loads_s), fmean(loads_s), max(loads_s))
            found[model] = AnswerRate(calls[model], ready_s, per_s, loading_s)
    return found


def gpu_use(
    plan: Plan,
    cells: Sequence[CellEstimate],
    times: Timetable,
    measured: Mapping[str, AnswerRate] = MappingProxyType({}),
) -> tuple[GpuUse, ...]:
    """Return the GPU use of every model that the run serves on GPUs, in the plan's order.

    Each model's servers are occupied from their start to the end of its last episode. Until this
    run has measured its pace, `SERVED_AT_ONCE` calls are assumed to be answered at once; until it
    has measured its latency, one is assumed.

    Args:
        measured: model → its pace.
    """
    uses = []
    for name, mine in by_model(cells).items():
        model = plan.models[name]
        served = model.serve
        if served is None or not served.gpus:
            continue
        gpus = served.gpus * served.replicas
        left, pace = together([one.left for one in mine]).calls, measured.get(name)
        held_s = ZERO_RANGE
        basis: Basis = "latency" if mine[0].latency_s is not None else "assumption"
        if left.high > 0 and pace is None:
            held_s = times.keys[model.limits.key].time_s + LOADING_S
        elif left.high > 0 and pace is not None:
            basis = "pace"
            held_s = pace.time_s(left) * (1 / served.replicas) + pace.loading_s
        hours = held_s * (gpus / 3600.0)
        price = model.usd_per_gpu_hour
        usd = None if price is None else hours * price
        uses.append(GpuUse(name, gpus, hours, usd, basis, pace))
    return tuple(uses)


def gpu_hours_in_words(uses: Sequence[GpuUse]) -> list[str]:
    """Return readable lines; none if no model is served on GPUs."""
    if not uses:
        return []
    hours = total(use.hours for use in uses)
    lines = [f"GPU hours: {_span(hours)} in all, {_money(uses)}; budgets count them as they pass."]
    lines += [
        f"  {use.model}: {_span(use.hours)} on {use.gpus:g} GPU{'' if use.gpus == 1 else 's'},"
        f" {_by(use)}"
        for use in uses[:_MOST_SHOWN]
    ]
    if len(uses) > _MOST_SHOWN:
        lines.append(f"  … and {len(uses) - _MOST_SHOWN:,} more models")
    if any(use.basis != "pace" for use in uses):
        lines.append(
            f"Assumed until measured: {SERVED_AT_ONCE} calls at once per server, and"
            f" {LOADING_S.low / 60:.0f} to {LOADING_S.high / 60:.0f} minutes to load the weights."
        )
    return lines


def gpu_hours_as_json(uses: Sequence[GpuUse]) -> list[Mapping[str, object]]:
    """Return the same as plain data."""
    return [
        {
            "model": use.model,
            "gpus": use.gpus,
            "gpu_hours": asdict(use.hours),
            "usd": None if use.usd is None else asdict(use.usd),
            "basis": use.basis,
            "measured": use.basis != "assumption",
            "calls_per_s": None if use.pace is None else use.pace.calls / use.pace.ready_s,
            "tokens_per_s": None if use.pace is None else use.pace.tokens_per_s,
        }
        for use in uses
    ]


def _by(use: GpuUse) -> str:
    pace = use.pace
    if use.basis == "pace" and pace is not None:
        tokens = "" if pace.tokens_per_s is None else f" ({pace.tokens_per_s:,.0f} tokens)"
        return (
            f"by {pace.calls / pace.ready_s:,.2f} calls{tokens} a second of one server, measured"
            f" here over {pace.ready_s / 60:,.0f} min"
        )
    return "by the latency recorded here" if use.basis == "latency" else "by an assumed latency"


def _money(uses: Sequence[GpuUse]) -> str:
    known = [use.usd for use in uses if use.usd is not None]
    if not known:
        return "of unknown price (usd_per_gpu_hour)"
    usd = total(known)
    least = "" if len(known) == len(uses) else "at least "
    return f"{least}${usd.expected:,.2f} (${usd.low:,.2f} to ${usd.high:,.2f})"


def _span(hours: Range) -> str:
    return f"{hours.expected:,.2f} h ({hours.low:,.2f} to {hours.high:,.2f})"
