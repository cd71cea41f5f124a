"""Walls: where nothing passes any more, whatever the rate, until a fixed window begins anew.

Knows when walls were hit and what went before; does not know what pace follows from it.
"""

from mirror_ray.engine.allowance import WINDOW_S
from mirror_ray.engine.refusals import BIN_S, History

SURELY_ONE_S = WINDOW_S - 5.0
"""Less than a window: what went in such a span, between two walls, all went in one minute."""

ALIKE = 0.02
"""So much may two minutes differ that had the same quota: calls overtake one another."""


class Walls:
    """Tells a minute's quota by two minutes that were used up after as many calls."""

    def __init__(self) -> None:
        self._wall_s: float | None = None
        self._opened_s: float | None = None
        self._before: int | None = None

    def passed(self, at_s: float) -> None:
        """A call that went then was not refused."""
        if self._wall_s is not None and at_s >= self._wall_s and self._opened_s is None:
            self._opened_s = at_s

    def hit(self, history: History, until_s: float) -> int | None:
        """Nothing passes; returns the quota, where it is sure.

        Args:
            until_s: what went by then has been refused if it is to be.
        """
        opened_s, self._opened_s = self._opened_s, None
        self._wall_s = history.front_s
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
