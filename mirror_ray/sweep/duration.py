"""The time that the rest of a sweep takes, and the demand that takes longest.

It is computed from limits, latencies and this machine's pace. Keys are used in parallel, so the
slowest demand determines the time; start-up and retries are left out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil, hypot
from typing import TypeAlias

from mirror_ray.providers.model import Limits, Model, Tier
from mirror_ray.sweep.calibration import UNMEASURED_S
from mirror_ray.sweep.demands import draws
from mirror_ray.sweep.estimate import CellEstimate
from mirror_ray.sweep.in_flight import calls_at_once, in_flight_for
from mirror_ray.sweep.plan import Plan
from mirror_ray.sweep.ranges import ZERO_RANGE, Bill, Range, exactly, latest, together, total
from mirror_ray.sweep.sampling import Samples

_DAY_S = 86_400

_Lane: TypeAlias = tuple[str, Tier | None]
"""A model's name, and the tier at which it is called."""


@dataclass(frozen=True, slots=True)
class Demand:
    """The time that one demand would take by itself, in seconds."""

    what: str
    time_s: Range


@dataclass(frozen=True, slots=True)
class Duration:
    """The end in seconds from the start, and the demand that takes longest."""

    time_s: Range
    bound_by: str


@dataclass(frozen=True, slots=True)
class Timetable:
    """The whole sweep's duration.

    Args:
        keys: limits key → how long its models' calls take; without any known limit, latency alone.
        machine: this machine's own demands.
        unlimited: keys without a known limit on requests or tokens; it is discovered in the run.
    """

    whole: Duration
    keys: Mapping[str, Duration]
    machine: tuple[Demand, ...]
    unlimited: tuple[str, ...]


def timetable(
    plan: Plan,
    cells: Sequence[CellEstimate],
    samples: Samples,
    simulators: int,
    drawn_share: float = 1.0,
) -> Timetable:
    """Return the duration of the cells' remaining episodes.

    Args:
        simulators: number of Simulators that draw in parallel.
        drawn_share: the share of requested pictures that have to be drawn.
    """
    models = {(one.name, one.tier): one for one in plan.lanes()}
    cells_of: dict[_Lane, list[CellEstimate]] = {lane: [] for lane in models}
    for one in cells:
        asked = plan.model_of(one.cell, one.model)
        cells_of[asked.name, asked.tier].append(one)
    latency_s = {
        lane: _latency_s(model, cells_of[lane][0].latency_s if cells_of[lane] else None, samples)
        for lane, model in models.items()
    }
    left = {lane: together([one.left for one in mine]) for lane, mine in cells_of.items()}
    by_key: dict[str, list[_Lane]] = {}
    for lane, model in models.items():
        by_key.setdefault(model.limits.key, []).append(lane)
    keys = {}
    unlimited = []
    for key, lanes in by_key.items():
        first = models[lanes[0]]
        waiting_s = total(left[lane].calls * latency_s[lane] for lane in lanes)
        one_episode_s = latest(
            one.each * latency_s[lane] for lane in lanes for one in cells_of[lane]
        )
        of_key = together([left[lane] for lane in lanes])
        at_once = calls_at_once(first)
        if at_once is not None:
            waiting_s = _whole_episodes(waiting_s, one_episode_s.expected, at_once)
        demands = _demands(first.limits, of_key, waiting_s, at_once)
        keys[key] = _slowest([Demand("the longest episode", one_episode_s), *demands])
        is_known = first.is_offline or first.serve is not None
        if first.limits.rpm is None and first.limits.tpm is None and not is_known:
            unlimited.append(key)
    if samples.drawing_s is not None:
        samples = replace(samples, drawing_s=samples.drawing_s * drawn_share)
    machine = _machine(plan, left, latency_s, samples, simulators)
    ends = [Demand(f"{key}: {one.bound_by}", one.time_s) for key, one in keys.items()]
    return Timetable(_slowest([*ends, *machine]), keys, machine, tuple(unlimited))


def _latency_s(model: Model, measured: Range | None, samples: Samples) -> Range:
    if measured is not None:
        return measured
    if model.is_offline:
        return exactly(model.latency_s + samples.thinking_s)
    return UNMEASURED_S[model.tier or "standard"]


def _whole_episodes(waiting_s: Range, one_episode_s: float, at_once: float) -> Range:
    """Return how long calls take when some run in parallel and those of one episode follow one
    another.

    Episodes in flight are partly done, and the last episodes leave places empty: either effect
    amounts to half an episode in each place."""
    half_s = at_once * one_episode_s / 2
    expected_s = waiting_s.expected
    return Range(
        max(0.0, expected_s - hypot(expected_s - waiting_s.low, half_s)),
        expected_s,
        expected_s + hypot(waiting_s.high - expected_s, half_s),
    )


def _demands(limits: Limits, left: Bill, waiting_s: Range, at_once: float | None) -> list[Demand]:
    demands = []
    if limits.rpm is not None:
        demands.append(Demand("requests a minute", left.calls * (60 / limits.rpm)))
    if limits.tpm is not None and left.tokens_in is not None and left.tokens_out is not None:
        tokens = left.tokens_in + left.tokens_out
        demands.append(Demand("tokens a minute", tokens * (60 / limits.tpm)))
    if (rpd := limits.rpd) is not None:
        # A day's allowance can be used at once, so only whole days are waited for.
        days = left.calls.each(lambda calls: max(0.0, ceil(calls / rpd) - 1))
        demands.append(Demand("requests a day", days * _DAY_S))
    if at_once is not None:
        demands.append(Demand("calls at once", waiting_s * (1 / at_once)))
    return demands


def _machine(
    plan: Plan,
    left: Mapping[_Lane, Bill],
    latency_s: Mapping[_Lane, Range],
    samples: Samples,
    simulators: int,
) -> tuple[Demand, ...]:
    in_flight = plan.sweep.engine.in_flight or in_flight_for(
        plan.lanes(), simulators, holds_pictures=draws(plan)
    )
    waiting_s = total(left[lane].calls * latency_s[lane] for lane in left)
    working_s = ZERO_RANGE
    for lane, bill in left.items():
        each_s = samples.drawing_s or 0.0
        if plan.models[lane[0]].is_offline:
            each_s += samples.thinking_s
        working_s += bill.calls * each_s
    what = "drawing" if samples.drawing_s else "thinking"
    return (
        Demand(what, working_s * (1 / simulators)),
        Demand("episodes in flight", waiting_s * (1 / (in_flight * simulators))),
    )


def _slowest(demands: Sequence[Demand]) -> Duration:
    bound_by = max(demands, key=lambda demand: demand.time_s.expected)
    return Duration(latest(demand.time_s for demand in demands), bound_by.what)
