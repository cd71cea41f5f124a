"""How long a run still takes: steps done against steps expected, at the pace measured so far."""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, log, sqrt

from mirror_ray.sweep.ranges import Range, latest

RECENT_S = 60.0
FEWEST_STEPS = 3
_SLOWER, _FASTER = 0.75, 1.3
"""Bounds of the pace to come, relative to the slowest and fastest one measured."""
_EVERY_S = 2.0


class Pace:
    """Steps per second of one model, over the whole run and lately."""

    def __init__(self) -> None:
        self._samples: deque[tuple[float, float]] = deque()
        self._first: tuple[float, float] | None = None
        self._last = (0.0, 0.0)

    def read(self, now_s: float, steps: float) -> None:
        """Note the steps so far."""
        self._last = (now_s, steps)
        if self._first is None:
            # The clock starts with the request before the first reply.
            self._first = (now_s, steps)
        if not self._samples or now_s - self._samples[-1][0] >= _EVERY_S:
            self._samples.append((now_s, steps))
        while len(self._samples) > 2 and now_s - self._samples[1][0] > RECENT_S:
            self._samples.popleft()

    def per_s(self) -> tuple[float, float]:
        """Return the slower and the faster of both; zeros before there are any."""
        if self._first is None or not self._samples:
            return 0.0, 0.0
        each = [_rate(one, self._last) for one in (self._first, self._samples[0])]
        known = [one for one in each if one > 0]
        return (min(known), max(known)) if known else (0.0, 0.0)


def _rate(since: tuple[float, float], now: tuple[float, float]) -> float:
    return (now[1] - since[1]) / (now[0] - since[0]) if now[0] > since[0] else 0.0


@dataclass(frozen=True, slots=True)
class Load:
    """What one model has done in this run, and has still to do.

    Args:
        steps: answered in this run.
        ended: episodes that ended in this run.
        left: episodes without an end, begun or not.
        in_flight: episodes that are being played; `at_once` the most there were.
        longest: the most steps of an episode, mean over its episodes.
        pace: slowest and fastest steps per second.
        affordable: steps that its budget still pays for.
    """

    steps: float
    ended: int
    left: int
    in_flight: int
    at_once: int
    longest: float
    pace: tuple[float, float]
    affordable: float = inf

    @property
    def playing(self) -> int:
        """Episodes in flight, at least 1 and at most those left."""
        return max(1, min(self.in_flight, self.left))

    @property
    def each(self) -> Range:
        """Steps of an episode: at least as if all in flight ended now, at most as if those that
        have ended were all that was played."""
        low = min(self.longest, self.steps / (self.ended + self.playing))
        low /= 1 + 0.5 / sqrt(self.ended) if self.ended else 1
        if not self.ended:
            return Range(low, sqrt(max(1.0, low) * self.longest), self.longest)
        high = min(self.longest, self.steps / self.ended * (1 + 1 / sqrt(self.ended)))
        return Range(low, min(high, self.steps / self.ended), high)

    @property
    def last(self) -> Range:
        """Steps until the last of the episodes in flight ends, if their ends are equally likely at
        every step."""
        each, playing = self.each, self.playing
        progress = 0.0 if self.ended else self.steps / playing
        most = max(1.0, self.longest - progress)
        low = each.low * (_SHORTEST_OF_SEVERAL if playing >= _SEVERAL else _SHORTEST_OF_FEW)
        high = each.high * (_LONGEST + log(playing))
        expected = max(low, each.expected * (1 + log(playing)) / 2)
        return Range(min(most, low), min(most, expected), min(most, high))


_SEVERAL, _SHORTEST_OF_SEVERAL, _SHORTEST_OF_FEW, _LONGEST = 3, 0.4, 0.05, 2.0
"""Of the longest of some geometric lengths, relative to their mean: 5 in 100 lie outside."""


def steps_left(load: Load) -> Range:
    """Return the steps still to come."""
    waiting, each = load.left - load.playing, load.each
    most = load.affordable
    low = waiting * each.low
    expected = (waiting + load.playing / 2) * each.expected
    high = waiting * each.high + load.playing * each.high
    return Range(min(low, most * 0.8), min(expected, most), min(high, most * 1.25))


def seconds_left(load: Load) -> Range | None:
    """Return the time until the model's last episode ends; None before there is a pace."""
    if not load.left:
        return Range(0.0, 0.0, 0.0)
    slow, fast = load.pace
    if load.steps < FEWEST_STEPS or not slow:
        return None
    slow, fast = slow * _SLOWER, fast * _FASTER
    between = sqrt(slow * fast)
    if load.affordable < load.left * load.each.low:
        steps = steps_left(load)
        return Range(steps.low / fast, steps.expected / between, steps.high / slow)
    waiting, each, last = load.left - load.playing, load.each, load.last
    # The last episodes leave places empty: each then goes at the pace of one.
    at_once = max(1, load.at_once)
    low = (waiting * each.low + last.low * at_once) / fast
    expected = (waiting * each.expected + last.expected * at_once) / between
    high = (waiting * each.high + last.high * at_once) / slow
    return at_most(Range(low, expected, high), load.affordable / between)


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
