"""BCa intervals of metacog's summary metrics over scenes, seeded, stored as a table of the run.

`scores` says which scores make up a metric. Whole scenes of an experiment are drawn, with all
channels, attacks and conditions of a question together."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

import duckdb
import numpy as np

from mirror_ray.analysis.bootstrap import DRAWS, Interval, bca_of
from mirror_ray.analysis.intervals import keep_intervals
from mirror_ray.analysis.reading import Reading
from mirror_ray.analysis.warehouse import held_run
from mirror_ray.families.metacog.scores import EXPERIMENTS, ScoredModel, statistics_of
from mirror_ray.families.metacog.statistics import Floats, Statistic

AT_ONCE = 500
MODELS_AT_ONCE = 100
"""Limited because the draws of ten thousand models' metrics would take tens of GB."""
MOST_UNDEFINED = 0.05
"""The largest share of draws that may leave a metric undefined; those draws are left out."""


@dataclass(frozen=True, slots=True)
class Spread:
    """A statistic of the sample, of each draw (draws,), and of the sample without each scene
    (n_scenes,)."""

    estimate: float
    draws: Floats
    left_out: Floats

    def plus(self, other: "Spread", constant: float) -> "Spread":
        """Return the sum with a statistic of other scenes, which are drawn independently."""
        left_out = [self.left_out + other.estimate, other.left_out + self.estimate]
        return Spread(
            self.estimate + other.estimate + constant,
            self.draws + other.draws + constant,
            np.concatenate(left_out) + constant,
        )

    def interval(self) -> Interval:
        """Return the BCa interval, or the reason why it is missing."""
        if np.isnan(self.estimate):
            return Interval(None, None, None, None, "undefined")
        if len(self.left_out) < 2:
            return Interval(self.estimate, None, None, None, "one scene")
        defined = self.draws[~np.isnan(self.draws)]
        if np.isnan(self.left_out).any() or len(defined) < (1 - MOST_UNDEFINED) * len(self.draws):
            return Interval(self.estimate, None, None, None, "few scenes define it")
        return bca_of(self.estimate, self.left_out, defined)


def write_intervals(
    directory: str,
    *,
    draws: int = DRAWS,
    seed: int = 0,
    run: duckdb.DuckDBPyConnection | None = None,
) -> str | None:
    """Store the intervals as `intervals/metacog_summary.parquet`, and return its path, or None if
    the run has no episode of metacog. `run` is as for `held_run`. Raise NotADirectoryError if the
    run directory does not exist."""
    with held_run(directory, run) as opened:
        if "metacog" not in Reading(opened).families():
            return None
        return keep_intervals(directory, "metacog_summary", _rows(opened, draws, seed))


def _rows(connection: duckdb.DuckDBPyConnection, draws: int, seed: int) -> Iterator[dict[str, Any]]:
    of_experiments = {one: statistics_of(connection, one) for one in EXPERIMENTS}
    models = list(dict.fromkeys(model for one in of_experiments.values() for model, _ in one))
    for start in range(0, len(models), MODELS_AT_ONCE):
        some = dict.fromkeys(models[start : start + MODELS_AT_ONCE])
        spreads: dict[tuple[str, ScoredModel, str], Spread] = {}
        for experiment, statistics in of_experiments.items():
            of_some = {name: one for name, one in statistics.items() if name[0] in some}
            for (model, metric), spread in spreads_of(of_some, draws, (seed, experiment)).items():
                spreads[experiment, model, metric] = spread
        for model in some:
            gap = spreads.get(("exp1", model, "gap"))
            failures = spreads.get(("exp9", model, "cfr_c1"))
            if gap is not None and failures is not None:
                spreads["exp1+exp9", model, "kdi"] = gap.plus(failures, -1.0)
        for (experiment, (model_name, temperature, setting), metric), spread in spreads.items():
            yield {
                "family": "metacog",
                "condition": experiment,
                "model": model_name,
                "temperature": temperature,
                "variant": setting,
                "metric": metric,
                "n": len(spread.left_out),
                "n_scenes": len(spread.left_out),
                **asdict(spread.interval()),
                "method": "bca",
                "draws": draws,
                "seed": seed,
                "parameters": "",
            }


def spreads_of(
    statistics: Mapping[tuple[ScoredModel, str], Statistic], draws: int, source: tuple[int, str]
) -> dict[tuple[ScoredModel, str], Spread]:
    """Return all statistics of one experiment's scenes, over the same draws. `source` is the seed
    and the experiment, because other experiments are drawn independently."""
    if not statistics:
        return {}
    columns = np.concatenate([one.columns for one in statistics.values()], axis=1)
    ends = np.cumsum([one.columns.shape[1] for one in statistics.values()])[:-1]
    n_scenes = len(columns)

    def values(sums: Floats) -> list[Floats]:
        parts = np.split(sums, ends, axis=1)
        return [one.value(part) for one, part in zip(statistics.values(), parts, strict=True)]

    generator = np.random.default_rng([source[0], *source[1].encode(), n_scenes])
    even = np.full(n_scenes, 1 / n_scenes)
    drawn = []
    for start in range(0, draws, AT_ONCE):
        weights = generator.multinomial(n_scenes, even, size=min(AT_ONCE, draws - start))
        drawn.append(values(weights.astype(np.float64) @ columns))
    of_draws = [np.concatenate(parts) for parts in zip(*drawn, strict=True)]
    total = columns.sum(axis=0, keepdims=True)
    of_all, of_left_out = values(total), values(total - columns)
    return {
        name: Spread(float(whole[0]), of_draw, left_out[one.columns.any(axis=1)])
        for (name, one), whole, of_draw, left_out in zip(
            statistics.items(), of_all, of_draws, of_left_out, strict=True
        )
    }
