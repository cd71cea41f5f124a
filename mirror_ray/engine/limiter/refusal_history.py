"""Refusals among the last minute's grants: the share refused at any rate, and a fixed window's
quota."""

from collections import deque
from dataclasses import dataclass
from math import inf
from typing import NamedTuple

from mirror_ray.engine.limiter.rates import WINDOW_S

MEMORY_S = 60.0
BIN_S = 0.05


class _Counts(NamedTuple):
    granted: int
    refused: int

    @property
    def share(self) -> float:
        return self.refused / self.granted if self.granted else 0.0


@dataclass(slots=True)
class _Bin:
    begin_s: float
    granted: int = 0
    refused: int = 0


class RejectionHistory:
    """Grants of the last minute, and which of them were refused."""

    def __init__(self) -> None:
        self._bins: deque[_Bin] = deque()

    @property
    def front_s(self) -> float:
        """The time of the latest grant."""
        return self._bins[-1].begin_s + BIN_S if self._bins else -inf

    def granted(self, at_s: float) -> None:
        """Count a call sent at that time; times do not decrease."""
        if at_s >= self.front_s:
            self._bins.append(_Bin(at_s))
            while at_s - self._bins[0].begin_s > MEMORY_S:
                self._bins.popleft()
        self._bins[-1].granted += 1

    def refused(self, at_s: float) -> None:
        """Count the refusal of a call sent at that time."""
        for one in reversed(self._bins):
            if one.begin_s <= at_s:
                one.refused += 1
                return

    def counts(self, begin_s: float, end_s: float) -> _Counts:
        """Return the counts of all bins that lie within a span."""
        granted = refused = 0
        for one in reversed(self._bins):
            if one.begin_s < begin_s:
                break
            if one.begin_s + BIN_S <= end_s:
                granted += one.granted
                refused += one.refused
        return _Counts(granted, refused)

    def first_refused_s(self, begin_s: float) -> float:
        """Return the time of the first bin since then with a refused grant; inf without one."""
        first_s = inf
        for one in reversed(self._bins):
            if one.begin_s < begin_s:
                break
            if one.refused:
                first_s = one.begin_s
        return first_s


class BaselineRejections:
    """Refusals that a lower rate does not reduce, because they have other reasons.

    A limit that refuses a share s < 1/2 of the calls refuses none at half the pace. Calls still
    refused at that pace are refused for other reasons."""

    CALM_S = 10.0
    FADING_S = 60.0
    LATELY_S = 20.0
    LEAST_COUNT = 4
    LEAST_SHARE = 0.04

    def __init__(self) -> None:
        self._share = 0.0
        self._measured_s = -inf
        self._last_s = -inf
        self._first_per_s = 0.0
        self._halved_s: float | None = None

    def share(self, now_s: float) -> float:
        """Return the share of calls that is refused at any pace; it fades with time."""
        return self._share * float(0.5 ** ((now_s - self._measured_s) / self.FADING_S))

    def refused(self, history: RejectionHistory, now_s: float, per_s: float) -> float | None:
        """Count a call refused at a pace. If slowing down did not help, return the pace to go back
        to."""
        if now_s - self._last_s > self.CALM_S:
            self._first_per_s, self._halved_s = per_s, None
        self._last_s = now_s
        if (
            self.share(now_s)
            and history.counts(now_s - self.LATELY_S, now_s).share > self._share / 2
        ):
            self._measured_s = now_s
        if per_s > self._first_per_s / 2:
            return None
        if self._halved_s is None:
            self._halved_s = history.front_s
        slow = history.counts(self._halved_s, now_s)
        if slow.refused < self.LEAST_COUNT or slow.share < self.LEAST_SHARE:
            return None
        fast = history.counts(self._halved_s - self.CALM_S, self._halved_s)
        if fast.share > 0.5 or slow.share < fast.share / 2:
            return None
        self._last_s = -inf
        self._share, self._measured_s = slow.share, now_s
        return self._first_per_s


SURELY_ONE_S = WINDOW_S - 5.0
"""If a key is exhausted twice within this time, one minute has all calls in between."""

ALIKE = 0.02
"""The allowed difference between two minutes of the same quota, because calls overtake one
another."""


class WindowQuota:
    """Infers the quota if two windows in a row were exhausted after as many calls."""

    def __init__(self) -> None:
        self._exhausted_s: float | None = None
        self._opened_s: float | None = None
        self._before: int | None = None

    def passed(self, at_s: float) -> None:
        """Note that a call sent then was not refused."""
        if self._exhausted_s is not None and at_s >= self._exhausted_s and self._opened_s is None:
            self._opened_s = at_s

    def exhausted(self, history: RejectionHistory, until_s: float) -> int | None:
        """Let nothing more pass; return the quota if it is certain. All refusals up to `until_s`
        are known."""
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
