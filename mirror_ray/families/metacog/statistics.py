"""metacog's metrics as functions of sums over scenes: the value of a weighted sample of scenes.

The formulas are those of arXiv 2604.19809, appendix on metrics. A statistic has columns, one row
per scene, and computes its value from weighted sums, for many samples at once. Undefined is NaN."""

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Statistic:
    """A metric of one model. `columns` is (n_scenes, n_columns) float64, 0 in a scene without data;
    `value` maps (n_samples, n_columns) weighted sums to (n_samples,) values."""

    columns: Floats
    value: Callable[[Floats], Floats]


@dataclass(frozen=True, slots=True)
class Scored:
    """A score of the scene in this row, for a group of its metric (a domain, a bin, …)."""

    scene: int
    group: Hashable
    score: float


def mean(scored: Iterable[Scored], n_scenes: int) -> Statistic:
    """Return the mean score; groups do not matter."""
    columns = np.zeros((n_scenes, 2))
    for one in scored:
        columns[one.scene] += one.score, 1
    return Statistic(columns, lambda sums: _ratio(sums[:, 0], sums[:, 1]))


def mean_distance(first: Sequence[Scored], second: Sequence[Scored], n_scenes: int) -> Statistic:
    """Return the mean over groups of the distance between the two samples' means in a group.

    Groups that either sample lacks are left out."""
    groups = sorted({one.group for one in first} & {one.group for one in second}, key=repr)
    place = {group: at for at, group in enumerate(groups)}
    columns = np.zeros((n_scenes, len(groups), 4))
    for scored, at in ((first, 0), (second, 2)):
        for one in scored:
            if one.group in place:
                columns[one.scene, place[one.group], at : at + 2] += one.score, 1

    def value(sums: Floats) -> Floats:
        by = sums.reshape(len(sums), len(groups), 4)
        apart = np.abs(_ratio(by[..., 0], by[..., 1]) - _ratio(by[..., 2], by[..., 3]))
        return _mean_of_valid(apart)

    return Statistic(columns.reshape(n_scenes, -1), value)


def robustness(attacked: Sequence[Scored], clean: Sequence[Scored], n_scenes: int) -> Statistic:
    """Return one minus the mean distance of attacked and clean signals (ARS)."""
    distance = mean_distance(attacked, clean, n_scenes)
    return Statistic(distance.columns, lambda sums: 1 - distance.value(sums))


def calibration_error(excess: Sequence[Scored], n_scenes: int) -> Statistic:
    """Return the distance between mean bet and share of right answers in each group (a bin),
    weighted by n (ECE). `excess` is, for each bet, the bet minus the outcome."""
    place = {group: at for at, group in enumerate(sorted({one.group for one in excess}, key=repr))}
    columns = np.zeros((n_scenes, len(place), 2))
    for one in excess:
        columns[one.scene, place[one.group]] += one.score, 1

    def value(sums: Floats) -> Floats:
        by = sums.reshape(len(sums), len(place), 2)
        return _ratio(np.abs(by[..., 0]).sum(axis=1), by[..., 1].sum(axis=1))

    return Statistic(columns.reshape(n_scenes, -1), value)


def mean_correlation(
    pairs: Iterable[Sequence[tuple[int, float, float]]], n_scenes: int, *, signed: bool
) -> Statistic:
    """Return the mean of Spearman's correlations over pairs of variables that both vary (MCI, TII).

    Args:
        pairs: for each pair of variables, the scenes that have both, and their two values.
        signed: False for the mean of absolute values.
    """
    found = [_correlation(observed, n_scenes) for observed in pairs if observed]
    if not found:
        return Statistic(np.zeros((n_scenes, 0)), lambda sums: np.full(len(sums), np.nan))
    ends = np.cumsum([one.columns.shape[1] for one in found])

    def value(sums: Floats) -> Floats:
        parts = np.split(sums, ends[:-1], axis=1)
        each = np.stack([one.value(part) for one, part in zip(found, parts, strict=True)], axis=1)
        return _mean_of_valid(each if signed else np.abs(each))

    return Statistic(np.concatenate([one.columns for one in found], axis=1), value)


def _correlation(observed: Sequence[tuple[int, float, float]], n_scenes: int) -> Statistic:
    """Return Spearman's correlation of counted combinations of values; ties share the mean rank."""
    scenes, first, second = (np.array(part) for part in zip(*observed, strict=True))
    levels_1, first = np.unique(first, return_inverse=True)
    levels_2, second = np.unique(second, return_inverse=True)
    cells, cell = np.unique(np.stack([first, second], axis=1), axis=0, return_inverse=True)
    columns = np.zeros((n_scenes, len(cells)))
    np.add.at(columns, (scenes.astype(np.int64), cell.reshape(-1)), 1)
    at_1, at_2 = cells[:, 0], cells[:, 1]
    of_1 = (at_1[:, None] == np.arange(len(levels_1))).astype(np.float64)
    of_2 = (at_2[:, None] == np.arange(len(levels_2))).astype(np.float64)

    def value(sums: Floats) -> Floats:
        ranks_1, spread_1 = _centred_ranks(sums @ of_1)
        ranks_2, spread_2 = _centred_ranks(sums @ of_2)
        together = (sums * ranks_1[:, at_1] * ranks_2[:, at_2]).sum(axis=1)
        return _ratio(together, np.sqrt(spread_1 * spread_2))

    return Statistic(columns, value)


def _centred_ranks(counts: Floats) -> tuple[Floats, Floats]:
    """Return the mean rank of each level minus the mean of all, and the sum of squares over all."""
    before = np.cumsum(counts, axis=1) - counts
    ranks = before + counts / 2 - counts.sum(axis=1, keepdims=True) / 2
    return ranks, (counts * ranks**2).sum(axis=1)


def _ratio(numerator: Floats, denominator: Floats) -> Floats:
    undefined = np.full(np.broadcast_shapes(numerator.shape, denominator.shape), np.nan)
    ratio: Floats = np.divide(numerator, denominator, out=undefined, where=denominator > 1e-9)
    return ratio


def _mean_of_valid(values: Floats) -> Floats:
    """Return the means over valid values, (n_samples, n) → (n_samples,)."""
    valid = ~np.isnan(values)
    return _ratio(np.where(valid, values, 0).sum(axis=1), valid.sum(axis=1).astype(np.float64))
