"""What a provider says is left of a key's requests, and what other users of the key take of it.

Knows a rate, what was told when, and how many calls have gone; does not know headers, refusals or
clocks. Where nobody else uses the key it asks for nothing: the key's own pace is enough then.
"""

from dataclasses import dataclass
from math import exp, inf

NOTICED = 0.05
"""Others count from this share of the rate on; less may be rounding, or calls that overtake."""

FAIR = 0.5
"""However much others take, so much of the rate is tried: a greedy one is met by refusals too."""

SPAN_S = 1.0
MEMORY_S = 10.0
"""What others take is measured over spans of at least the one, and remembered for the other."""

FULL = 0.98
"""A bucket that full may have overflowed: what others took of it cannot be told."""


@dataclass(frozen=True, slots=True)
class _Told:
    """`left` after the call `number`, which went at `at_s`."""

    at_s: float
    number: int
    left: float


class Remaining:
    """The bound that is set by what is left.

    Args:
        refills: whether it refills steadily; else it starts anew with the provider's minute.
    """

    def __init__(self, *, refills: bool) -> None:
        self._refills = refills
        self._newest: _Told | None = None
        self._base: _Told | None = None
        self._most = 0.0
        self._per_s = inf
        self._others_per_s = 0.0
        self._ends_s = -inf

    def told(
        self, at_s: float, number: int, left: float, *, per_s: float, resets_at_s: float | None
    ) -> None:
        """A call's reply says what was left; replies of calls that went earlier are old news.

        Args:
            number: how many calls had gone, this one included.
            per_s: the key's rate.
            resets_at_s: when it is whole again.
        """
        if self._newest is not None and number <= self._newest.number:
            return
        self._newest = _Told(at_s, number, left)
        self._per_s = per_s
        self._most = max(self._most, left)
        self._ends_s = -inf if resets_at_s is None else resets_at_s
        if self._base is None or (not self._refills and left > self._base.left):
            self._base = self._newest
        elif at_s - self._base.at_s >= SPAN_S:
            self._measure(self._base, self._newest)
            self._base = self._newest

    def next_s(self, now_s: float, granted: int) -> float:
        """The earliest time, not before now, at which a further call finds something left.

        Args:
            granted: how many calls have gone.
        """
        told = self._newest
        if told is None or self._others_per_s < NOTICED * self._per_s:
            return now_s
        spare = told.left - (granted - told.number) - 1.0
        if self._refills:
            gain_per_s = max(FAIR * self._per_s, self._per_s - self._others_per_s)
            return max(now_s, told.at_s - spare / gain_per_s)
        spare -= self._others_per_s * (now_s - told.at_s)
        return now_s if spare >= 0.0 else max(now_s, self._ends_s)

    def _measure(self, base: _Told, newest: _Told) -> None:
        span_s = newest.at_s - base.at_s
        others_per_s = 0.0
        if not self._refills or newest.left < FULL * self._most:
            refilled = self._per_s * span_s if self._refills else 0.0
            gone = base.left + refilled - newest.left
            others_per_s = max(0.0, (gone - (newest.number - base.number)) / span_s)
        weight = 1.0 - exp(-span_s / MEMORY_S)
        self._others_per_s += weight * (others_per_s - self._others_per_s)
