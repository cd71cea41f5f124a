"""Rates and quotas: when the next amount may pass. All times are arguments."""

from collections import deque
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from math import inf

WINDOW_S = 60.0

MARGIN = 0.99
"""The share of a quota that is used, because clocks drift and networks bunch spaced calls."""

CATCH_UP_S = 0.5
"""How far a schedule may lag and catch up, within the margin: 0.99 * (1 + 0.5 / 60) < 1."""

HELD_S = 1.0
"""The least capacity of a provider's bucket, in seconds of its rate."""

ARRIVAL_S = 0.5
"""How much later one of two simultaneous calls may arrive."""


class Gcra:
    """Amounts per second by virtual scheduling (the generic cell rate algorithm, ITU-T I.371).

    Each amount delays the next by its share of a second. In any W seconds at most ``(W +
    CATCH_UP_S) * per_s`` plus the largest amount passes."""

    def __init__(self, per_s: float) -> None:
        self.per_s = per_s
        self._due_s = -inf

    def next_s(self, now_s: float) -> float:
        """Return the earliest time, not before now, at which an amount may pass."""
        return max(now_s, self._due_s)

    def take(self, at_s: float, amount: float) -> None:
        """Let `amount` pass at the time that `next_s` returned."""
        catch_up_s = max(0.0, min(CATCH_UP_S, HELD_S - 1.0 / self.per_s))
        self._due_s = max(self._due_s, at_s - catch_up_s) + amount / self.per_s

    def correct(self, amount: float) -> None:
        """Note that `amount` more (or, if negative, less) passed than was taken."""
        self._due_s += amount / self.per_s

    def not_before(self, at_s: float) -> None:
        """Let nothing pass before that time, because earlier calls are unknown."""
        self._due_s = max(self._due_s, at_s)


class SlidingWindow:
    """A quota that a provider counts by the minute, wherever its minutes begin. At most the quota
    passes in any minute and `ARRIVAL_S`; a larger amount passes alone."""

    def __init__(self, quota: float) -> None:
        self.quota = quota
        self._passed: deque[list[float]] = deque()
        self._sum = 0.0

    def next_s(self, at_s: float, amount: float) -> float:
        """Return the earliest time, not before `at_s`, at which `amount` may pass."""
        while self._passed and self._passed[0][0] + WINDOW_S + ARRIVAL_S <= at_s:
            self._sum -= self._passed.popleft()[1]
        excess = self._sum + amount - self.quota
        for passed_s, passed in self._passed:
            if excess <= 0.0:
                break
            excess -= passed
            at_s = max(at_s, passed_s + WINDOW_S + ARRIVAL_S)
        return at_s

    def take(self, at_s: float, amount: float) -> list[float]:
        """Let `amount` pass; return the entry that `correct` needs."""
        entry = [at_s, amount]
        self._passed.append(entry)
        self._sum += amount
        return entry

    def correct(self, entry: list[float], amount: float) -> None:
        """Note that `amount` more (or, if negative, less) passed than was taken."""
        entry[1] += amount
        if self._passed and self._passed[0][0] <= entry[0]:
            self._sum += amount


class DailyQuota:
    """Calls of one day, from midnight to midnight in the provider's `zone`.

    Calls are claimed before they are sent, several at a time. Claims are durable and so survive
    this process. Days are numbered from 1970-01-01."""

    CLOCKS_DIFFER_S = 1.0
    _SHARE = 0.01
    """The share of the quota that is claimed at a time, which a crash may waste."""
    _FIRST = date(1970, 1, 1)

    def __init__(self, quota: float, zone: tzinfo = UTC) -> None:
        self.quota = quota
        self._zone = zone
        self._ends_unix_s = -inf
        self.day = 0
        self.calls = 0
        self.claimed = 0

    def next_s(self, now_s: float, unix_s: float) -> float:
        """Return when the next call may be sent: now, inf (claim more first), or the next day."""
        self._turn(unix_s)
        if self.calls >= self.quota:
            return now_s + self._ends_unix_s - unix_s + self.CLOCKS_DIFFER_S
        return now_s if self.calls < self.claimed else inf

    def take(self, unix_s: float) -> int:
        """Count one call; return the number of its day."""
        self._turn(unix_s)
        self.calls += 1
        return self.day

    def give_back(self, day: int) -> None:
        """Take back one call of a day that was not sent."""
        if day == self.day:
            self.calls = max(0, self.calls - 1)

    def wish(self, unix_s: float) -> int | None:
        """Return how many calls of the day to claim in total; None if enough are claimed."""
        self._turn(unix_s)
        some = max(1, int(self.quota * self._SHARE))
        if self.claimed >= self.quota or self.calls + some <= self.claimed:
            return None
        return int(min(self.quota, self.calls + 2 * some))

    def claim(self, day: int, calls: int) -> None:
        """Note how many calls of `day` are claimed durably."""
        if day == self.day:
            self.claimed = max(self.claimed, calls)

    def day_at(self, unix_s: float) -> int:
        """Return the number of the day at that moment."""
        return (self._date_at(unix_s) - self._FIRST).days

    def resume(self, day: int, claimed: int) -> None:
        """Count calls of `day` that an earlier process claimed, and may have sent."""
        self._begin(self._FIRST + timedelta(days=day))
        self.calls = self.claimed = claimed

    def _turn(self, unix_s: float) -> None:
        if unix_s >= self._ends_unix_s:
            self._begin(self._date_at(unix_s))

    def _begin(self, of: date) -> None:
        self.day, self.calls, self.claimed = (of - self._FIRST).days, 0, 0
        midnight = datetime.combine(of + timedelta(days=1), time(), self._zone)
        self._ends_unix_s = midnight.timestamp()

    def _date_at(self, unix_s: float) -> date:
        return datetime.fromtimestamp(unix_s, self._zone).date()
