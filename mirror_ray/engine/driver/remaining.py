"""How long a run still takes: its remaining episodes, played many times in numbers.

Each draw takes the lengths of remaining episodes from those that have ended, and the time per step
from how it changed so far. The range holds 95 of 100 draws.
"""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, inf, log, sqrt
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from mirror_ray.sweep.ranges import Range, latest

FEWEST_STEPS = 3
_DRAWS = 120
_TAILS = 0.025, 0.5, 0.975
MOST_LENGTHS, _MOST_PLACES, _ONE_BY_ONE = 64, 32, 48
"""The latest ended episodes to draw from; the most episodes in flight, and waiting, that are drawn
one by one."""
_EVERY_S, _MOST_SAMPLES = 2.0, 400
_STEP_CV = 0.5
"""Assumed spread of the time of one step, relative to its mean."""
_FARTHEST = 2.0
"""A change continues for at most so many times as long as it was measured."""
_STEEPEST = log(3.0)
_FEW = 2.0
"""With more ended episodes, more draws are from their lengths than from the mean alone."""

_Floats: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class StepTime:
    """Seconds per step of one episode.

    Args:
        lately_s: mean over the second half of what was played.
        change: the log of its ratio to the mean over the first half.
        log_sd: error of the mean, in logs.
        over_s: how long all this took.
    """

    lately_s: float
    change: float
    log_sd: float
    over_s: float


class Pace:
    """The time that a step of one model takes, and how it changes."""

    def __init__(self) -> None:
        self._began_s: float | None = None
        self._now_s = self._busy_s = self._steps = 0.0
        self.of_each = 0.0
        """Steps that an episode has taken that was in flight all the time."""
        self._samples: list[tuple[float, float]] = [(0.0, 0.0)]
        self._every_s = _EVERY_S

    def read(self, now_s: float, steps: float, playing: int) -> None:
        """Note the steps so far, and the number of episodes in flight since the last reading."""
        if self._began_s is None:
            self._began_s = self._now_s = now_s
        self._busy_s += playing * (now_s - self._now_s)
        self.of_each += (steps - self._steps) / max(1, playing)
        self._now_s, self._steps = now_s, steps
        if self._busy_s - self._samples[-1][0] >= self._every_s * max(1, playing):
            self._samples.append((self._busy_s, steps))
        if len(self._samples) > _MOST_SAMPLES:
            self._samples, self._every_s = self._samples[::2], self._every_s * 2

    def step_time(self) -> StepTime | None:
        """Return the time per step; None before there are steps."""
        if self._steps < FEWEST_STEPS or not self._busy_s:
            return None
        over_s = self._now_s - (self._began_s or 0.0)
        middle = self._samples[bisect_right(self._samples, (self._busy_s / 2, inf)) - 1]
        late = self._steps - middle[1]
        if min(middle[1], late) < FEWEST_STEPS:
            error = 0.15 + _STEP_CV / sqrt(self._steps)
            return StepTime(self._busy_s / self._steps, 0.0, error, over_s)
        late_s = (self._busy_s - middle[0]) / late
        change = log(late_s / (middle[0] / middle[1]))
        noise = _STEP_CV**2 * (1 / middle[1] + 1 / late)
        change *= change**2 / (change**2 + noise)
        return StepTime(late_s, change, 0.03 + _STEP_CV / sqrt(late), over_s)


@dataclass(frozen=True, slots=True)
class Load:
    """What one model has done in this run, and has still to do.

    Args:
        steps: answered in this run.
        ended: episodes that ended in this run.
        lengths: steps of those that it had begun too.
        playing: steps so far of each episode in flight.
        left: episodes without an end, begun or not.
        longest: the most steps of an episode, mean over its episodes.
        step_time: None before there are steps.
        affordable: steps that its budget still pays for.
    """

    steps: float
    ended: int
    lengths: tuple[int, ...]
    playing: tuple[float, ...]
    left: int
    longest: float
    step_time: StepTime | None
    affordable: float = inf


def seconds_left(load: Load) -> Range | None:
    """Return the time until the model's last episode ends; None before there is a pace."""
    if not load.left:
        return Range(0.0, 0.0, 0.0)
    if (time := load.step_time) is None:
        return None
    rng = np.random.default_rng(0)
    steps = _steps_to_the_end(load, rng)
    if load.affordable < inf:
        paid = load.affordable / max(1, len(load.playing))
        steps = np.minimum(steps, paid * np.exp(0.1 * rng.standard_normal(_DRAWS)))
    left_s = steps * time.lately_s * np.exp(time.log_sd * rng.standard_normal(_DRAWS))
    # A change may end now, or continue as it was: a trend shifts the mean with the time ahead.
    ahead = 0.5 + np.minimum(_FARTHEST, left_s / max(1.0, time.over_s))
    trend = time.change * ahead * rng.normal(0.5, 0.5, _DRAWS)
    left_s *= np.exp(np.clip(trend, -_STEEPEST, _STEEPEST))
    low, expected, high = np.quantile(left_s, _TAILS)
    # What few episodes tell is less sure than draws from them show.
    wider = sqrt(1.15 + 2 / (3 + load.ended))
    low, high = expected * (low / expected) ** wider, expected * (high / expected) ** wider
    return Range(float(low), float(expected), float(high))


def _steps_to_the_end(load: Load, rng: np.random.Generator) -> _Floats:
    """Draw how many steps one place of several takes until all episodes have ended."""
    of_playing = np.array(load.playing[: load.left] or (0.0,), np.float64)
    # Many places are as some of them, with their share of the waiting episodes.
    share = min(1.0, _MOST_PLACES / len(of_playing))
    waiting = round((load.left - len(of_playing)) * share)
    of_playing = of_playing[:: ceil(1 / share)]
    places, each = len(of_playing), min(waiting, _ONE_BY_ONE)
    # How far those in flight are is inferred from their time.
    error = _STEP_CV * np.sqrt(of_playing) * rng.standard_normal((_DRAWS, places))
    so_far = np.hstack([np.maximum(0.0, of_playing + error), np.zeros((_DRAWS, each))])
    more = _lengths(load, so_far, places, rng) - so_far
    more *= np.maximum(0.2, rng.normal(1.0, _STEP_CV / np.sqrt(np.maximum(1.0, more))))
    more = np.maximum(0.5, more)
    ends, rows = more[:, :places], np.arange(_DRAWS)
    for one in range(places, places + each):
        ends[rows, ends.argmin(1)] += more[:, one]
    rest = (waiting - each) * more[:, places:].mean(1) / places if waiting > each else 0.0
    last: _Floats = ends.max(1) + rest
    return last


def _lengths(load: Load, so_far: _Floats, places: int, rng: np.random.Generator) -> _Floats:
    """Draw the length of each remaining episode, given its steps so far: (draws, episodes).

    Lengths follow the product-limit curve of the episodes that ended and of those in flight,
    weighted differently in each draw (the Bayesian bootstrap). Beyond the curve an episode ends at
    each step with a chance that is drawn too, at the latest at its longest.

    Args:
        places: number of episodes in flight, the first ones.
    """
    known = np.array(load.lengths[-MOST_LENGTHS:], np.float64)
    seen = np.hstack([np.tile(known, (_DRAWS, 1)), so_far[:, :places]])
    order = seen.argsort(1)
    seen, is_end = np.take_along_axis(seen, order, 1), order < len(known)
    weights = rng.exponential(1.0, seen.shape)
    longer = 0.5 * rng.exponential(1.0, (_DRAWS, 1))
    at_risk = weights[:, ::-1].cumsum(1)[:, ::-1] + longer
    survival = np.cumprod(1 - is_end * weights / at_risk, 1)
    ends = -np.diff(survival, axis=1, prepend=1.0)
    edges = (ends[:, None] * (seen[:, None] > so_far[:, :, None])).cumsum(2)
    at = rng.random((*so_far.shape, 1)) * (edges[:, :, -1:] + survival[:, None, -1:])
    picked = (at > edges).sum(2)
    # Few lengths say little about others: then some draws know the mean alone.
    plain = rng.random((_DRAWS, 1)) < _FEW / (_FEW + len(known))
    early = load.ended - sum(one >= load.longest for one in load.lengths)
    hazard = rng.gamma(max(0.5, early), 1 / max(1.0, load.steps), (_DRAWS, 1))
    last = np.maximum(np.where(plain, 0.0, seen[:, -1:]), so_far)
    longest = np.maximum(load.longest, last + 1)
    # Until episodes have ended, all may end at the same step, which is not known yet.
    alike = rng.random((_DRAWS, 1)) < 0.5 / (1 + len(known))
    same = so_far.max(1, keepdims=True) + 1
    longest = np.where(alike, same * (longest / same) ** rng.random((_DRAWS, 1)), longest)
    tail = np.minimum(last + rng.exponential(1.0, last.shape) / hazard, longest)
    on_curve = np.take_along_axis(seen, np.minimum(picked, seen.shape[1] - 1), 1)
    return np.where(plain | (picked == seen.shape[1]), tail, on_curve)


def at_most(left: Range, paid_s: float) -> Range:
    """Return the range, ended by a budget that lasts for about so many seconds."""
    return Range(
        min(left.low, paid_s * 0.8), min(left.expected, paid_s), min(left.high, paid_s * 1.25)
    )


def share_done(loads: Sequence[tuple[Load, int]]) -> float:
    """Return steps done over steps expected, from 0 to 1.

    Before an episode has ended, each is expected to take its longest: the share only rises.

    Args:
        loads: of each model, and how many of its episodes ended before this run.
    """
    done = expected = 0.0
    for load, before in loads:
        each = min(load.longest, load.steps / load.ended) if load.ended else load.longest
        done += before * each + load.steps
        expected += max(before * each + load.steps, (before + load.ended + load.left) * each)
    return done / expected if expected else 1.0


def run_left(models: Sequence[Range | None]) -> Range | None:
    """Return the time until the last model ends; None while one of them has no pace."""
    known = [one for one in models if one is not None]
    return latest(known) if len(known) == len(models) else None
