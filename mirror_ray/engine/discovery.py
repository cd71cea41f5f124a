"""How fast a key may be used where its limit is unknown, or is no longer what was said.

Probing as congestion control does it: slow start, then growth that begins gently after each cut and
hastens while all goes well (after Ha, Rhee, Xu 2008); a cut goes to what was let through, and no
cut is made on calls that were granted before the last one took effect. Knows rates, grants and
refusals on times it is told; does not know why a call was refused.
"""

from collections import deque
from dataclasses import dataclass
from math import inf

FIRST_PER_S = 4.0
LEAST_PER_S = 0.1
DOUBLING_S = 1.5
"""Of slow start."""

GENTLE_PER_S = 0.003
GENTLE_PER_CALL = 0.0005
HASTENING_S = 12.0
HASTIEST_PER_S = 0.05
"""Growth after a cut: 0.3 % a second (at few calls, 0.05 % a call), twice as much every 12 s."""

NEAR = 0.9
FAR_PER_S = 0.025
"""Below 90 % of what was too much, growth is faster: the cut was too deep."""

LESS_PER_REFUSAL = 1.0
MOST_AT_ONCE = 0.05
"""A single refusal takes away a call per second, but no more than 5 %: few are needed to hover."""

BELOW_GOODPUT = 0.97
OVERSHOT = 0.5
START_COUNT = 3
DENSE_COUNT = 5
DENSE_SHARE = 0.05
"""So many refusals, and so large a share, make a cut; fewer are noise, or the price of probing."""

WALL_SHARE = 0.9
"""So many refusals: nothing passes, whatever the rate, as at the end of a spent minute."""

MEMORY_S = 60.0
BIN_S = 0.05


@dataclass(slots=True)
class _Bin:
    """Grants of one slice of time, and how many of them were refused."""

    begin_s: float
    granted: int = 0
    refused: int = 0


class Discovery:
    """The rate that a key seems to bear.

    Args:
        ceiling_per_s: never more than this, and where to begin; None where nothing is known.
    """

    def __init__(self, ceiling_per_s: float | None) -> None:
        self.ceiling_per_s = inf if ceiling_per_s is None else ceiling_per_s
        self.per_s = (
            min(self.ceiling_per_s, FIRST_PER_S) if ceiling_per_s is None else ceiling_per_s
        )
        self.cuts = 0
        self._slow_start = True
        self._refused_in_start = 0
        self._too_much_per_s = 0.0
        self._calm_s = 0.0
        self._grown_at_s: float | None = None
        self._cut_s = -inf
        self._delay_s = 0.2
        self._bins: deque[_Bin] = deque()
        self._noise = _Noise()

    def told(self, ceiling_per_s: float) -> None:
        """The limit is known now, or has changed."""
        if ceiling_per_s == self.ceiling_per_s:
            return
        self.ceiling_per_s = ceiling_per_s
        self.per_s = min(self.per_s, ceiling_per_s) if self.cuts else ceiling_per_s

    def resume(self, per_s: float) -> None:
        """This much was borne before."""
        self.per_s = min(self.ceiling_per_s, max(self.per_s, per_s))

    def granted(self, at_s: float) -> None:
        """A call goes at that time; times do not fall."""
        if not self._bins or at_s >= self._bins[-1].begin_s + BIN_S:
            self._bins.append(_Bin(at_s))
            while at_s - self._bins[0].begin_s > MEMORY_S:
                self._bins.popleft()
        self._bins[-1].granted += 1

    def refused(self, now_s: float, at_s: float) -> float:
        """A call that went at `at_s` was turned away for its rate.

        Returns:
            The share of calls refused, where it has become so dense that the rate was cut, else 0.
        """
        for slice_ in reversed(self._bins):
            if slice_.begin_s <= at_s:
                slice_.refused += 1
                break
        # How long nearly all refusals are on their way: what was granted since may be refused yet.
        late_s = now_s - at_s - self._delay_s
        self._delay_s += (0.5 if late_s > 0 else 0.02) * late_s
        if at_s < self._cut_s:
            return 0.0
        if self._slow_start:
            self._overshot()
            return 0.0
        share = self._cut_if_dense(now_s)
        if not share and self._noise.share(now_s) < DENSE_SHARE:
            self._less(self.per_s - min(LESS_PER_REFUSAL, MOST_AT_ONCE * self.per_s), floor=True)
        return share

    def grow(self, now_s: float, *, wanted: bool) -> None:
        """Time has passed; only a rate that is fully used proves that it is borne.

        Args:
            wanted: calls waited for their turn all the while.
        """
        span_s = 0.0 if self._grown_at_s is None else min(1.0, now_s - self._grown_at_s)
        self._grown_at_s = now_s
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

    def _cut_if_dense(self, now_s: float) -> float:
        suspects = [one for one in self._bins if one.begin_s >= self._cut_s]
        while suspects and not suspects[0].refused:
            del suspects[0]
        # The latest grants have not been answered; they look better than they are.
        heard = [one for one in suspects if one.begin_s + BIN_S <= now_s - self._delay_s]
        granted = sum(one.granted for one in heard)
        refused = sum(one.refused for one in heard)
        if refused < DENSE_COUNT or refused < (DENSE_SHARE + self._noise.share(now_s)) * granted:
            return 0.0
        # The first one heard was chosen for having been refused.
        share = (refused - 1) / (granted - 1)
        before_per_s = self._noise.heard(now_s, share, self.per_s)
        if before_per_s is None:
            passed = BELOW_GOODPUT * (1 - share)
            self._less(self.per_s * max(0.5, passed), floor=share >= WALL_SHARE)
        else:
            self.per_s = before_per_s
        self.cuts += 1
        self._cut_s = self._bins[-1].begin_s + BIN_S
        return share

    def _overshot(self) -> None:
        """Slow start outruns its refusals: it is given up before it is known by how much."""
        self._refused_in_start += 1
        if self._refused_in_start >= START_COUNT:
            self._less(self.per_s * OVERSHOT, floor=False)
            self.cuts += 1
            self._cut_s = self._bins[-1].begin_s + BIN_S

    def _less(self, per_s: float, *, floor: bool) -> None:
        """Slows down; with a floor, not below what a whole minute has borne."""
        if floor:
            passed = sum(one.granted - one.refused for one in self._bins)
            per_s = max(per_s, min(self.per_s, BELOW_GOODPUT * passed / MEMORY_S))
        self._too_much_per_s = self.per_s
        self.per_s = max(LEAST_PER_S, per_s)
        self._calm_s = 0.0
        self._slow_start = False


class _Noise:
    """Refusals that no cut makes rarer: they are not about the rate."""

    SERIES_S = 20.0
    FADING_S = 60.0

    def __init__(self) -> None:
        self._at_s = -inf
        self._first_per_s = 0.0
        self._last_share = 0.0
        self._in_vain = 0
        self._share = 0.0
        self._share_at_s = -inf

    def share(self, now_s: float) -> float:
        """What share of calls is refused at any rate, with room for chance; fades."""
        age_s = now_s - self._share_at_s
        return 1.5 * self._share * float(0.5 ** (age_s / self.FADING_S))

    def heard(self, now_s: float, share: float, per_s: float) -> float | None:
        """A cut is due; returns the rate to go back to where the cuts before were in vain."""
        if now_s - self._at_s > self.SERIES_S:
            self._first_per_s, self._in_vain = per_s, 0
        elif share < 0.5 and share > 0.6 * self._last_share:
            self._in_vain += 1
        self._at_s, self._last_share = now_s, share
        if self._in_vain < 3:
            return None
        self._share, self._share_at_s, self._in_vain = share, now_s, 0
        return self._first_per_s
