"""Predicts the verdict of a paired comparison once all of its units are played.

The verdict is McNemar's exact test on the units that only one of two models gets right. The
remaining units are predicted under a Dirichlet(½, ½, ½) prior on "only the first", "only the
second" and "neither". This gives two beta-binomials: the number of discordant units, and their
direction."""

from dataclasses import dataclass
from functools import lru_cache
from math import comb

import numpy as np
from numpy.typing import NDArray

PRIOR = 0.5
"""The parameter of each of the three, by Jeffreys' prior."""

_Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Outlook:
    """Posterior-predictive probabilities of the verdict over all planned units: that the first, or
    the second, is significantly better, or that the two cannot be distinguished."""

    first: float
    second: float
    neither: float


@lru_cache(maxsize=65_536)
def outlook(
    only_first: int, only_second: int, n_asked: int, n_planned: int, alpha: float
) -> Outlook:
    """Return the probabilities of the planned design's verdicts.

    Args:
        only_first, only_second: units that one of the two alone gets right.
        n_asked: units played so far, concordant ones included.
        n_planned: of the whole design.
        alpha: the exact two-sided test's level.

    Raises:
        ValueError: more discordant units than played ones, or more played ones than planned.
    """
    if min(only_first, only_second) < 0 or not only_first + only_second <= n_asked <= n_planned:
        raise ValueError(f"{only_first} and {only_second} of {n_asked} of {n_planned} units")
    differ = only_first + only_second
    left = n_planned - n_asked
    further = np.arange(left + 1)
    of_further = _beta_binomial(left, differ + 2 * PRIOR, n_asked - differ + PRIOR)[left]
    falls = _beta_binomial(left, only_first + PRIOR, only_second + PRIOR)
    most = _most_against(n_planned, alpha)[differ + further]
    to_first = np.arange(left + 1)[np.newaxis, :]
    to_second = further[:, np.newaxis] - to_first
    is_first = only_second + to_second <= most[:, np.newaxis]
    is_second = only_first + to_first <= most[:, np.newaxis]
    first, second = (
        float(of_further @ np.where(found & (to_second >= 0), falls, 0.0).sum(axis=1))
        for found in (is_first, is_second)
    )
    return Outlook(first, second, max(0.0, 1.0 - first - second))


@lru_cache(maxsize=1_024)
def _most_against(n_planned: int, alpha: float) -> NDArray[np.int64]:
    """Return, for 0 to `n_planned` discordant units, how many at most may be against the better
    model with p below `alpha`; -1 if none may."""
    most = np.full(n_planned + 1, -1)
    for differ in range(1, n_planned + 1):
        tail = 0
        for against in range(differ // 2 + 1):
            tail += comb(differ, against)
            if 2 * tail >= alpha * 2**differ:
                break
            most[differ] = against
    return most


def _beta_binomial(most: int, a: float, b: float) -> _Floats:
    """Return (most + 1, most + 1): row n has the probabilities of 0 to n out of n, then zeros."""
    n = np.arange(most + 1)[:, np.newaxis]
    k = np.arange(most + 1)[np.newaxis, :]
    rest = np.clip(n - k, 0, None)
    log_choose = (
        _log_rising(1.0, most)[n] - _log_rising(1.0, most)[k] - _log_rising(1.0, most)[rest]
    )
    log_chance = (
        log_choose
        + _log_rising(a, most)[k]
        + _log_rising(b, most)[rest]
        - _log_rising(a + b, most)[n]
    )
    return np.where(k <= n, np.exp(np.where(k <= n, log_chance, 0.0)), 0.0)


@lru_cache(maxsize=4_096)
def _log_rising(start: float, most: int) -> _Floats:
    return np.concatenate([[0.0], np.cumsum(np.log(start + np.arange(most)))])
