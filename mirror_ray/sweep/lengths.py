"""Predicts the usage of remaining episodes from those played so far, with an interval.

Episodes in flight count too: otherwise the first hour of a sweep would be judged only by its
shortest episodes. Their lengths are censored, so the mean is taken under the product-limit curve
(Kaplan & Meier 1958), up to the bound on requests. The interval is a bootstrap over episodes and
includes the sampling variation of the remaining episodes."""

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from mirror_ray.sweep.ranges import Range

RESAMPLES = 400
COVERAGE = 0.90

_Floats: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class PlayedLengths:
    """The usage of episodes of one kind: all arrays (n,).

    Args:
        asks: of each episode, so far.
        ended: False for episodes in flight, which will take more.
        used: name → usage of each episode over all its requests, e.g. tokens; NaN where unknown.
    """

    asks: _Floats
    ended: NDArray[np.bool_]
    used: dict[str, _Floats]


@dataclass(frozen=True, slots=True)
class ToCome:
    """The total usage of a number of episodes: requests, and each quantity used in them."""

    asks: Range
    used: dict[str, Range]


def extrapolate(
    played: PlayedLengths, n_episodes: int, max_asks: int, rng: np.random.Generator
) -> ToCome:
    """Return the usage of `n_episodes` more.

    A quantity that no episode reports is left out.

    Args:
        max_asks: an episode's bound.
    """
    order = np.lexsort((~played.ended, played.asks))
    asks, ended = played.asks[order], played.ended[order]
    count = len(asks)
    # One draw fewer than episodes, which corrects the plain bootstrap's too narrow spread.
    drawn = rng.multinomial(max(1, count - 1), np.full(count, 1 / count), size=RESAMPLES)
    weights = np.vstack([np.ones(count), drawn]).astype(np.float64)
    mean, variance = _length(asks, ended, weights, max_asks)
    chance = rng.standard_normal(RESAMPLES) * np.sqrt(n_episodes * variance[1:])
    totals = np.clip(n_episodes * mean, n_episodes, n_episodes * max_asks)
    totals[1:] = np.clip(totals[1:] + chance, n_episodes, n_episodes * max_asks)
    used = {}
    for name, unordered in played.used.items():
        amounts = unordered[order]
        known = ~np.isnan(amounts)
        if known.any():
            each = weights[:, known]
            made = each @ asks[known]
            per_ask = (each @ amounts[known])[made > 0] / made[made > 0]
            used[name] = _range(per_ask * totals[made > 0])
    return ToCome(_range(totals), used)


def _length(
    asks: _Floats, ended: NDArray[np.bool_], weights: _Floats, max_asks: int
) -> tuple[_Floats, _Floats]:
    """Return mean and variance of an episode's length for each row of weights; `asks` ascend."""
    at_risk = np.cumsum(weights[:, ::-1], axis=1)[:, ::-1]
    ends = np.where(ended, weights, 0.0)
    hazard = np.divide(ends, at_risk, out=np.zeros_like(ends), where=at_risk > 0)
    survival = np.hstack([np.ones((len(weights), 1)), np.cumprod(1 - hazard, axis=1)])
    edges = np.concatenate([[0.0], asks, [max(float(max_asks), asks[-1])]])
    mean = survival @ np.diff(edges)
    square = survival @ np.diff(edges**2)
    return mean, np.maximum(0.0, square - mean**2)


def _range(figures: _Floats) -> Range:
    expected = float(figures[0])
    tail = (1 - COVERAGE) / 2
    low, high = np.quantile(figures[1:], [tail, 1 - tail]) if len(figures) > 1 else (expected,) * 2
    return Range(min(float(low), expected), expected, max(float(high), expected))
