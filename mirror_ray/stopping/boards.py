"""Simulates boards: models with planted accuracies answer the same units until a rule has decided.
Some units are hard for all models, as in any benchmark."""

from itertools import combinations
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from mirror_ray.stopping.deciding import STOPPING_ALPHA, wilson_interval
from mirror_ray.stopping.outlook import outlook
from mirror_ray.sweep.plan import Until

SHARED = 0.35
"""Correlation of two models' scores because some units are hard for all."""

Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]
_Floats = NDArray[np.float64]


def answers(generator: np.random.Generator, shares: _Floats, boards: int, units: int) -> Bools:
    """Return (boards, models, units): right answers; `shares` are (models,) or (boards, models)."""
    models = shares.shape[-1]
    hard = generator.normal(size=(boards, 1, units))
    own = generator.normal(size=(boards, models, units))
    bound = np.vectorize(NormalDist().inv_cdf, otypes=[np.float64])(shares)[..., np.newaxis]
    return np.asarray(np.sqrt(SHARED) * hard + np.sqrt(1 - SHARED) * own < bound)


def looks(until: Until, units: int) -> tuple[int, ...]:
    """Return the numbers of units at which the rule may decide: ends of rounds, then all units."""
    ends = range(until.round_units, units, until.round_units)
    return (*(n for n in ends if n >= until.least_units), units)


def by_verdict(right: Bools, bound: float, at: tuple[int, ...]) -> tuple[Ints, Ints, Ints]:
    """Simulate `until.verdict`, a comparison per pair. Return (boards, models) units played, and
    (boards, pairs) verdicts at the stop and of the whole plan: 0 the first is better, 1 the second,
    2 neither."""
    boards, models, units = right.shape
    pairs = np.array(list(combinations(range(models), 2)))
    first, second = pairs.T
    alpha = STOPPING_ALPHA / len(pairs)
    full = _foretold(_differ(right, first, second), units, units, alpha).argmax(axis=2)
    verdicts = np.full((boards, len(pairs)), -1)
    asked = np.full((boards, models), units)
    for n in at:
        is_undecided = verdicts < 0
        differ = _differ(right[:, :, :n], first, second)[is_undecided]
        chances = _foretold(differ, n, units, alpha)
        verdicts[is_undecided] = np.where(chances.max(axis=1) >= bound, chances.argmax(axis=1), -1)
        is_open = np.zeros((boards, models), np.bool_)
        for pair, (one, other) in enumerate(pairs):
            is_open[:, one] |= verdicts[:, pair] < 0
            is_open[:, other] |= verdicts[:, pair] < 0
        asked = np.where(is_open, asked, np.minimum(asked, n))
    return asked, verdicts, full


def by_best(right: Bools, bound: float, at: tuple[int, ...]) -> tuple[Ints, Ints, Ints]:
    """Simulate `until.best_of`, each model against the best. Return (boards, models) units played,
    and verdicts at the stop and of the whole plan: 0 worse, 2 not distinguishable."""
    boards, models, units = right.shape
    alpha = STOPPING_ALPHA / (models - 1)
    every = np.arange(models)
    dropped = np.zeros((boards, models), np.bool_)
    asked = np.full((boards, models), units)

    def worse(n: int, out: Bools) -> Bools:
        """Return (boards, models): which models will be found worse than the leader."""
        total = np.where(out, -1, right[:, :, :n].sum(axis=2))
        leader = total.argmax(axis=1)
        ahead = right[np.arange(boards), leader, :n][:, np.newaxis]
        mine = right[:, :, :n]
        differ = np.stack([(ahead & ~mine).sum(axis=2), (~ahead & mine).sum(axis=2)], axis=-1)
        chances = _foretold(differ, n, units, alpha)
        return np.asarray(
            (chances[:, :, 0] >= bound) & (every != leader[:, np.newaxis]) & ~out, np.bool_
        )

    full = worse(units, dropped)
    for n in at:
        dropped |= worse(n, dropped)
        over = (dropped.sum(axis=1) == models - 1)[:, np.newaxis]
        asked = np.where(dropped | over, np.minimum(asked, n), asked)
    return asked, np.where(dropped, 0, 2), np.where(full, 0, 2)


def by_width(right: Bools, bound: float, at: tuple[int, ...]) -> Ints:
    """Simulate `until.half_width`; return (boards, models): units until the interval is narrow."""
    totals = right.cumsum(axis=2)
    asked = np.full(right.shape[:2], right.shape[2])
    for n in reversed(at):
        narrow = np.array([wilson_interval(total, n).half_width <= bound for total in range(n + 1)])
        asked = np.where(narrow[totals[:, :, n - 1]], n, asked)
    return asked


def _foretold(differ: Ints, asked: int, units: int, alpha: float) -> _Floats:
    states, where = np.unique(differ.reshape(-1, 2), axis=0, return_inverse=True)
    found = [outlook(int(b), int(c), asked, units, alpha) for b, c in states]
    table = np.array([(one.first, one.second, one.neither) for one in found])
    return table[where.reshape(-1)].reshape(*differ.shape[:-1], 3)


def _differ(right: Bools, first: Ints, second: Ints) -> Ints:
    one, other = right[:, first], right[:, second]
    return np.stack([(one & ~other).sum(axis=2), (~one & other).sum(axis=2)], axis=-1)
