"""Measure the time of metacog's BCa intervals: 16 models, every metric of scenes, 10,000 draws.

    python benchmarks/metacog_intervals.py [--models 16] [--questions 400] [--draws 10_000]

Makes random scores with a fixed seed, and draws scenes for all metrics of `summary.metacog` that
have such intervals, as if all experiments used the same questions. Reading a run takes additional
time in the views. On a busy machine CPU seconds are more accurate than seconds.
"""

import argparse
from itertools import combinations
from time import perf_counter, process_time
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.console import Console

from mirror_ray.families.metacog.intervals import spreads_of
from mirror_ray.families.metacog.scores import ScoredModel
from mirror_ray.families.metacog.statistics import (
    Scored,
    Statistic,
    calibration_error,
    mean,
    mean_correlation,
    mean_distance,
    robustness,
)

DOMAINS = 8


def main() -> None:
    """Make the scores, time the draws and the intervals, print one line."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--models", type=int, default=16)
    options.add_argument("--questions", type=int, default=400)
    options.add_argument("--draws", type=int, default=10_000)
    chosen = options.parse_args()
    statistics: dict[tuple[ScoredModel, str], Statistic] = {
        ((f"model-{number}", 0.0, "paper"), metric): statistic
        for number in range(chosen.models)
        for metric, statistic in _metrics(number, chosen.questions).items()
    }
    columns = sum(one.columns.shape[1] for one in statistics.values())
    began, cpu_began = perf_counter(), process_time()
    spreads = spreads_of(statistics, chosen.draws, (0, "exp1"))
    intervals = [spread.interval() for spread in spreads.values()]
    wall_s, cpu_s = perf_counter() - began, process_time() - cpu_began
    Console().print(
        f"{len(intervals)} intervals of {chosen.models} models, {chosen.questions} questions, "
        f"{columns:,} columns, {chosen.draws:,} draws: {wall_s:.1f} s, {cpu_s:.1f} CPU s"
    )


def _metrics(number: int, n: int) -> dict[str, Statistic]:
    """Return the metrics of one model that answers at random."""
    rng = np.random.default_rng(number)
    bets, natural, right = rng.integers(0, 10, n) / 9, rng.random(n) < 0.6, rng.random(n) < 0.6
    hedges, tools = 1 / (1 + rng.integers(0, 6, n)), 1 / (1 + rng.integers(0, 4, n))
    signals = [bets, hedges, tools, rng.integers(0, 2, n), rng.integers(0, 2, n)]
    shares = rng.integers(0, 9, n) / 8
    excess = bets - right
    shifted = np.clip(bets + rng.normal(0, 0.1, (5, n)), 0, 1)
    return {
        "natural_accuracy": mean(_scored(natural), n),
        "wagering_accuracy": mean(_scored(right), n),
        "gap": mean_distance(_scored(right, DOMAINS), _scored(natural, DOMAINS), n),
        "mci": mean_correlation(
            [list(zip(range(n), one, two, strict=True)) for one, two in combinations(signals, 2)],
            n,
            signed=True,
        ),
        "ece": calibration_error(
            [
                Scored(scene, min(9, int(bet * 10)), one)
                for scene, (bet, one) in enumerate(zip(bets, excess, strict=True))
            ],
            n,
        ),
        "brier": mean(_scored(excess**2), n),
        "tii": mean_correlation(
            [list(zip(range(n), shares, signal, strict=True)) for signal in signals],
            n,
            signed=False,
        ),
        "cce_printed": mean(_scored(np.abs(shares - right)), n),
        "cce_code": mean(_scored(np.abs(shares - right) - 0.2), n),
        "ai_true": mean(_scored(rng.normal(-0.3, 0.2, n)), n),
        "ars": robustness(
            [
                Scored(scene, attack, one)
                for attack, row in enumerate(shifted)
                for scene, one in enumerate(row)
            ],
            [
                Scored(scene, attack, bet)
                for attack in range(len(shifted))
                for scene, bet in enumerate(bets)
            ],
            n,
        ),
        "fdr": mean(_scored(rng.random(n) < 0.7), n),
        **{f"cfr_c{at}": mean(_scored(rng.random(n) < 1 / at), n) for at in range(1, 5)},
    }


def _scored(scores: NDArray[Any], n_groups: int = 1) -> list[Scored]:
    return [Scored(scene, scene % n_groups, float(score)) for scene, score in enumerate(scores)]


if __name__ == "__main__":
    main()
