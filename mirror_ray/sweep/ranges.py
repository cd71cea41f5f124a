"""Figures with an interval: an expected value and its bounds, with arithmetic. Also bills: the
requests, tokens and costs of episodes. Unknown values are None, never 0."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import exp, hypot, inf, log, sqrt
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Range:
    """An expected figure between two bounds; low ≤ expected ≤ high, none of them negative."""

    low: float
    expected: float
    high: float

    def __add__(self, other: "Range") -> "Range":
        """Add the bounds, which cautiously assumes that errors have the same sign."""
        return Range(self.low + other.low, self.expected + other.expected, self.high + other.high)

    def __mul__(self, other: "Range | float") -> "Range":
        """Multiply by a number or an independent figure; relative errors add as vectors, in
        logs."""
        if isinstance(other, int | float):
            return Range(self.low * other, self.expected * other, self.high * other)
        expected = self.expected * other.expected
        if expected == 0:
            return Range(0.0, 0.0, self.high * other.high)
        down = hypot(*(_log_ratio(one.expected, one.low) for one in (self, other)))
        up = hypot(*(_log_ratio(one.high, one.expected) for one in (self, other)))
        return Range(expected * exp(-down), expected, expected * exp(up))

    def each(self, change: Callable[[float], float]) -> "Range":
        """Return the range of the changed figure; the change must preserve the order."""
        return Range(change(self.low), change(self.expected), change(self.high))

    def holds(self, figure: float) -> bool:
        """Return whether a figure lies within the bounds."""
        return self.low <= figure <= self.high


ZERO_RANGE = Range(0.0, 0.0, 0.0)
CHARS_PER_TOKEN = Range(3.0, 4.0, 5.0)
"""Characters per token of English prose and JSON, over the vendors' tokenizers."""


def exactly(figure: float) -> Range:
    """Return the range of a known figure."""
    return Range(figure, figure, figure)


def between(low: float, high: float) -> Range:
    """Return a range given only its bounds (> 0); the geometric mean is the expected value."""
    return Range(low, sqrt(low * high), high)


def total(ranges: Iterable[Range]) -> Range:
    """Return the sum of all ranges."""
    return sum(ranges, ZERO_RANGE)


def total_of_independent(ranges: Sequence[Range]) -> Range:
    """Return the sum of figures whose errors are independent and so add as vectors."""
    whole = total(ranges)
    down = hypot(*(one.expected - one.low for one in ranges))
    up = hypot(*(one.high - one.expected for one in ranges))
    return Range(max(0.0, whole.expected - down), whole.expected, whole.expected + up)


def latest(ranges: Iterable[Range]) -> Range:
    """Return when the last of several that start together ends; `ZERO_RANGE` for an empty list."""
    figures = [(one.low, one.expected, one.high) for one in (ZERO_RANGE, *ranges)]
    return Range(*map(max, zip(*figures, strict=True)))


def _log_ratio(above: float, below: float) -> float:
    return inf if below == 0 else log(above / below)


Known: TypeAlias = Range | None


@dataclass(frozen=True, slots=True)
class Bill:
    """The totals of episodes; None if unknown, or if an offline agent reads no tokens."""

    calls: Range
    tokens_in: Known
    tokens_image: Known
    tokens_out: Known
    cost_usd: Known
    by_own_episodes: bool = False
    """Whether it is estimated only from its own cell's episodes, independently of others."""

    def __add__(self, other: "Bill") -> "Bill":
        """Return the sum of two bills; a value unknown in one is unknown in the sum."""
        return Bill(
            self.calls + other.calls,
            _plus(self.tokens_in, other.tokens_in),
            _plus(self.tokens_image, other.tokens_image),
            _plus(self.tokens_out, other.tokens_out),
            _plus(self.cost_usd, other.cost_usd),
            self.by_own_episodes and other.by_own_episodes,
        )


FREE = Bill(ZERO_RANGE, ZERO_RANGE, ZERO_RANGE, ZERO_RANGE, ZERO_RANGE, by_own_episodes=True)


def _plus(one: Known, other: Known) -> Known:
    return None if one is None or other is None else one + other


def together(bills: Sequence[Bill]) -> Bill:
    """Return the sum of all bills."""
    return sum(bills, FREE)


def known_bills_usd(bills: Sequence[Bill]) -> tuple[Range, bool]:
    """Return the sum of the known costs, and whether all are known."""
    known = [(bill.by_own_episodes, bill.cost_usd) for bill in bills if bill.cost_usd is not None]
    apart = total_of_independent([usd for by_own, usd in known if by_own])
    return apart + total(usd for by_own, usd in known if not by_own), len(known) == len(bills)
