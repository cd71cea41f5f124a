"""How far estimates of a call's tokens are off, learnt from the billed tokens."""

FADING = 0.98
"""Weight of a call once the next has ended; about the last fifty calls determine the ratio."""

LEAST, MOST = 0.02, 20.0

ANY_CALL = 10_000
"""Tokens that any call may be billed above its estimate."""


class TokenRatio:
    """Billed tokens per estimated token."""

    def __init__(self) -> None:
        self._billed = self._estimated = 0.0

    def tokens(self, estimated: int) -> float:
        """Return the tokens that a call with this estimate is likely to be billed."""
        if not self._estimated:
            return float(estimated)
        return estimated * min(MOST, max(LEAST, self._billed / self._estimated))

    def believable(self, estimated: int, billed: int | None) -> int | None:
        """Bound a server's billed tokens, so that no reported number stops a key."""
        if billed is None or not estimated:
            return billed
        return min(billed, max(ANY_CALL, int(MOST * estimated)))

    def billed(self, estimated: int, billed: int) -> None:
        """Learn what a call with this estimate was billed."""
        self._billed = FADING * self._billed + billed
        self._estimated = FADING * self._estimated + estimated
