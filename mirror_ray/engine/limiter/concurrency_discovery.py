"""Finds the useful number of concurrent calls of a server that queues instead of refusing. The
number is increased additively and decreased multiplicatively, by latency:

more concurrent calls bring more replies a second until the server is full; beyond that they only
make each other wait. By Little's law, replies per second are calls in flight over latency, so no
clock is read."""

from dataclasses import dataclass
from math import floor

from mirror_ray.core.error_kinds import ErrorKind

FIRST = 8
MOST = 512

ENOUGH_OF_A_GAIN = 0.2
"""A share of the gain that a server with room would show; less means a queue."""

INCREASE = 0.1
DECREASE = 0.8
DECREASE_IN_TROUBLE = 0.5
FULL = 0.9
"""If fewer calls than this share of the limit were in flight at its start, a call says nothing
about the limit."""

FEWEST_CALLS = 8
"""The fewest calls whose mean latency is compared."""

TROUBLE: frozenset[ErrorKind] = frozenset({"timeout", "server"})


@dataclass(frozen=True, slots=True)
class _Measured:
    limit: float
    per_s: float


class ConcurrencyController:
    """The number of concurrent calls that seems useful; at most `at_most`, or `MOST`."""

    def __init__(self, at_most: int | None) -> None:
        self._at_most = float(MOST if at_most is None else at_most)
        self.limit = min(float(FIRST), self._at_most)
        self._before: _Measured | None = None
        self._slow_start = True
        self._latencies_s: list[float] = []
        self._window = 0

    @property
    def window(self) -> int:
        """A number that each call keeps to its end, which identifies calls of an earlier limit."""
        return self._window

    def ended(self, latency_s: float, in_flight: int, window: int, error_kind: ErrorKind) -> None:
        """Count the end of a call.

        Args:
            in_flight: how many were in flight when it began, itself included.
            window: the window when it began.
        """
        if window != self._window:
            return
        if error_kind in TROUBLE or error_kind == "rate_limit":
            self._slow_start = False
            factor = DECREASE if error_kind == "rate_limit" else DECREASE_IN_TROUBLE
            self._go_on(factor * self.limit, None)
            return
        if in_flight < FULL * floor(self.limit) or latency_s <= 0.0:
            return
        self._latencies_s.append(latency_s)
        if len(self._latencies_s) >= max(FEWEST_CALLS, self.limit):
            self._judge()

    def _judge(self) -> None:
        mean_s = sum(self._latencies_s) / len(self._latencies_s)
        now = _Measured(self.limit, floor(self.limit) / mean_s)
        before = self._before
        if before is not None and before.limit < now.limit:
            hoped = now.limit / before.limit - 1.0
            if now.per_s / before.per_s - 1.0 < ENOUGH_OF_A_GAIN * hoped:
                # Also less than before: 5 calls would otherwise become 4, and then 5 again.
                less = min(DECREASE * self.limit, before.limit - 0.5)
                limit = before.limit if self._slow_start else less
                self._slow_start = False
                self._go_on(limit, None)
                return
        more = self.limit if self._slow_start else max(1.0, INCREASE * self.limit)
        self._go_on(self.limit + more, now)

    def _go_on(self, limit: float, measured: _Measured | None) -> None:
        self.limit = min(self._at_most, max(1.0, limit))
        self._before = measured
        self._latencies_s = []
        self._window += 1
