"""The papers' statistics from raw values, in numpy and scipy, without the product's analysis."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from math import ceil, floor, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

Z = float(stats.norm.ppf(0.975))
Row = Mapping[str, Any]
Units = Mapping[object, Sequence[float]]


def groups(rows: Iterable[Row], *keys: str) -> dict[tuple[Any, ...], list[Row]]:
    found: dict[tuple[Any, ...], list[Row]] = defaultdict(list)
    for row in rows:
        found[tuple(row[key] for key in keys)].append(row)
    return dict(found)


def units_of(rows: Iterable[Row], score: str) -> dict[object, list[float]]:
    """The scores of each independent unit, `cluster`; units without any are left out."""
    found: dict[object, list[float]] = defaultdict(list)
    for row in rows:
        if row[score] is not None:
            found[row["cluster"]].append(float(row[score]))
    return dict(found)


def mean(values: Iterable[float | None]) -> float | None:
    found = [value for value in values if value is not None]
    return float(np.mean(found)) if found else None


def ratio(numerator: float, denominator: float) -> float | None:
    return numerator / denominator if denominator else None


def wilson(p: float | None, n: float) -> tuple[float | None, float | None]:
    """Wilson (1927): the score interval of a share p of n trials."""
    if p is None or n <= 0:
        return None, None
    middle = p + Z**2 / (2 * n)
    spread = Z * sqrt(max(p * (1 - p) / n + Z**2 / (4 * n**2), 0))
    scale = 1 + Z**2 / n
    return max((middle - spread) / scale, 0), min((middle + spread) / scale, 1)


def clustered_se(units: Units) -> float | None:
    """The linearised standard error of a mean over clusters (a ratio of sums; Cochran 1977)."""
    m = len(units)
    if m < 2:
        return None
    total = sum(len(scores) for scores in units.values())
    p = sum(sum(scores) for scores in units.values()) / total
    squares = sum((sum(scores) - p * len(scores)) ** 2 for scores in units.values())
    return sqrt(m / (m - 1) * squares) / total


def effective_n(units: Units) -> float:
    """The number of independent trials that a share over clusters is worth (docs/analysis.md)."""
    m = len(units)
    total = sum(len(scores) for scores in units.values())
    right = sum(sum(scores) for scores in units.values())
    any_right = sum(sum(scores) > 0 for scores in units.values())
    any_wrong = sum(sum(scores) < len(scores) for scores in units.values())
    if any_right == 0 or any_wrong == 0 or m <= 1:
        return m
    p = right / total
    v = sum((sum(scores) - p * len(scores)) ** 2 for scores in units.values()) / total**2
    star = min(p * (1 - p) / v, total) if v > 1e-18 else total
    if star <= m:
        return float(star)
    k = min(any_right, any_wrong)
    return m + (star - m) * k / (k + 5)


def share(units: Units) -> dict[str, Any]:
    """A share with its numbers of units and replies, standard error and interval."""
    total = sum(len(scores) for scores in units.values())
    estimate = ratio(sum(sum(scores) for scores in units.values()), total)
    low, high = wilson(estimate, effective_n(units))
    return {
        "n": len(units),
        "n_episodes": total,
        "estimate": estimate,
        "se": clustered_se(units),
        "ci_low": low,
        "ci_high": high,
    }


def binomial_above(units: Units, chance: float) -> tuple[float, float]:
    """The exact one-sided p of being right so often, and so rarely, by chance, over units."""
    k, n = round(sum(float(np.mean(scores)) for scores in units.values()), 9), len(units)
    return (
        float(stats.binom.sf(floor(k) - 1, n, chance)),
        float(stats.binom.cdf(ceil(k), n, chance)),
    )


def mcnemar(b: int, c: int) -> float:
    """The exact two-sided p of discordant pairs."""
    return float(stats.binomtest(b, b + c, 0.5).pvalue) if b + c else 1.0


def holm(ps: Sequence[float]) -> list[float]:
    """Holm (1979): adjusted p, in the order given."""
    order = sorted(range(len(ps)), key=lambda at: ps[at])
    adjusted, highest = [0.0] * len(ps), 0.0
    for rank, at in enumerate(order):
        highest = max(highest, (len(ps) - rank) * ps[at])
        adjusted[at] = min(highest, 1.0)
    return adjusted


def kappa(first: Sequence[object], second: Sequence[object]) -> float | None:
    """Cohen (1960)."""
    n = len(first)
    labels = set(first) | set(second)
    agreed = sum(one == two for one, two in zip(first, second, strict=True)) / n
    chance = sum(first.count(label) * second.count(label) for label in labels) / n**2
    return (agreed - chance) / (1 - chance) if chance < 1 else None


def spearman(first: Sequence[float], second: Sequence[float]) -> float | None:
    if len(set(first)) < 2 or len(set(second)) < 2:
        return None
    return float(stats.spearmanr(first, second).statistic)


def t_interval(estimate: float, se: float, df: int) -> tuple[float, float]:
    quantile = float(stats.t.ppf(0.975, df))
    return estimate - quantile * se, estimate + quantile * se


def newcombe(first: Sequence[float], second: Sequence[float]) -> tuple[float, float]:
    """Newcombe (1998), method 10: the interval of a paired difference of shares."""
    one, two = np.array(first), np.array(second)
    n, p, q = len(one), float(one.mean()), float(two.mean())
    both, neither = float((one * two).sum()), float(((1 - one) * (1 - two)).sum())
    only, other = float((one * (1 - two)).sum()), float(((1 - one) * two).sum())
    scale = sqrt((both + only) * (other + neither) * (both + other) * (only + neither))
    excess = both * neither - only * other
    phi = 0.0 if scale == 0 else (max(excess - n / 2, 0) if excess > 0 else excess) / scale
    (low_p, high_p), (low_q, high_q) = wilson(p, n), wilson(q, n)
    assert low_p is not None
    assert high_p is not None
    assert low_q is not None
    assert high_q is not None
    down, up = (p - low_p, high_q - q), (high_p - p, q - low_q)
    return (
        p - q - sqrt(down[0] ** 2 - 2 * phi * down[0] * down[1] + down[1] ** 2),
        p - q + sqrt(up[0] ** 2 - 2 * phi * up[0] * up[1] + up[1] ** 2),
    )


def bca(
    estimate: float, left_out: NDArray[np.float64], means: NDArray[np.float64], z: float
) -> tuple[float, float]:
    """Efron (1987): the interval of a statistic from its draws and its jackknife."""
    deviations = left_out.mean() - left_out
    a = float((deviations**3).sum() / (6 * (deviations**2).sum() ** 1.5))
    ties = np.abs(means - estimate) <= 1e-12 * max(1, abs(estimate))
    below = float(np.mean((means < estimate) & ~ties) + np.mean(ties) / 2)
    z0 = float(stats.norm.ppf(below))
    levels = [float(stats.norm.cdf(z0 + (z0 + tail) / (1 - a * (z0 + tail)))) for tail in (-z, z)]
    low, high = np.quantile(means, levels)
    return float(low), float(high)


@lru_cache(maxsize=64)
def _draws(n: int, draws: int, seed: int) -> NDArray[np.int64]:
    return np.random.default_rng([seed, n]).multinomial(n, np.full(n, 1 / n), size=draws)


def bca_of_mean(units: Units, draws: int, seed: int) -> dict[str, float]:
    """The BCa interval of a mean over units, at Hesterberg's (2015) expanded percentiles.

    The draws are those of numpy's generator with these seeds: multinomial counts of units.
    """
    n = len(units)
    totals = np.array([sum(scores) for scores in units.values()])
    counts = np.array([float(len(scores)) for scores in units.values()])
    drawn = _draws(n, draws, seed)
    means = (drawn @ totals) / (drawn @ counts)
    left_out = (totals.sum() - totals) / (counts.sum() - counts)
    estimate = float(totals.sum() / counts.sum())
    z = sqrt(n / (n - 1)) * float(stats.t.ppf(0.975, n - 1))
    low, high = bca(estimate, left_out, means, z)
    se = float(means.std(ddof=1))
    return {"estimate": estimate, "se": se, "ci_low": low, "ci_high": high}
