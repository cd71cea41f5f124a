"""The purse: what is spent, what calls under way may still cost, and whether one more fits.

Knows sums in USD; does not know models, prices or who pays.
"""

from typing import Literal

_ROUNDING_USD = 1e-9
"""Sums of floats are off by less; so 0.1 fits three times into 0.3."""

Verdict = Literal["fits", "wait", "never"]


class Budget:
    """A ceiling that is kept whatever the calls under way turn out to cost.

    Args:
        limit_usd: None for no ceiling.
        spent_usd: known costs of earlier runs.
    """

    def __init__(self, limit_usd: float | None, spent_usd: float = 0.0) -> None:
        self._limit_usd = limit_usd
        self.spent_usd = spent_usd
        """Known costs."""
        self.presumed_usd = 0.0
        """Worst cases of calls whose cost never became known: they count, to be safe."""
        self._reserved: dict[int, float] = {}

    @property
    def reserved_usd(self) -> float:
        """Worst cases of the calls under way."""
        return sum(self._reserved.values())

    def verdict(self, worst_case_usd: float | None) -> Verdict:
        """Whether a call fits now, may fit once calls under way have cost less, or never will.

        A free call always fits. An unknown worst case (None) fits until the ceiling is reached:
        there is nothing to reserve.
        """
        if self._limit_usd is None:
            return "fits"
        left_usd = self._limit_usd - self.spent_usd - self.presumed_usd + _ROUNDING_USD
        if worst_case_usd is None:
            return "fits" if left_usd > 2 * _ROUNDING_USD else "never"
        if worst_case_usd == 0.0 or worst_case_usd <= left_usd - self.reserved_usd:
            return "fits"
        return "wait" if worst_case_usd <= left_usd else "never"

    def reserve(self, grant_id: int, worst_case_usd: float | None) -> None:
        """Set a call's worst case aside."""
        self._reserved[grant_id] = worst_case_usd or 0.0

    def settle(self, grant_id: int, cost_usd: float | None) -> None:
        """Replace a call's worst case by its cost, or presume it where the cost stays unknown."""
        worst_usd = self._reserved.pop(grant_id)
        if cost_usd is None:
            self.presumed_usd += worst_usd
        else:
            self.spent_usd += cost_usd

    def correct(self, worst_case_usd: float | None, cost_usd: float) -> None:
        """A cost that had been presumed has become known after all."""
        self.presumed_usd -= worst_case_usd or 0.0
        self.spent_usd += cost_usd
