"""The remaining time of simulated runs: the truth lies within the range, and the range is narrow.

The seeds are of this test alone: none of the constants was chosen by them.
"""

import heapq
from bisect import bisect_right
from dataclasses import dataclass

import numpy as np
import pytest

from mirror_ray.engine.driver.remaining import (
    Load,
    Pace,
    StepTime,
    run_left,
    seconds_left,
    share_done,
)
from mirror_ray.sweep.ranges import Range
from support.whole import mostly_thorough

LONGEST = 60
RUNS = 100


@dataclass(frozen=True)
class Model:
    """How one model plays: seconds per reply, their drift until the end, and what goes wrong."""

    latency_s: float
    drift: float = 1.0
    retried: float = 0.0
    episodes: int = 24
    at_once: int = 8
    mean_steps: float = 25.0
    fixed: int = 0
    spread: float = 0.0
    of_two_kinds: bool = False
    affordable: float = float("inf")
    resumed: bool = False


@dataclass(frozen=True)
class Step:
    """One answered request: when, of which episode, whether it was its first or its last."""

    at_s: float
    episode: int
    sent_s: float
    is_first: bool
    is_last: bool


@dataclass(frozen=True)
class Played:
    """A model's steps in order; the lengths of its episodes, 0 for one that was resumed."""

    steps: list[Step]
    lengths: list[int]


def simulated(model: Model, rng: np.random.Generator) -> Played:
    drawn = np.minimum(LONGEST, 1 + rng.geometric(1 / model.mean_steps, model.episodes))
    if model.spread:
        sd = model.spread * model.mean_steps
        drawn = np.clip(rng.normal(model.mean_steps, sd, model.episodes).round(), 1, LONGEST)
    if model.of_two_kinds:
        short, long = rng.integers(4, 9, model.episodes), rng.integers(30, 50, model.episodes)
        drawn = np.where(rng.random(model.episodes) < 0.5, short, long)
    lengths = [model.fixed or int(one) for one in drawn]
    begun = min(model.at_once, model.episodes)
    left = list(lengths)
    if model.resumed:
        left[:begun] = [int(rng.integers(1, one + 1)) for one in lengths[:begun]]
    expected_s = sum(left) * model.latency_s / model.at_once
    playing, waiting = [(0.0, one, True) for one in range(begun)], list(range(begun, len(left)))
    steps: list[Step] = []
    while playing and len(steps) < model.affordable:
        now_s, one, is_first = heapq.heappop(playing)
        took_s = model.latency_s * model.drift ** min(1.5, now_s / expected_s)
        took_s *= rng.lognormal(0, 0.4) * (3 if rng.random() < model.retried else 1)
        left[one] -= 1
        steps.append(Step(now_s + took_s, one, now_s, is_first, not left[one]))
        if left[one]:
            heapq.heappush(playing, (now_s + took_s, one, False))
        elif waiting:
            heapq.heappush(playing, (now_s + took_s, waiting.pop(0), True))
    if model.resumed:
        lengths[:begun] = [0] * begun
    return Played(sorted(steps, key=lambda step: step.at_s), lengths)


def load_at(model: Model, played: Played, at_s: float) -> Load:
    """What the driver knows: it polls the number of answers, and sees episodes begin and end."""
    times = [step.at_s for step in played.steps]
    ends = [step for step in played.steps if step.is_last]
    end_times = [step.at_s for step in ends]
    pace, seen = Pace(), [(0.0, 0.0)]
    for tick in (0.0, *np.arange(0.7, at_s, 0.7)):
        left = model.episodes - bisect_right(end_times, tick)
        pace.read(float(tick), bisect_right(times, tick), min(model.at_once, left))
        seen.append((float(tick), pace.of_each))
    over = [step.episode for step in ends if step.at_s <= at_s]
    playing = [
        pace.of_each - seen[bisect_right(seen, (step.sent_s, np.inf)) - 1][1]
        for step in played.steps
        if step.is_first and step.sent_s <= at_s and step.episode not in over
    ]
    steps = bisect_right(times, at_s)
    return Load(
        steps,
        len(over),
        tuple(played.lengths[one] for one in over if played.lengths[one]),
        tuple(playing),
        model.episodes - len(over),
        LONGEST,
        pace.step_time(),
        model.affordable - steps,
    )


def shown_at(
    models: list[Model], share: float, rng: np.random.Generator
) -> tuple[Range | None, float]:
    """What is shown after a share of the run's time, and the true remaining time."""
    each = [simulated(model, rng) for model in models]
    end_s = max(played.steps[-1].at_s for played in each)
    loads = [load_at(one, played, end_s * share) for one, played in zip(models, each, strict=True)]
    return run_left([seconds_left(load) for load in loads]), end_s * (1 - share)


@pytest.mark.parametrize(
    ("models", "widest"),
    mostly_thorough(
        3,
        [
            pytest.param([Model(3.0, spread=0.25)], 3, id="similar lengths"),
            pytest.param(
                [Model(2.0, 1, 0, 20, 20, 18, spread=0.25)], 13, id="similar lengths, all at once"
            ),
            pytest.param([Model(2.0, 1, 0, 20, 20, 18)], 6, id="all at once"),
            pytest.param([Model(3.0, of_two_kinds=True)], 4, id="lengths of two kinds"),
            pytest.param([Model(3.0)], 4, id="steady"),
            pytest.param([Model(3.0, episodes=120, at_once=16)], 2, id="many episodes"),
            pytest.param([Model(2.0, drift=2.0)], 8, id="latency doubles"),
            pytest.param([Model(4.0, drift=0.5)], 4, id="latency halves"),
            pytest.param([Model(1.0), Model(6.0, at_once=4), Model(2.5)], 4, id="unequal models"),
            pytest.param([Model(2.0, retried=0.15), Model(3.0)], 4, id="retries"),
            pytest.param([Model(3.0, fixed=60)], 2, id="to the last step"),
            pytest.param([Model(3.0, fixed=20)], 2, id="all of one length"),
            pytest.param([Model(3.0, affordable=300)], 2, id="a budget stops it"),
            pytest.param([Model(3.0, episodes=20, resumed=True)], 5, id="resumed"),
            pytest.param([Model(2.0, at_once=1, episodes=10)], 9, id="one at a time"),
        ],
    ),
)
def test_the_truth_is_within_a_narrow_range_at_half_time(
    models: list[Model], widest: float
) -> None:
    within, widths = 0, []
    for seed in range(RUNS):
        left, truth_s = shown_at(models, 0.5, np.random.default_rng([451128, seed]))
        assert left is not None
        assert left.low <= left.expected <= left.high
        within += left.holds(truth_s)
        widths.append(left.high / max(1.0, left.low))
    assert within >= 0.9 * RUNS
    assert np.median(widths) < widest


def test_a_range_is_there_after_a_minute_and_the_bar_moves_before_an_episode_ends() -> None:
    model = Model(3.0, fixed=LONGEST)
    played = simulated(model, np.random.default_rng(1))
    loads = [load_at(model, played, at_s) for at_s in (15.0, 30.0, 60.0)]
    assert [load.ended for load in loads] == [0, 0, 0]
    assert seconds_left(loads[-1]) is not None
    shares = [share_done([(load, 0)]) for load in loads]
    assert 0 < shares[0] < shares[1] < shares[2] < 0.5


def test_a_slow_start_is_no_lasting_change() -> None:
    pace = Pace()
    for tick in range(60):
        pace.read(float(tick), max(0, tick - 10) * 10, 10)
    time = pace.step_time()
    assert time is not None
    assert time.mean_s == pytest.approx(1.0)
    assert time.change == 0
    left = seconds_left(Load(490, 0, (), (49.0,) * 10, 10, LONGEST, time))
    assert left is not None
    assert left.high < 2 * (LONGEST - 49)


def test_many_episodes_in_flight_are_sampled() -> None:
    few, many = (
        seconds_left(Load(n * 10, 0, (), (10.0,) * n, 4 * n, LONGEST, StepTime(1.0, 0.1)))
        for n in (32, 3_200)
    )
    assert few is not None
    assert many is not None
    assert abs(many.expected / few.expected - 1) < 0.1


def test_nothing_left_takes_no_time_and_no_pace_gives_no_range() -> None:
    ended = seconds_left(Load(10, 4, (), (), 0, LONGEST, None))
    assert ended is not None
    assert ended.high == 0
    assert seconds_left(Load(0, 0, (), (), 4, LONGEST, None)) is None
    assert run_left([None, ended]) is None
