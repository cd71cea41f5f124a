"""A staircase: from right and wrong answers at known levels to the levels of 60 % right.

An ability curve gives the share of right answers at each level: a logistic one in the level, above
a floor of lucky guesses. Its likelihood is kept on a grid of curves, and the grid's mean curve
counts. What is asked next, and what a later stage asks, depends on the answers so far alone.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from mirror_ray.tasks.metacog_levels.kind import LEVELS

TRIALS = 60
TARGET = 0.60

_SIGHTS = (0.60, 0.60, 0.75, 0.60, 0.45)
"""Shares aimed at in turn: around the target, for the slope shows at its sides alone."""

_Curve = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Levels:
    """What a later stage asks of a model in a domain.

    Args:
        low: a level; the others are asked at the next one.
        share_above: of the questions, those at `low + 1`.
    """

    low: int
    share_above: float

    def of(self, n: int) -> int:
        """The level of the n-th question: any beginning has nearly the share."""
        return self.low + ((n * 0.6180339887498949) % 1.0 < self.share_above)


def next_level(answers: Iterable[tuple[int, bool]]) -> int:
    """The level to ask at after these.

    Args:
        answers: (level, right), in the order in which they were given.
    """
    answered = list(answers)
    sight = _SIGHTS[len(answered) % len(_SIGHTS)]
    return int(np.argmin(abs(curve_of(answered) - sight))) + 1


def curve_of(answers: Iterable[tuple[int, bool]]) -> _Curve:
    """The share of right answers at each level, the first level's first; never rising."""
    right, wrong = np.zeros(LEVELS), np.zeros(LEVELS)
    for level, is_right in answers:
        (right if is_right else wrong)[level - 1] += 1
    curves = _grid()
    log_likelihood = np.log(curves) @ right + np.log1p(-curves) @ wrong
    weight = np.exp(log_likelihood - log_likelihood.max())
    return np.asarray(weight @ curves / weight.sum())


def levels_for(curve: _Curve, target: float = TARGET) -> Levels:
    """The two neighbouring levels, and their shares, at which the target is expected.

    A curve that ends above the target, or begins below it, has the last or the first level.
    """
    above = int((curve >= target).sum())
    if above == 0:
        return Levels(1, 0.0)
    if above == LEVELS:
        return Levels(LEVELS, 0.0)
    high, low = float(curve[above - 1]), float(curve[above])
    return Levels(above, (high - target) / (high - low))


@lru_cache(maxsize=1)
def _grid() -> _Curve:
    """Curves by rows; before any answer all weigh the same."""
    level = np.arange(1, LEVELS + 1)
    middles, slopes, floors = np.meshgrid(
        np.linspace(-3, LEVELS + 4, 86), (0.3, 0.5, 0.8, 1.2, 2.0), (0.01, 0.1, 0.2, 0.35)
    )
    logistic = 1 / (1 + np.exp(slopes.ravel()[:, None] * (level - middles.ravel()[:, None])))
    floor = floors.ravel()[:, None]
    return np.asarray(floor + (0.99 - floor) * logistic)
