"""A mock provider's limits: which requests it admits, and its counts. Callers pass all times."""

from collections import Counter
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

_MINUTE_S = 60.0
DEEPEST_DEBT_S = 60.0
"""If rejections count against the quota, at most one minute of it can be owed."""


ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class Enforced:
    """The limits, and how much of them replies report. None means no such limit.

    Args:
        kind: how minutes are counted.
        burst_s: the capacity of a bucket in seconds of its rate.
        phase_s: the offset within a window at which counting begins.
        rejections_count: whether a rejected request uses the quota too.
        latency_s: mean latency of an admitted request.
        jitter: the share of the latency by which it varies to either side.
        headers: whether replies report the limits, as OpenAI's do.
        retry_after: whether a rejection says how long to wait.
    """

    rpm: float | None = None
    tpm: float | None = None
    concurrency: int | None = None
    kind: Literal["bucket", "window"] = "bucket"
    burst_s: float = 1.0
    phase_s: float = 0.0
    rejections_count: bool = False
    latency_s: float = 1.0
    jitter: float = 0.2
    headers: bool = False
    retry_after: bool = True


class Bucket:
    """A token bucket of `burst_s` seconds of the rate: refills steadily, starts full."""

    def __init__(self, per_minute: float, burst_s: float, now_s: float) -> None:
        self.per_minute = per_minute
        self.capacity = max(1.0, per_minute / _MINUTE_S * burst_s)
        self.level = self.capacity
        self._at_s = now_s

    def wait_s(self, now_s: float, amount: float) -> float:
        """Return the seconds until `amount` fits; 0: now. A larger amount fits once the bucket is
        full."""
        self._refill(now_s)
        lacking = min(amount, self.capacity) - self.level
        return 0.0 if lacking < ROUNDING else lacking * _MINUTE_S / self.per_minute

    def take(self, now_s: float, amount: float) -> None:
        """Remove `amount`, below empty if necessary."""
        self._refill(now_s)
        deepest = -self.per_minute * DEEPEST_DEBT_S / _MINUTE_S
        self.level = max(deepest, min(self.capacity, self.level - amount))

    def told(self, now_s: float) -> tuple[float, float]:
        """Return what is left, and the seconds until the bucket is full again."""
        self._refill(now_s)
        return max(0.0, self.level), (self.capacity - self.level) * _MINUTE_S / self.per_minute

    def _refill(self, now_s: float) -> None:
        grown = self.level + (now_s - self._at_s) * self.per_minute / _MINUTE_S
        self.level, self._at_s = min(self.capacity, grown), now_s


class MinuteWindow:
    """A quota that restarts with every minute of the provider's own clock."""

    def __init__(self, per_minute: float, phase_s: float, now_s: float) -> None:
        self.per_minute = per_minute
        self._start_s = now_s - phase_s % _MINUTE_S
        self._used = 0.0

    def wait_s(self, now_s: float, amount: float) -> float:
        """Return the seconds until `amount` fits; 0: now. An amount above the quota fits a new
        window."""
        self._turn(now_s)
        if self._used + min(amount, self.per_minute) <= self.per_minute:
            return 0.0
        return self._start_s + _MINUTE_S - now_s

    def take(self, now_s: float, amount: float) -> None:
        """Count `amount`."""
        self._turn(now_s)
        self._used = max(0.0, self._used + amount)

    def told(self, now_s: float) -> tuple[float, float]:
        """Return what is left, and the seconds until the whole quota is available again."""
        self._turn(now_s)
        return max(0.0, self.per_minute - self._used), self._start_s + _MINUTE_S - now_s

    def _turn(self, now_s: float) -> None:
        if now_s >= self._start_s + _MINUTE_S:
            self._start_s += (now_s - self._start_s) // _MINUTE_S * _MINUTE_S
            self._used = 0.0


@dataclass(slots=True)
class _Counts:
    """Counts of events, by seconds since the first request.

    Args:
        first_s: time of the first request, on the server's clock.
        last_s: time of the last admitted request, since the first.
        minutes: admitted requests by the minutes of the provider's clock, the first one being 0.
    """

    first_s: float | None = None
    last_s: float = 0.0
    minutes: Counter[int] = field(default_factory=Counter)
    taken: Counter[int] = field(default_factory=Counter)
    rejected: Counter[int] = field(default_factory=Counter)
    tokens: int = 0
    in_flight: int = 0
    most_in_flight: int = 0

    def told(self) -> dict[str, Any]:
        return {
            **asdict(self),
            "minutes": sorted(self.minutes.items()),
            "taken": sorted(self.taken.items()),
            "rejected": sorted(self.rejected.items()),
        }


class Allowances:
    """One key's limits in use; `now_s` is on the same clock as all later times."""

    def __init__(self, enforced: Enforced, now_s: float) -> None:
        self.counts = _Counts()
        self._began_s = now_s
        self.requests: Bucket | MinuteWindow | None = None
        self.tokens: Bucket | MinuteWindow | None = None
        self.enforce(enforced, now_s)

    def enforce(self, enforced: Enforced, now_s: float) -> None:
        """Change the limits; counts stay, and a bucket keeps its level."""
        self.enforced = enforced
        self.requests = self._allowance(enforced.rpm, self.requests, now_s)
        self.tokens = self._allowance(enforced.tpm, self.tokens, now_s)

    def arrive(self, now_s: float, tokens: int) -> float:
        """Admit a request with this many tokens (0), or return the seconds until it might fit."""
        counts = self.counts
        if counts.first_s is None:
            counts.first_s = now_s
        second = int(now_s - counts.first_s)
        full = self.enforced.concurrency
        wait_s = self.enforced.latency_s if full is not None and counts.in_flight >= full else 0.0
        if self.requests is not None:
            wait_s = max(wait_s, self.requests.wait_s(now_s, 1))
        if self.tokens is not None:
            wait_s = max(wait_s, self.tokens.wait_s(now_s, tokens))
        if wait_s > 0:
            counts.rejected[second] += 1
            if self.enforced.rejections_count and self.requests is not None:
                self.requests.take(now_s, 1)
            return wait_s
        counts.taken[second] += 1
        counts.minutes[int((now_s - self._began_s + self.enforced.phase_s) // _MINUTE_S)] += 1
        counts.last_s = now_s - counts.first_s
        counts.in_flight += 1
        counts.most_in_flight = max(counts.most_in_flight, counts.in_flight)
        if self.requests is not None:
            self.requests.take(now_s, 1)
        if self.tokens is not None:
            self.tokens.take(now_s, tokens)
        return 0.0

    def leave(self, now_s: float, reserved: int, used: int) -> None:
        """Note that an admitted request is answered, and correct its tokens to its usage."""
        self.counts.in_flight -= 1
        self.counts.tokens += used
        if self.tokens is not None:
            self.tokens.take(now_s, used - reserved)

    def _allowance(
        self, per_minute: float | None, before: Bucket | MinuteWindow | None, now_s: float
    ) -> Bucket | MinuteWindow | None:
        if per_minute is None:
            return None
        if self.enforced.kind == "window":
            return MinuteWindow(per_minute, self.enforced.phase_s, now_s)
        bucket = Bucket(per_minute, self.enforced.burst_s, now_s)
        if isinstance(before, Bucket):
            bucket.level = min(bucket.level, before.level)
        return bucket
