"""One key's limits: requests and tokens per minute, calls per day, concurrency.

It reads no clock: all times are arguments on one steady clock, except those for the day."""

from dataclasses import dataclass
from math import floor, inf
from zoneinfo import ZoneInfo

from mirror_ray.core.types import Quota
from mirror_ray.engine.limiter.concurrency_discovery import ConcurrencyController
from mirror_ray.engine.limiter.messages import CallResult, RecentCalls
from mirror_ray.engine.limiter.rate_discovery import EXHAUSTED_SHARE, RateController
from mirror_ray.engine.limiter.rates import MARGIN, WINDOW_S, DailyQuota, Gcra, SlidingWindow
from mirror_ray.engine.limiter.shared_usage import SharedUsage
from mirror_ray.providers.model import Limits

SHORT_HINT_S = 2.5
"""Up to this hint, only the refused call itself waits; the key's pace takes care of the others."""
LONGEST_HINT_S = 300.0
"""The longest pause. A provider may ask for any time; after this long the key is used again."""
_FIRST_PAUSE_S = 1.0
_LONGEST_PAUSE_S = 15.0


@dataclass(frozen=True, slots=True)
class Started:
    """A granted call, until its end.

    Args:
        number: how many had been sent then, this one included; 0 if an earlier Limiter sent it.
        minute: what the quota of a fixed window needs.
        day: the number of the day that counts it, if any.
        in_flight: calls in flight then, this one included.
        window: of the search for the concurrency; -1 without a search.
    """

    at_s: float
    number: int
    tokens: float
    minute: list[float] | None
    day: int | None
    in_flight: int = 0
    window: int = -1


class KeyLimits:
    """One key's limits, and their present state."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.pace = RateController(_per_s(limits.rpm))
        self._requests = Gcra(self.pace.per_s)
        self._tokens: Gcra | None = None
        self._minute: SlidingWindow | None = None
        self._allow_tokens(limits.tpm)
        zone = ZoneInfo(limits.day_zone)
        self.day = None if limits.rpd is None else DailyQuota(limits.rpd, zone)
        self._concurrency = inf if limits.concurrency is None else limits.concurrency
        self._sought = (
            ConcurrencyController(limits.concurrency) if limits.seeks_concurrency else None
        )
        self._shared_usage = SharedUsage(refills=limits.window == "bucket")
        self._granted = 0
        self._paused_until_s = -inf
        self._next_pause_s = _FIRST_PAUSE_S
        self._long_hints = 0
        self.calls = self.in_flight = self.refusals = 0

    def retune(self, limits: Limits) -> None:
        """Change the limits on requests, tokens and concurrent calls; the rest is kept."""
        before, self.limits = self.limits, limits
        if limits.rpm != before.rpm and (per_s := _per_s(limits.rpm)) is not None:
            self.pace.stated(per_s)
        if limits.tpm != before.tpm:
            self._allow_tokens(limits.tpm)
        if limits.concurrency != before.concurrency and limits.concurrency is not None:
            self._concurrency = limits.concurrency
            if self._sought is not None:
                self._sought = ConcurrencyController(limits.concurrency)

    def next_s(self, now_s: float, unix_s: float, tokens: float) -> float:
        """Return when the next call may be sent, not before now; inf if a call has to end first."""
        if self.full:
            return inf
        at_s = max(self._requests.next_s(now_s), self._paused_until_s)
        at_s = self._shared_usage.next_s(at_s, self._granted)
        if self._tokens is not None:
            at_s = max(at_s, self._tokens.next_s(now_s))
        if self.day is not None:
            at_s = max(at_s, self.day.next_s(now_s, unix_s))
        return at_s if self._minute is None else self._minute.next_s(at_s, tokens)

    @property
    def full(self) -> bool:
        """Whether the next call has to wait for another to end."""
        return self.in_flight >= self.concurrency

    @property
    def concurrency(self) -> float:
        """The number of calls that may be in flight; inf without a bound."""
        return self._concurrency if self._sought is None else floor(self._sought.limit)

    def paused_s(self, now_s: float) -> float:
        """Return the remaining time of a pause."""
        return max(0.0, self._paused_until_s - now_s)

    def start(self, at_s: float, unix_s: float, tokens: float) -> Started:
        """Count a call of `tokens` estimated tokens, sent when `next_s` allowed it, at `unix_s`."""
        self._requests.per_s = self.pace.per_s
        self._requests.take(at_s, 1.0)
        self.pace.granted(at_s)
        if self._tokens is not None:
            self._tokens.take(at_s, tokens)
        day = None if self.day is None else self.day.take(unix_s)
        self.calls += 1
        self._granted += 1
        self.in_flight += 1
        minute = None if self._minute is None else self._minute.take(at_s, tokens)
        window = -1 if self._sought is None else self._sought.window
        return Started(at_s, self._granted, tokens, minute, day, self.in_flight, window)

    def readmit(self, at_s: float, tokens: float) -> Started:
        """Count a call in flight that was sent before this object was made."""
        self.in_flight += 1
        return Started(at_s, 0, tokens, None, None)

    def resume(self, now_s: float, recent: RecentCalls) -> None:
        """Count the calls of one second that were sent before this object was made."""
        if self._minute is not None:
            self._minute.take(now_s - recent.ago_s, recent.tokens)

    def hold_until(self, at_s: float, sustained_per_s: float) -> None:
        """Grant nothing before `at_s`; `sustained_per_s` is the rate that the provider accepted."""
        self._paused_until_s = max(self._paused_until_s, at_s)
        self._requests.not_before(at_s)
        if self._tokens is not None:
            self._tokens.not_before(at_s)
        self.pace.resume(sustained_per_s)

    def end(self, now_s: float, started: Started, result: CallResult) -> None:
        """Count the end of a call, or of an unused slot."""
        self.in_flight -= 1
        if not result.made:
            self.calls -= 1
            self._correct(started, 0.0)
            if self.day is not None and started.day is not None:
                self.day.give_back(started.day)
            return
        if self._sought is not None:
            latency_s = now_s - started.at_s
            self._sought.ended(latency_s, started.in_flight, started.window, result.error_kind)
        self._correct(started, result.tokens)
        if result.quota is not None:
            self._learn(now_s, started, result.quota)
        if result.error_kind == "rate_limit":
            self._refused(now_s, started.at_s, _hint_s(result))
            return
        self.pace.passed(started.at_s)
        if started.at_s >= self._paused_until_s:
            self._long_hints = 0
            self._next_pause_s = _FIRST_PAUSE_S

    def abandon(self) -> None:
        """Note that the end of a call will never be reported."""
        self.in_flight -= 1

    def grow(self, now_s: float, *, wanted: bool) -> None:
        """Advance the clock. `wanted` says that calls always waited, for nothing but their turn."""
        self.pace.grow(now_s, wanted=wanted and not self.paused_s(now_s))

    def is_due(self, by_s: float) -> bool:
        """Return whether the rate of requests would admit a call by then."""
        return self._requests.next_s(-inf) <= by_s

    def _correct(self, started: Started, tokens: float | None) -> None:
        if tokens is None:
            return
        if self._tokens is not None:
            self._tokens.correct(tokens - started.tokens)
        if self._minute is not None and started.minute is not None:
            self._minute.correct(started.minute, tokens - started.tokens)

    def _refused(self, now_s: float, at_s: float, hint_s: float | None) -> None:
        self.refusals += 1
        share = self.pace.refused(now_s, at_s)
        pause_s = 0.0
        if hint_s is not None and hint_s > SHORT_HINT_S:
            self._long_hints += 1
            if self._long_hints >= 2 or share:
                pause_s = min(hint_s, LONGEST_HINT_S)
        if share >= EXHAUSTED_SHARE:
            pause_s = max(pause_s, self._next_pause_s)
            self._next_pause_s = min(_LONGEST_PAUSE_S, 2 * self._next_pause_s)
        if pause_s:
            self._paused_until_s = max(self._paused_until_s, now_s + pause_s)

    def _learn(self, now_s: float, started: Started, quota: Quota) -> None:
        rpm = _least(self.limits.rpm, quota.rpm)
        if rpm is not None:
            self.pace.stated(rpm * MARGIN / WINDOW_S)
        self._allow_tokens(_least(self.limits.tpm, quota.tpm))
        if rpm is not None and quota.requests_left is not None and started.number:
            self._shared_usage.stated(
                started.at_s,
                started.number,
                quota.requests_left,
                per_s=rpm / WINDOW_S,
                resets_at_s=_at(now_s, quota.requests_reset_s),
            )

    def _allow_tokens(self, tpm: float | None) -> None:
        per_s = _per_s(tpm)
        if tpm is None or per_s is None:
            return
        if self._tokens is None:
            self._tokens = Gcra(per_s)
            self._minute = SlidingWindow(tpm) if self.limits.window == "minute" else None
        self._tokens.per_s = per_s
        if self._minute is not None:
            self._minute.quota = tpm


def strictest(limits: Limits, other: Limits) -> Limits:
    """Return the limits that satisfy both of two sets."""
    concurrency = [c for c in (limits.concurrency, other.concurrency) if c is not None]
    return Limits(
        limits.key,
        rpm=_least(limits.rpm, other.rpm),
        tpm=_least(limits.tpm, other.tpm),
        concurrency=min(concurrency, default=None),
        rpd=_least(limits.rpd, other.rpd),
        day_zone=limits.day_zone,
        window="minute" if "minute" in (limits.window, other.window) else "bucket",
        seeks_concurrency=limits.seeks_concurrency or other.seeks_concurrency,
    )


def _per_s(per_minute: float | None) -> float | None:
    return None if per_minute is None else per_minute * MARGIN / WINDOW_S


def _at(now_s: float, in_s: float | None) -> float | None:
    return None if in_s is None else now_s + min(in_s, LONGEST_HINT_S)


def _least(one: float | None, other: float | None) -> float | None:
    return min([value for value in (one, other) if value is not None], default=None)


def _hint_s(result: CallResult) -> float | None:
    """Return how long a refusing provider asked to wait, in seconds."""
    quota = result.quota
    if result.retry_after_s is not None or quota is None:
        return result.retry_after_s
    resets = [
        reset_s
        for left, reset_s in (
            (quota.requests_left, quota.requests_reset_s),
            (quota.tokens_left, quota.tokens_reset_s),
        )
        if left is not None and left < 1 and reset_s is not None
    ]
    return max(resets, default=None)
