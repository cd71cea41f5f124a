"""The remaining time of simulated runs: the truth lies within the range at half time."""

import heapq
from dataclasses import dataclass

import numpy as np
import pytest

from mirror_ray.engine.driver.remaining import Load, Pace, run_left, seconds_left, share_done

LONGEST = 60


@dataclass(frozen=True)
class Model:
    """How one model plays: seconds per reply, their drift until the end, and what goes wrong."""

    latency_s: float
    drift: float = 1.0
    retried: float = 0.0
    episodes: int = 24
    at_once: int = 8
    mean_steps: float = 25.0
    always_longest: bool = False
    affordable: float = float("inf")


def simulated(model: Model, rng: np.random.Generator) -> list[tuple[float, bool, int]]:
    """The model's steps in order: time, whether an episode ended with it, and its steps so far."""
    lengths = np.minimum(LONGEST, 1 + rng.geometric(1 / model.mean_steps, model.episodes))
    if model.always_longest:
        lengths = np.full(model.episodes, LONGEST)
    expected_s = lengths.sum() * model.latency_s / model.at_once
    waiting = list(lengths)
    playing = [(0.0, i, int(waiting.pop())) for i in range(min(model.at_once, model.episodes))]
    heapq.heapify(playing)
    found: list[tuple[float, bool, int]] = []
    while playing and len(found) < model.affordable:
        now_s, place, left = heapq.heappop(playing)
        pace = model.drift ** min(1.5, now_s / expected_s)
        took_s = model.latency_s * pace * rng.lognormal(0, 0.4)
        if rng.random() < model.retried:
            took_s *= 3
        found.append((now_s + took_s, left == 1, len(found) + 1))
        if left > 1:
            heapq.heappush(playing, (now_s + took_s, place, left - 1))
        elif waiting:
            heapq.heappush(playing, (now_s + took_s, place, int(waiting.pop())))
    return sorted(found)


def load_at(model: Model, steps: list[tuple[float, bool, int]], at_s: float) -> Load:
    pace = Pace()
    pace.read(0.0, 0)
    for tick in np.arange(0.7, at_s, 0.7):
        pace.read(float(tick), sum(1 for when_s, *_ in steps if when_s <= tick))
    answered = [one for one in steps if one[0] <= at_s]
    ended = sum(is_end for _, is_end, _ in answered)
    left = model.episodes - ended
    return Load(
        len(answered),
        ended,
        left,
        min(model.at_once, left),
        min(model.at_once, model.episodes),
        LONGEST,
        pace.per_s(),
        model.affordable - len(answered),
    )


RUNS = {
    "steady": [Model(3.0)],
    "latency doubles": [Model(2.0, drift=2.0)],
    "latency halves": [Model(4.0, drift=0.5)],
    "unequal models": [Model(1.0), Model(6.0, at_once=4), Model(2.5)],
    "retries": [Model(2.0, retried=0.15), Model(3.0)],
    "to the last step": [Model(3.0, always_longest=True)],
    "all at once": [Model(3.0, episodes=6, at_once=8)],
    "a budget stops it": [Model(3.0, affordable=300)],
    "the rest of a resumed run": [Model(3.0, episodes=9)],
    "one at a time": [Model(2.0, at_once=1, episodes=10)],
}


@pytest.mark.parametrize("name", RUNS)
def test_the_truth_is_within_the_range_at_half_time(name: str) -> None:
    within, widths = 0, []
    for seed in range(20):
        rng = np.random.default_rng([seed, *name.encode()])
        models = RUNS[name]
        each = [simulated(model, rng) for model in models]
        end_s = max(steps[-1][0] for steps in each)
        loads = [load_at(one, steps, end_s / 2) for one, steps in zip(models, each, strict=True)]
        left = run_left([seconds_left(load) for load in loads])
        assert left is not None
        assert left.low <= left.expected <= left.high
        within += left.holds(end_s / 2)
        widths.append(left.high / max(1.0, left.low))
    assert within >= 18, f"{within} of 20"
    # With most of the work still to come, a wider range would be of no use.
    if name in ("to the last step", "unequal models", "a budget stops it"):
        assert np.median(widths) < 8


def test_a_range_is_there_after_a_minute_and_the_bar_moves_before_an_episode_ends() -> None:
    model = Model(3.0, always_longest=True)
    steps = simulated(model, np.random.default_rng(1))
    loads = [load_at(model, steps, at_s) for at_s in (15.0, 30.0, 60.0)]
    assert [load.ended for load in loads] == [0, 0, 0]
    assert seconds_left(loads[-1]) is not None
    shares = [share_done([(load, 0)]) for load in loads]
    assert 0 < shares[0] < shares[1] < shares[2] < 0.5


def test_nothing_left_takes_no_time_and_no_pace_gives_no_range() -> None:
    assert seconds_left(Load(10, 4, 0, 0, 4, LONGEST, (1.0, 1.0))).high == 0
    assert seconds_left(Load(0, 0, 4, 4, 4, LONGEST, (0.0, 0.0))) is None
    assert run_left([None, seconds_left(Load(10, 4, 0, 0, 4, LONGEST, (1.0, 1.0)))]) is None
