"""A fixed window's quota: once it is exhausted, no rate passes until the next window."""

from mirror_ray.engine.limiter.rates import WINDOW_S
from mirror_ray.engine.limiter.refusal_history import BIN_S, RejectionHistory

SURELY_ONE_S = WINDOW_S - 5.0
"""Less than a window: the calls in such a span, between two exhaustions, all fell into one
minute."""

ALIKE = 0.02
"""The difference allowed between two minutes of the same quota: calls overtake one another."""


class WindowQuota:
    """Infers the quota when two windows in a row were exhausted after as many calls."""

    def __init__(self) -> None:
        self._exhausted_s: float | None = None
        self._opened_s: float | None = None
        self._before: int | None = None

    def passed(self, at_s: float) -> None:
        """A call sent then was not refused."""
        if self._exhausted_s is not None and at_s >= self._exhausted_s and self._opened_s is None:
            self._opened_s = at_s

    def exhausted(self, history: RejectionHistory, until_s: float) -> int | None:
        """Let nothing more pass; return the quota, if it is certain.

        Args:
            until_s: refusals of calls sent by then have arrived.
        """
        opened_s, self._opened_s = self._opened_s, None
        self._exhausted_s = history.front_s
        if opened_s is None:
            return None
        if until_s - opened_s > SURELY_ONE_S:
            self._before = None
            return None
        granted, refused = history.counts(opened_s - BIN_S, until_s)
        before, self._before = self._before, granted - refused
        if before is None or abs(self._before - before) > max(1.0, ALIKE * before):
            return None
        return min(before, self._before)
