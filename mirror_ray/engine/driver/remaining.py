"""Estimates how long a run still takes, by simulating its remaining episodes many times.

Each draw takes the lengths of remaining episodes from those that have ended or are in flight, and
the time per step from its trend so far. The range covers 96 of 100 draws."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, inf, log, sqrt
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from mirror_ray.sweep.ranges import Range, latest

FEWEST_STEPS = 3
_DRAWS = 400
_TAILS = 0.02, 0.5, 0.98
MOST_LENGTHS, _MOST_PLACES, _ONE_BY_ONE = 64, 32, 48
"""How many ended episodes are drawn from, and how many in flight and waiting are drawn one by
one."""
_EVERY_S, _MOST_SAMPLES = 2.0, 400
_STEP_CV, _PACE_SD = 0.5, 0.08
"""Assumed spread of the time of one step, relative to its mean, and of the mean over long times."""
_STEEPEST = log(3.0)
_SHAPES, _SCALES, _LONGER = 1 / np.linspace(1 / 40, 2, 16), 80, 1.25
"""Distributions of lengths, from all alike to a few long; and the largest scale over the longest
length."""
_TINY = 1e-300

_Floats: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class StepTime:
    """Seconds per step of one episode.

    Args:
        mean_s: over the second half of what was played.
        log_sd: its error, in logs.
        change: the log of a third's mean over that of the third before, as far as it lasted: of
            both changes the smaller one, 0 if they differ in sign.
        third_s: how long a third took.
    """

    mean_s: float
    log_sd: float
    change: float = 0.0
    third_s: float = 1.0


class Pace:
    """The time that a step of one model takes, and how it changes."""

    def __init__(self) -> None:
        self._began_s: float | None = None
        self._is_even = False
        self._now_s = self._busy_s = self._steps = 0.0
        self.of_each = 0.0
        """Steps taken so far by an imaginary episode that was always in flight."""
        self._samples: list[tuple[float, float]] = [(0.0, 0.0)]
        self._every_s = _EVERY_S

    def read(self, now_s: float, steps: float, playing: int) -> None:
        """Note the steps so far, and the number of episodes in flight since the last reading."""
        if self._began_s is None:
            self._began_s = self._now_s = now_s
        self._busy_s += playing * (now_s - self._now_s)
        self.of_each += (steps - self._steps) / max(1, playing)
        self._now_s, self._steps = now_s, steps
        if not self._is_even and steps >= playing > 0:
            # First replies also wait for processes and connections to start.
            self._is_even, self._began_s = True, now_s
            self._samples = [(self._busy_s, steps)]
        elif self._busy_s - self._samples[-1][0] >= self._every_s * max(1, playing):
            self._samples.append((self._busy_s, steps))
        if len(self._samples) > _MOST_SAMPLES:
            self._samples, self._every_s = self._samples[::2], self._every_s * 2

    @property
    def is_known(self) -> bool:
        """Whether enough steps were answered to compute the time per step."""
        return self._steps >= FEWEST_STEPS and self._busy_s > 0

    def step_time(self) -> StepTime | None:
        """Return the time per step; None before there are steps."""
        if not self.is_known:
            return None
        start, third, half, two_thirds = map(self._at, (0, 1 / 3, 1 / 2, 2 / 3))
        now = self._busy_s, self._steps
        parts = (start, third), (third, two_thirds), (two_thirds, now), (half, now)
        if any(after[1] - before[1] < FEWEST_STEPS for before, after in parts):
            whole = (0.0, 0.0) if self._steps - start[1] < FEWEST_STEPS else start, now
            return StepTime(_per_step(*whole), _PACE_SD + _STEP_CV / sqrt(now[1] - whole[0][1]))
        first_s, second_s, third_s, late_s = (_per_step(*part) for part in parts)
        # A start or a pause changes the pace only once.
        change = sorted((log(second_s / first_s), log(third_s / second_s), 0.0))[1]
        error = _PACE_SD + _STEP_CV / sqrt(now[1] - half[1])
        return StepTime(late_s, error, change, (self._now_s - (self._began_s or 0.0)) / 3)

    def _at(self, share: float) -> tuple[float, float]:
        """Return the busy time and the steps at this share of what was played."""
        first_s = self._samples[0][0]
        busy_s = first_s + (self._busy_s - first_s) * share
        return self._samples[bisect_right(self._samples, (busy_s, inf)) - 1]


def _per_step(before: tuple[float, float], after: tuple[float, float]) -> float:
    return (after[0] - before[0]) / (after[1] - before[1])


@dataclass(frozen=True, slots=True)
class Load:
    """What one model has done in this run, and what remains.

    Args:
        steps: answered in this run.
        ended: episodes that ended in this run.
        lengths: the steps of those that were also started in this run.
        playing: steps so far of each episode in flight.
        left: episodes without an end, begun or not.
        longest: the most steps that an episode may have, as a mean over its episodes.
        step_time: None before there are steps.
        affordable: steps that its remaining budget pays for.
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
    left_s = steps * time.mean_s * np.exp(time.log_sd * rng.standard_normal(_DRAWS))
    # A change may end now, continue, or accelerate.
    ahead = (1 + left_s / time.third_s) / 2
    trend = time.change * ahead * rng.uniform(0.0, 1.5, _DRAWS)
    left_s *= np.exp(np.clip(trend, -_STEEPEST, _STEEPEST))
    return Range(*map(float, np.quantile(left_s, _TAILS)))


def _steps_to_the_end(load: Load, rng: np.random.Generator) -> _Floats:
    of_playing = np.array(load.playing[: load.left] or (0.0,), np.float64)
    # Of many places, some are drawn for all, with their share of the waiting episodes.
    share = min(1.0, _MOST_PLACES / len(of_playing))
    waiting = round((load.left - len(of_playing)) * share)
    of_playing = of_playing[:: ceil(1 / share)]
    places, each = len(of_playing), min(waiting, _ONE_BY_ONE)
    more = _steps_to_come(load, of_playing, each, rng)
    more *= np.maximum(0.2, rng.normal(1.0, _STEP_CV / np.sqrt(np.maximum(1.0, more))))
    more = np.maximum(0.5, more)
    ends, rows = more[:, :places], np.arange(_DRAWS)
    for one in range(places, places + each):
        ends[rows, ends.argmin(1)] += more[:, one]
    rest = (waiting - each) * more[:, places:].mean(1) / places if waiting > each else 0.0
    last: _Floats = ends.max(1) + rest
    return last


def _steps_to_come(load: Load, playing: _Floats, waiting: int, rng: np.random.Generator) -> _Floats:
    """Draw the remaining steps of the remaining episodes, as an array (draws, episodes).

    Lengths are Weibull distributed, cut off at the longest. Each draw takes one distribution of a
    grid by its likelihood, given the ended episodes and those in flight, which are censored. The
    episodes in flight come first, with `playing` steps so far; then the `waiting` others."""
    known = np.array(load.lengths, np.float64)
    ended = known[known < load.longest]
    lasted = np.hstack([ended - 1, known[known >= load.longest], np.floor(playing)])
    scales = np.geomspace(1.0, _LONGER * load.longest, _SCALES)
    shape, scale = (one.ravel() for one in np.meshgrid(_SHAPES, scales))
    # The probability of ending in the last step.
    risk = (ended[:, None] / scale) ** shape - ((ended[:, None] - 1) / scale) ** shape
    likely = np.log(np.maximum(_TINY, -np.expm1(-risk))).sum(0)
    likely -= ((lasted[:, None] / scale) ** shape).sum(0)
    weights = np.exp(likely - likely.max())
    drawn = rng.choice(len(weights), (_DRAWS, 1), p=weights / weights.sum())
    shape, scale = shape[drawn], scale[drawn]
    so_far = np.hstack([playing, np.zeros(waiting)])
    risks = (so_far / scale) ** shape + rng.exponential(1.0, (_DRAWS, len(so_far)))
    steps: _Floats = np.minimum(scale * risks ** (1 / shape), np.maximum(load.longest, so_far + 1))
    return steps - so_far


def at_most(left: Range, paid_s: float) -> Range:
    """Return the range, limited by a budget that lasts for about `paid_s` seconds."""
    return Range(
        min(left.low, paid_s * 0.8), min(left.expected, paid_s), min(left.high, paid_s * 1.25)
    )


def share_done(loads: Sequence[tuple[Load, int]]) -> float:
    """Return the finished share of the expected steps, from 0 to 1.

    Before an episode has ended, each is expected to take its longest, so the share only rises.

    Args:
        loads: each model's load, and how many of its episodes ended before this run.
    """
    done = expected = 0.0
    for load, before in loads:
        each = min(load.longest, load.steps / load.ended) if load.ended else load.longest
        done += before * each + load.steps
        expected += max(before * each + load.steps, (before + load.ended + load.left) * each)
    return done / expected if expected else 1.0


def run_left(models: Sequence[Range | None]) -> Range | None:
    """Return the time until the last model ends; None while the pace of one is unknown."""
    known = [one for one in models if one is not None]
    return latest(known) if len(known) == len(models) else None
