"""One rate-limited key's allowance: requests and tokens per minute, concurrency, pauses.

Knows arithmetic on times it is told; does not know clocks, queues, budgets or who asks.
"""

from math import inf

from mirror_ray.providers.model import Limits

TOLERANCE_S = 0.1
"""How far ahead of its schedule a call may go: what a late timer missed is caught up, no more."""

FIRST_PAUSE_S = 1.0
LONGEST_PAUSE_S = 30.0
LONGEST_HINT_S = 300.0
"""A provider may say any number; after this long it is asked again."""


class Allowance:
    """A rate by virtual scheduling (the generic cell rate algorithm, ITU-T I.371).

    Each amount pushes the time at which the next is due by its share of the minute. In any window
    of W seconds no more is let through than ``(W + TOLERANCE_S) * rate`` plus the largest amount.
    """

    def __init__(self, per_minute: float) -> None:
        self._seconds_each = 60.0 / per_minute
        self._due_s = -inf

    def wait_s(self, now_s: float) -> float:
        """How long until the next amount may pass; 0 when it may pass now."""
        return max(0.0, self._due_s - TOLERANCE_S - now_s)

    def take(self, now_s: float, amount: float) -> None:
        """Let `amount` pass now."""
        self._due_s = max(self._due_s, now_s) + amount * self._seconds_each

    def correct(self, amount: float) -> None:
        """`amount` more (or, negative, less) passed than was taken."""
        self._due_s += amount * self._seconds_each


class Lane:
    """What one key allows, and what it is doing. Times are seconds on any one steady clock."""

    def __init__(self, limits: Limits) -> None:
        self._requests = None if limits.rpm is None else Allowance(limits.rpm)
        self._tokens = None if limits.tpm is None else Allowance(limits.tpm)
        self._concurrency = inf if limits.concurrency is None else limits.concurrency
        self._paused_until_s = -inf
        self._paused_at_s = -inf
        self._next_pause_s = FIRST_PAUSE_S
        self.calls = 0
        self.in_flight = 0

    def wait_s(self, now_s: float) -> float:
        """How long until the next call may go; 0: now; inf: when a call under way has ended."""
        if self.in_flight >= self._concurrency:
            return inf
        waits = [allowance.wait_s(now_s) for allowance in self._allowances]
        return max([0.0, self.paused_s(now_s), *waits])

    def paused_s(self, now_s: float) -> float:
        """How much of a pause is left."""
        return max(0.0, self._paused_until_s - now_s)

    def start(self, now_s: float, tokens: int) -> None:
        """A call goes, of `tokens` as far as one can tell."""
        if self._requests is not None:
            self._requests.take(now_s, 1.0)
        if self._tokens is not None:
            self._tokens.take(now_s, tokens)
        self.calls += 1
        self.in_flight += 1

    def end(self, estimated: int, tokens: int | None) -> None:
        """A call has ended, or is given up; `tokens` None: the estimate is the best there is."""
        self.in_flight -= 1
        if self._tokens is not None and tokens is not None:
            self._tokens.correct(tokens - estimated)

    def turned_away(self, now_s: float, started_s: float, retry_after_s: float | None) -> None:
        """The provider refused a call that started at `started_s`: nobody calls for a while.

        Without a hint the pauses double from refusal to refusal, but calls that were under way
        when a pause began do not lengthen it.
        """
        if retry_after_s is None:
            if started_s < self._paused_at_s:
                return
            retry_after_s = self._next_pause_s
            self._next_pause_s = min(LONGEST_PAUSE_S, 2 * self._next_pause_s)
        self._paused_at_s = now_s
        pause_s = min(LONGEST_HINT_S, max(0.0, retry_after_s))
        self._paused_until_s = max(self._paused_until_s, now_s + pause_s)

    def welcomed(self, started_s: float) -> None:
        """The provider took a call; if it started after the last pause, the next is short."""
        if started_s >= self._paused_at_s:
            self._next_pause_s = FIRST_PAUSE_S

    @property
    def _allowances(self) -> list[Allowance]:
        return [one for one in (self._requests, self._tokens) if one is not None]
