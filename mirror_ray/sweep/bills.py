"""The requests, tokens and costs of episodes, and their sums. What is unknown is None, never 0."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from mirror_ray.sweep.ranges import ZERO_RANGE, Range, total, total_of_independent

Known: TypeAlias = Range | None


@dataclass(frozen=True, slots=True)
class Bill:
    """The totals of episodes; None where unknown, or where an offline agent reads no tokens."""

    calls: Range
    tokens_in: Known
    tokens_image: Known
    tokens_out: Known
    cost_usd: Known
    by_own_episodes: bool = False
    """Whether it is estimated from its own cell's episodes, so that its error is independent of
    other cells'."""

    def __add__(self, other: "Bill") -> "Bill":
        """The sum of two; what is unknown in one is unknown in the sum."""
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
