"""Paired differences between cells on equal scenes, for metrics without a closed form.

These are counts, and shares of several episodes of a scene. They get a BCa interval of the mean
difference and a sign-flip test, both over scenes and seeded, in a table that `contrast.pairs`
reads. Differences of plain shares need neither: that view has Newcombe's interval and McNemar's
test."""

from collections.abc import Iterator
from dataclasses import asdict
from itertools import groupby
from typing import Any

import duckdb
import numpy as np
from numpy.typing import NDArray

from mirror_ray.analysis.bootstrap import DRAWS, Sample, expanded_bca, scene_draws
from mirror_ray.analysis.intervals import DIFFERENCES, keep_intervals
from mirror_ray.analysis.warehouse import held_run

_AT_A_TIME = 1_000
_MOST_MODELS = 200
"""If there are more, models are not compared with each other: ten thousand make fifty million
pairs."""
_QUERY = """
select contrast, metric, any_value(parameters) as parameters,
    list(difference order by scene_seed, cluster) as differences
from macro.twins(metric.scores, metric.settings, metric.replies, $1, true)
group by contrast, metric
having not bool_and(kind = 'share' and score in (0, 1) and baseline_score in (0, 1))
order by count(*), contrast, metric
"""

_Floats = NDArray[np.float64]


def compare_run(
    directory: str,
    *,
    draws: int = DRAWS,
    seed: int = 0,
    run: duckdb.DuckDBPyConnection | None = None,
) -> str:
    """Compute every paired difference that needs resampling, and return the file written. `run` is
    as for `held_run`. Raise NotADirectoryError if the run directory does not exist."""
    with held_run(directory, run) as opened:
        counted = opened.execute("select count(distinct model) from metric.scores").fetchone()
        are_few = counted is not None and counted[0] <= _MOST_MODELS
        found = opened.execute(_QUERY, [are_few]).fetchall()
    rows: list[dict[str, Any]] = []
    for n, same_size in groupby(found, key=lambda row: len(row[3])):
        drawn, flips = scene_draws(n, draws, seed), list(_sign_flips(n, draws, seed))
        for contrast, metric, parameters, values in same_size:
            differences = np.array(values)
            interval = expanded_bca(Sample(differences, np.ones(n)), drawn)
            rows.append(
                {
                    "contrast": contrast,
                    "metric": metric,
                    "n": n,
                    "difference": interval.estimate,
                    **asdict(interval),
                    "p": sign_flip_p(differences, flips, is_whole=_is_whole(n, draws)),
                    "draws": draws,
                    "seed": seed,
                    "parameters": parameters,
                }
            )
    return keep_intervals(directory, "paired_differences", rows, DIFFERENCES)


def sign_flip_p(differences: _Floats, flips: list[_Floats], *, is_whole: bool) -> float:
    """Return the two-sided p of a mean difference of zero, under which each scene's difference may
    have either sign.

    Args:
        differences: (n_scenes,)
        flips: parts of (draws, n_scenes) of ±1.
        is_whole: the flips are all possible ones, and p is exact. Otherwise they are a sample, to
            which the observed signs are added (Phipson and Smyth 2010), so that p is never 0.
    """
    observed = abs(differences.sum())
    # Sums of the same numbers in another order must not differ.
    bound = observed - 1e-9 * np.abs(differences).sum()
    as_far = sum(int(np.count_nonzero(np.abs(part @ differences) >= bound)) for part in flips)
    total = sum(len(part) for part in flips)
    return as_far / total if is_whole else (as_far + 1) / (total + 1)


def _is_whole(n: int, draws: int) -> bool:
    return n < 63 and 2**n <= draws


def _sign_flips(n: int, draws: int, seed: int) -> Iterator[_Floats]:
    """Return all sign flips if there are at most `draws`, otherwise `draws` random ones."""
    if _is_whole(n, draws):
        bits = (np.arange(2**n)[:, np.newaxis] >> np.arange(n)) & 1
        yield 1.0 - 2.0 * bits.astype(np.float64)
        return
    generator = np.random.default_rng([seed, n])
    for start in range(0, draws, _AT_A_TIME):
        size = (min(_AT_A_TIME, draws - start), n)
        yield 1.0 - 2.0 * generator.integers(2, size=size).astype(np.float64)
