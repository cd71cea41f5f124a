"""Estimates other users' share of a key from the remaining requests that its provider reports."""

from dataclasses import dataclass
from math import exp, inf

NOTICED = 0.05
"""Other users count from this share of the rate; less may be rounding, or calls that overtake."""

FAIR = 0.5
"""However much others use, this share of the rate is tried, so that greedy users get refusals
too."""

SPAN_S = 1.0
MEMORY_S = 10.0
"""Others' use is measured over spans of at least the first, and remembered for the second."""

FULL = 0.98
"""A bucket this full may have overflowed, so what others took from it is unknown."""


@dataclass(frozen=True, slots=True)
class _Reading:
    """The requests left after the call `number`, sent at `at_s`."""

    at_s: float
    number: int
    left: float


class SharedUsage:
    """The bound set by the remaining requests; no bound without other users. A quota that does not
    refill steadily restarts every minute."""

    def __init__(self, *, refills: bool) -> None:
        self._refills = refills
        self._newest: _Reading | None = None
        self._base: _Reading | None = None
        self._most = 0.0
        self._per_s = inf
        self._others_per_s = 0.0
        self._ends_s = -inf

    def stated(
        self, at_s: float, number: int, left: float, *, per_s: float, resets_at_s: float | None
    ) -> None:
        """Take over how many requests a reply says were left; replies to calls sent earlier are
        outdated.

        Args:
            number: how many calls had been sent, this one included.
            per_s: the key's rate.
            resets_at_s: when the quota is full again.
        """
        if self._newest is not None and number <= self._newest.number:
            return
        self._newest = _Reading(at_s, number, left)
        self._per_s = per_s
        self._most = max(self._most, left)
        self._ends_s = -inf if resets_at_s is None else resets_at_s
        if self._base is None or (not self._refills and left > self._base.left):
            self._base = self._newest
        elif at_s - self._base.at_s >= SPAN_S:
            self._measure(self._base, self._newest)
            self._base = self._newest

    def next_s(self, now_s: float, granted: int) -> float:
        """Return the earliest time, not before now, at which a call after those `granted` may
        pass."""
        stated = self._newest
        if stated is None or self._others_per_s < NOTICED * self._per_s:
            return now_s
        spare = stated.left - (granted - stated.number) - 1.0
        if self._refills:
            gain_per_s = max(FAIR * self._per_s, self._per_s - self._others_per_s)
            return max(now_s, stated.at_s - spare / gain_per_s)
        spare -= self._others_per_s * (now_s - stated.at_s)
        return now_s if spare >= 0.0 else max(now_s, self._ends_s)

    def _measure(self, base: _Reading, newest: _Reading) -> None:
        span_s = newest.at_s - base.at_s
        others_per_s = 0.0
        if not self._refills or newest.left < FULL * self._most:
            refilled = self._per_s * span_s if self._refills else 0.0
            gone = base.left + refilled - newest.left
            others_per_s = max(0.0, (gone - (newest.number - base.number)) / span_s)
        weight = 1.0 - exp(-span_s / MEMORY_S)
        self._others_per_s += weight * (others_per_s - self._others_per_s)
