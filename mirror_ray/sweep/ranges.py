"""Figures with an interval: an expected value and its bounds, with their arithmetic."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import exp, hypot, inf, log, sqrt


@dataclass(frozen=True, slots=True)
class Range:
    """An expected figure between two bounds; low ≤ expected ≤ high, none of them negative."""

    low: float
    expected: float
    high: float

    def __add__(self, other: "Range") -> "Range":
        """Add bound by bound: errors are assumed to have the same sign, which is the cautious
        choice.
        """
        return Range(self.low + other.low, self.expected + other.expected, self.high + other.high)

    def __mul__(self, other: "Range | float") -> "Range":
        """Multiply by a number, or by a figure whose error is independent: relative errors add as
        vectors, in logs.
        """
        if isinstance(other, int | float):
            return Range(self.low * other, self.expected * other, self.high * other)
        expected = self.expected * other.expected
        if expected == 0:
            return Range(0.0, 0.0, self.high * other.high)
        down = hypot(*(_log_ratio(one.expected, one.low) for one in (self, other)))
        up = hypot(*(_log_ratio(one.high, one.expected) for one in (self, other)))
        return Range(expected * exp(-down), expected, expected * exp(up))

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
    """Return a range of which only the bounds (> 0) are known: the geometric mean is expected."""
    return Range(low, sqrt(low * high), high)


def total(ranges: Iterable[Range]) -> Range:
    """Return the sum of all ranges."""
    return sum(ranges, ZERO_RANGE)


def total_of_independent(ranges: Sequence[Range]) -> Range:
    """Return the sum of figures whose errors are independent: they add as vectors."""
    whole = total(ranges)
    down = hypot(*(one.expected - one.low for one in ranges))
    up = hypot(*(one.high - one.expected for one in ranges))
    return Range(max(0.0, whole.expected - down), whole.expected, whole.expected + up)


def latest(ranges: Iterable[Range]) -> Range:
    """Return when the last of several that start together ends; NOTHING without any."""
    return _each(max, [ZERO_RANGE, *ranges])


def _each(choose: Callable[[Iterable[float]], float], ranges: list[Range]) -> Range:
    return Range(
        choose(one.low for one in ranges),
        choose(one.expected for one in ranges),
        choose(one.high for one in ranges),
    )


def _log_ratio(above: float, below: float) -> float:
    return inf if below == 0 else log(above / below)
