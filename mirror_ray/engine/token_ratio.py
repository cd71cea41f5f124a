"""How far estimates of a call's tokens are off, learnt from what was billed.

Knows two sums per model; does not know how an estimate is made.
"""

FADING = 0.98
"""What a call still counts for when the next has ended: the last fifty make the ratio."""

LEAST, MOST = 0.02, 20.0


class TokenRatio:
    """Billed tokens per estimated token."""

    def __init__(self) -> None:
        self._billed = self._estimated = 0.0

    def tokens(self, estimated: int) -> float:
        """What a call of that estimate is likely to be billed."""
        if not self._estimated:
            return float(estimated)
        return estimated * min(MOST, max(LEAST, self._billed / self._estimated))

    def billed(self, estimated: int, billed: int) -> None:
        """A call of that estimate was billed so much."""
        self._billed = FADING * self._billed + billed
        self._estimated = FADING * self._estimated + estimated
