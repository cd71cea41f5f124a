"""Finds the rate of a key whose limit is unknown, or differs from the stated one.

Probes like congestion control: slow start, then growth that begins gently after each cut and
accelerates (after Ha, Rhee, Xu 2008). A cut goes to the rate that passed; calls granted before a
cut cause no further cut. All times are arguments."""

from math import inf

from mirror_ray.engine.limiter.rates import MARGIN, WINDOW_S
from mirror_ray.engine.limiter.refusal_history import (
    MEMORY_S,
    BaselineRejections,
    RejectionHistory,
    WindowQuota,
)

FIRST_PER_S = 4.0
LEAST_PER_S = 0.1
DOUBLING_S = 1.5
"""Doubling time of the slow start."""

GENTLE_PER_S = 0.003
GENTLE_PER_CALL = 0.0005
HASTENING_S = 12.0
HASTIEST_PER_S = 0.05
"""Growth after a cut: 0.3 % a second (at few calls, 0.05 % a call), twice as much every 12 s."""

NEAR = 0.9
FAR_PER_S = 0.025
"""Below 90 % of the refused rate, growth is faster: the cut was too deep."""

LESS_PER_REFUSAL = 1.0
MOST_AT_ONCE = 0.05
"""A single refusal subtracts one call per second, but at most 5 %: few refusals keep the rate near
the limit."""

BELOW_GOODPUT = 0.97
OVERSHOT = 0.5
START_COUNT = 3
DENSE_COUNT = 5
DENSE_SHARE = 0.05
ROOM_FOR_CHANCE = 1.5
"""Fewer refusals, or a smaller share, cause no cut: they are noise, or the price of probing."""

EXHAUSTED_SHARE = 0.9
"""From this share of refusals, nothing passes at any rate, as at the end of an exhausted minute."""


FOUND_FOR_S = 600.0
"""How long an inferred quota per minute is assumed to apply; it may have been raised."""


class RateController:
    """The rate that a key seems to sustain; at first the highest one, if known."""

    def __init__(self, ceiling_per_s: float | None) -> None:
        self.ceiling_per_s = inf if ceiling_per_s is None else ceiling_per_s
        self.per_s = FIRST_PER_S if ceiling_per_s is None else ceiling_per_s
        self._slow_start = ceiling_per_s is None
        self._refused_in_start = 0
        self._too_much_per_s = 0.0
        self._calm_s = 0.0
        self._grown_at_s: float | None = None
        self._cut_s = -inf
        self._delay_s = 0.2
        self._history = RejectionHistory()
        self._background = BaselineRejections()
        self._window_quota = WindowQuota()
        self._found_s: float | None = None

    def stated(self, ceiling_per_s: float) -> None:
        """Take over a stated limit, which is new or has changed."""
        if ceiling_per_s == self.ceiling_per_s:
            return
        was_sustained = self._cut_s > -inf
        self._found_s = None
        self.ceiling_per_s = ceiling_per_s
        self.per_s = min(self.per_s, ceiling_per_s) if was_sustained else ceiling_per_s
        self._slow_start = False

    def resume(self, per_s: float) -> None:
        """Start from a rate that was sustained before."""
        self.per_s = min(self.ceiling_per_s, max(self.per_s, per_s))

    def granted(self, at_s: float) -> None:
        """Count a call sent at that time; times do not decrease."""
        self._history.granted(at_s)

    def passed(self, at_s: float) -> None:
        """Note that a call sent then was not refused."""
        self._window_quota.passed(at_s)

    def refused(self, now_s: float, at_s: float) -> float:
        """Count a rate-limit refusal of a call sent then. Return the share refused if this caused a
        cut, or 0."""
        self._history.refused(at_s)
        # How long nearly all refusals take to arrive; calls granted since may still be refused.
        late_s = now_s - at_s - self._delay_s
        self._delay_s += (0.5 if late_s > 0 else 0.02) * late_s
        if at_s < self._cut_s:
            return 0.0
        if self._slow_start:
            self._overshot()
            return 0.0
        before_per_s = self._background.refused(self._history, now_s, self.per_s)
        if before_per_s is not None:
            self.per_s = min(self.ceiling_per_s, before_per_s)
            self._cut_s = self._history.front_s
            return 0.0
        share = self._cut_if_dense(now_s)
        if not share and self.per_s < self.ceiling_per_s:
            self._hover(now_s)
        return share

    def grow(self, now_s: float, *, wanted: bool) -> None:
        """Advance the clock. Only a rate that is fully used (`wanted`) proves to be sustainable."""
        span_s = 0.0 if self._grown_at_s is None else min(1.0, now_s - self._grown_at_s)
        self._grown_at_s = now_s
        if self._found_s is not None and now_s - self._found_s > FOUND_FOR_S:
            self._found_s, self.ceiling_per_s = None, inf
        if not wanted or self.per_s >= self.ceiling_per_s:
            return
        if not self._slow_start:
            self._calm_s += span_s
            gentle = min(GENTLE_PER_S, GENTLE_PER_CALL * self.per_s)
            if self.per_s < NEAR * self._too_much_per_s:
                gentle = FAR_PER_S
            hastened = gentle * 2.0 ** (self._calm_s / HASTENING_S)
            factor = 1.0 + min(HASTIEST_PER_S, hastened) * span_s
        else:
            factor = 2.0 ** (span_s / DOUBLING_S)
        self.per_s = min(self.ceiling_per_s, self.per_s * factor)

    def _overshot(self) -> None:
        self._refused_in_start += 1
        if self._refused_in_start >= START_COUNT:
            self._less(self.per_s * OVERSHOT)
            self._cut_s = self._history.front_s

    def _cut_if_dense(self, now_s: float) -> float:
        first_s = self._history.first_refused_s(self._cut_s)
        # The latest grants have no answers yet, so they look better than they are.
        granted, refused = self._history.counts(first_s, now_s - self._delay_s)
        dense = DENSE_SHARE + ROOM_FOR_CHANCE * self._background.share(now_s)
        if refused < DENSE_COUNT or refused < dense * granted:
            return 0.0
        # The first one was chosen because it was refused, so it does not count.
        share = (refused - 1) / (granted - 1)
        per_s = self.per_s * max(0.5, BELOW_GOODPUT * (1 - share))
        self._less(max(per_s, self._sustained_per_s()) if share >= EXHAUSTED_SHARE else per_s)
        self._cut_s = self._history.front_s
        if share >= EXHAUSTED_SHARE and (self.ceiling_per_s == inf or self._found_s is not None):
            self._find(now_s)
        return share

    def _find(self, now_s: float) -> None:
        quota = self._window_quota.exhausted(self._history, now_s - self._delay_s)
        if quota is not None:
            self._found_s = now_s
            self.per_s = self.ceiling_per_s = max(LEAST_PER_S, quota * MARGIN / WINDOW_S)

    def _hover(self, now_s: float) -> None:
        if self._background.share(now_s) < DENSE_SHARE / 2:
            per_s = self.per_s - min(LESS_PER_REFUSAL, MOST_AT_ONCE * self.per_s)
            self._less(max(per_s, self._sustained_per_s()))

    def _sustained_per_s(self) -> float:
        granted, refused = self._history.counts(-inf, inf)
        return min(self.per_s, BELOW_GOODPUT * (granted - refused) / MEMORY_S)

    def _less(self, per_s: float) -> None:
        self._too_much_per_s = self.per_s
        self.per_s = max(LEAST_PER_S, per_s)
        self._calm_s = 0.0
        self._slow_start = False
