"""A staircase estimates the levels with 60 % right answers, from right and wrong answers at known
levels.

An ability curve gives the share of right answers at each level: a logistic curve in the level,
above a floor of lucky guesses. Its likelihood is computed on a grid of curves, and the mean curve
of the grid is the estimate. The prior says that lucky guesses are rare and slopes near .8. The next
level depends only on the answers in its domain. Once all of a model's domains have answers, they
share information about position and steepness (empirical Bayes)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from mirror_ray.families.metacog.bank.words import LEVELS

TRIALS = 60
TARGET = 0.60

_Curve = NDArray[np.float64]


SIGHTS = (0.65, 0.55)
"""Target shares, in turn, on either side of 60 %, because the slope shows only away from 60 %."""

_ROUNDS = 15
_USUAL_SLOPE, _SLOPE_SD, _GUESSES_DECAY = 0.8, 0.5, 4.0
_USUAL_SPREAD, _WEIGHT = 1.5, 2.0
"""The usual spread of a model's domains, in levels, and the weight of that prior, in domains."""


@dataclass(frozen=True, slots=True)
class Levels:
    """The levels at which a later stage questions a model in a domain: `low + 1` for `share_above`
    of the questions, `low` for the rest."""

    low: int
    share_above: float

    def of(self, n: int) -> int:
        """Return the level of the n-th question, so that any first n questions nearly have the
        share."""
        return self.low + ((n * 0.6180339887498949) % 1.0 < self.share_above)


def next_level(answers: Iterable[tuple[int, bool]]) -> int:
    """Return the level of the next question, given the (level, right) of all answers in order."""
    answered = list(answers)
    sight = SIGHTS[len(answered) % len(SIGHTS)]
    curve = _weights(_log_likelihood(answered) + _grid().usual) @ _grid().curves
    return int(np.argmin(abs(curve - sight))) + 1


def curves_of(answers: Sequence[Iterable[tuple[int, bool]]]) -> list[_Curve]:
    """Return the share of right answers at each level, from the first level; it never rises.
    `answers` are (level, right) for each domain of one model."""
    grid = _grid()
    likelihood = np.array([_log_likelihood(each) for each in answers])
    slopes = grid.slopes_usual
    mean, spread = (1 + LEVELS) / 2, float(LEVELS)
    for _ in range(_ROUNDS):
        prior = grid.guesses_usual + np.log(slopes[grid.slope])
        prior = prior - ((grid.middles - mean) / spread) ** 2 / 2
        weights = _weights(likelihood + prior)
        mean = float((weights @ grid.middles).mean())
        away = float((weights * (grid.middles - mean) ** 2).sum())
        many = len(weights) + _WEIGHT
        spread = ((away + _WEIGHT * _USUAL_SPREAD**2) / many) ** 0.5
        each = np.bincount(grid.slope, weights.sum(axis=0), len(slopes))
        slopes = (each + _WEIGHT * grid.slopes_usual) / many
    return list(weights @ grid.curves)


def _log_likelihood(answers: Iterable[tuple[int, bool]]) -> _Curve:
    """Return the log likelihood of every curve of the grid."""
    right, wrong = np.zeros(LEVELS), np.zeros(LEVELS)
    for level, is_right in answers:
        (right if is_right else wrong)[level - 1] += 1
    return np.asarray(_grid().log_right @ right + _grid().log_wrong @ wrong)


def _weights(log: _Curve) -> _Curve:
    """Return the weights of curves, which sum to 1 along the last axis."""
    weights = np.exp(log - log.max(axis=-1, keepdims=True))
    return np.asarray(weights / weights.sum(axis=-1, keepdims=True))


def levels_for(curve: _Curve, target: float = TARGET) -> Levels:
    """Return the two neighbouring levels, and their shares, at which the target is expected.

    A curve that is always above the target, or always below it, gets the last or the first level.
    """
    above = int((curve >= target).sum())
    if above == 0:
        return Levels(1, 0.0)
    if above == LEVELS:
        return Levels(LEVELS, 0.0)
    high, low = float(curve[above - 1]), float(curve[above])
    return Levels(above, (high - target) / (high - low))


@dataclass(frozen=True, slots=True)
class _Grid:
    """Curves by rows, with their logarithms.

    Args:
        slope: the number of each curve's slope.
        slopes_usual: the share of each slope before any answer.
        guesses_usual, usual: log weights of each curve before any answer, by its guesses alone and
            by its slope too.
    """

    curves: _Curve
    log_right: _Curve
    log_wrong: _Curve
    middles: _Curve
    slope: NDArray[np.intp]
    slopes_usual: _Curve
    guesses_usual: _Curve
    usual: _Curve


@lru_cache(maxsize=1)
def _grid() -> _Grid:
    level, slopes = np.arange(1, LEVELS + 1), np.array((0.3, 0.5, 0.8, 1.2, 2.0))
    middles, slope, floors = (
        axis.ravel()
        for axis in np.meshgrid(
            np.linspace(-3, LEVELS + 4, 86), np.arange(len(slopes)), (0.01, 0.1, 0.2, 0.35)
        )
    )
    logistic = 1 / (1 + np.exp(slopes[slope][:, None] * (level - middles[:, None])))
    curves = floors[:, None] + (0.99 - floors[:, None]) * logistic
    of_slope = -((np.log(slopes / _USUAL_SLOPE) / _SLOPE_SD) ** 2) / 2
    guesses = -_GUESSES_DECAY * floors
    return _Grid(
        curves,
        np.log(curves),
        np.log1p(-curves),
        middles,
        slope,
        _weights(of_slope),
        guesses,
        guesses + of_slope[slope],
    )
