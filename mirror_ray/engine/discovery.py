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
DOUBLING_S = 1.0
"""Of slow start."""

GENTLE_PER_S = 0.003
HASTENING_S = 8.0
HASTIEST_PER_S = 0.25
"""Growth after a cut: 0.3 % a second, twice as much every 8 s without one."""

BELOW_GOODPUT = 0.97
DENSE_COUNT = 3
DENSE_SHARE = 0.05
"""So many refusals, and so large a share, make a cut; fewer are noise, or the price of probing."""

MEMORY_S = 10.0
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
        # How long a refusal is on its way: what was granted since then may be refused yet.
        self._delay_s += 0.2 * (now_s - at_s - self._delay_s)
        return 0.0 if at_s < self._cut_s else self._cut_if_dense(now_s)

    def grow(self, now_s: float, *, wanted: bool) -> None:
        """Time has passed; only a rate that is fully used proves that it is borne.

        Args:
            wanted: calls waited for their turn all the while.
        """
        span_s = 0.0 if self._grown_at_s is None else min(1.0, now_s - self._grown_at_s)
        self._grown_at_s = now_s
        if not wanted or self.per_s >= self.ceiling_per_s:
            return
        if self.cuts:
            self._calm_s += span_s
            hastened = GENTLE_PER_S * 2.0 ** (self._calm_s / HASTENING_S)
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
        share = refused / granted
        span_s = now_s - self._delay_s - heard[0].begin_s
        goodput = BELOW_GOODPUT * (granted - refused) / span_s
        self.per_s = self._noise.heard(now_s, share, self.per_s) or max(
            LEAST_PER_S, self.per_s / 2, min(self.per_s, goodput)
        )
        self.cuts += 1
        self._calm_s = 0.0
        self._cut_s = self._bins[-1].begin_s + BIN_S
        return share


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
