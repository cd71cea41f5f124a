"""BCa cluster bootstrap over scenes (Efron 1987), seeded, stored as a table of the run.

With few scenes, the percentiles are taken at `expanded_z`. A share gets a Wilson interval if each
of its scenes is entirely right or entirely wrong, because resampling such scenes yields only
multiples of 1 / n.

A scene is the independent unit of a family, the column `cluster` of its episodes. Repetitions,
layouts and copies of one scene are right or wrong together, so whole scenes are drawn. Only metrics
that are means of an episode column are bootstrapped: those that `metric.<family>` names after a
column of `episode.<family>`."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import groupby
from math import sqrt
from statistics import NormalDist
from typing import Any

import duckdb
import numpy as np
from numpy.typing import NDArray

from mirror_ray.analysis.intervals import keep_intervals
from mirror_ray.analysis.quantiles import NORMAL_95, expanded_z
from mirror_ray.analysis.quoting import identifier
from mirror_ray.analysis.reading import Reading
from mirror_ray.analysis.warehouse import held_run

DRAWS = 10_000
OUT_OF_BOUNDS = "the acceleration is out of bounds"
GROUP = ("family", "condition", "model", "temperature", "variant", "parameters")

_Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Sample:
    """The scores of one group, summed up by scene. Every scene has at least one score. `totals` and
    `counts`, each (n_scenes,) float64, are the sum and the number of each scene's scores."""

    totals: _Floats
    counts: _Floats

    @property
    def n_scenes(self) -> int:
        """How many scenes have a score."""
        return len(self.totals)

    @property
    def is_zero_or_one(self) -> bool:
        """Whether every score of a scene is 0, or every one is 1."""
        return bool(np.all((self.totals == 0) | (self.totals == self.counts)))

    @classmethod
    def of(cls, scores: Sequence[float], scenes: Sequence[object]) -> "Sample":
        """Sum up scores by scene. Raise ValueError unless `scenes` has one scene for each score."""
        indices = {scene: index for index, scene in enumerate(dict.fromkeys(scenes))}
        totals, counts = np.zeros(len(indices)), np.zeros(len(indices))
        for score, scene in zip(scores, scenes, strict=True):
            totals[indices[scene]] += score
            counts[indices[scene]] += 1
        return cls(totals, counts)


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean and its BCa interval; both ends are None where `reason` says why."""

    estimate: float | None
    se: float | None
    ci_low: float | None
    ci_high: float | None
    reason: str | None


def scene_draws(n_scenes: int, draws: int, seed: int) -> _Floats:
    """Return (draws, n_scenes) float64: how often each draw contains each scene.

    The draws depend only on the arguments, so groups with equally many scenes get the same draws in
    any order."""
    if n_scenes == 0:
        return np.zeros((draws, 0))
    generator = np.random.default_rng([seed, n_scenes])
    drawn = generator.multinomial(n_scenes, np.full(n_scenes, 1 / n_scenes), size=draws)
    return drawn.astype(np.float64)


def interval_of(sample: Sample, drawn: _Floats, *, is_share: bool) -> tuple[Interval, str]:
    """Return the interval to store and its method, "wilson" or "bca". `is_share` says that every
    score is between 0 and 1."""
    if is_share and sample.n_scenes and sample.is_zero_or_one:
        return _wilson(bca_interval(sample, drawn), sample.n_scenes), "wilson"
    return expanded_bca(sample, drawn), "bca"


def expanded_bca(sample: Sample, drawn: _Floats) -> Interval:
    """Return the BCa interval at `expanded_z`, or at the plain level if that is out of bounds."""
    if sample.n_scenes < 2:
        return bca_interval(sample, drawn)
    found = bca_interval(sample, drawn, z=expanded_z(sample.n_scenes))
    return bca_interval(sample, drawn) if found.reason == OUT_OF_BOUNDS else found


def _wilson(found: Interval, n: int) -> Interval:
    share, z2 = found.estimate or 0.0, NORMAL_95**2
    middle, spread = share * n + z2 / 2, NORMAL_95 * sqrt(n * share * (1 - share) + z2 / 4)
    low, high = max(0.0, (middle - spread) / (n + z2)), min(1.0, (middle + spread) / (n + z2))
    return replace(found, ci_low=low, ci_high=high, reason=None)


def bca_interval(sample: Sample, drawn: _Floats, *, z: float = NORMAL_95) -> Interval:
    """Return the BCa interval of the mean score over draws made by `scene_draws`. `z` is the normal
    quantile of the interval's upper tail."""
    if sample.n_scenes == 0:
        return Interval(None, None, None, None, "no episode defines it")
    total, count = sample.totals.sum(), sample.counts.sum()
    estimate = float(total / count)
    if sample.n_scenes == 1:
        return Interval(estimate, None, None, None, "one scene")

    left_out = (total - sample.totals) / (count - sample.counts)
    return bca_of(estimate, left_out, (drawn @ sample.totals) / (drawn @ sample.counts), z=z)


def bca_of(estimate: float, left_out: _Floats, means: _Floats, *, z: float = NORMAL_95) -> Interval:
    """Return the BCa interval of any statistic of scenes.

    Args:
        left_out: (n_scenes,) its values when each scene in turn is left out; two scenes or more.
        means: (draws,) its values in draws of as many scenes.
        z: the normal quantile of its upper tail.
    """
    deviations = left_out.mean() - left_out
    if np.allclose(deviations, 0.0, atol=1e-12 * max(1.0, abs(estimate))):
        return Interval(estimate, None, None, None, "all scenes agree")
    acceleration = (deviations**3).sum() / (6 * (deviations**2).sum() ** 1.5)

    se = float(means.std(ddof=1))
    # Draws that repeat the sample's own mean count half; rounding must not break such ties.
    tie = 1e-12 * max(1.0, abs(estimate))
    share_below = float(np.mean(means < estimate - tie) + np.mean(means <= estimate + tie)) / 2
    if not 0 < share_below < 1:
        return Interval(estimate, se, None, None, "all draws lie on one side of the estimate")
    normal = NormalDist()
    bias = normal.inv_cdf(share_below)
    levels = []
    for tail_z in (-z, z):
        shifted = bias + tail_z
        if acceleration * shifted >= 1:
            return Interval(estimate, se, None, None, OUT_OF_BOUNDS)
        levels.append(normal.cdf(bias + shifted / (1 - acceleration * shifted)))
    low, high = np.quantile(means, levels)
    return Interval(estimate, se, float(low), float(high), None)


def bootstrap_run(
    directory: str,
    *,
    draws: int = DRAWS,
    seed: int = 0,
    run: duckdb.DuckDBPyConnection | None = None,
) -> tuple[str, ...]:
    """Bootstrap every family's metrics, write them to `intervals/<family>.parquet` (without rows
    for a family without episodes), and return the files. `run` is as for `held_run`. Raise
    NotADirectoryError if the run directory does not exist."""
    with held_run(directory, run) as opened:
        written = []
        recorded = Reading(opened).recorded_families()
        for family in bootstrap_families(opened):
            rows = _intervals(opened, family, draws, seed) if family in recorded else []
            written.append(keep_intervals(directory, family, rows))
    return tuple(written)


def bootstrap_families(connection: duckdb.DuckDBPyConnection) -> tuple[str, ...]:
    """Return the families that have both an episode view and a metric view of their own name."""
    rows = connection.execute(
        "select scored.view_name from duckdb_views() as scored, duckdb_views() as measured, "
        "duckdb_views() as played where scored.schema_name = 'episode' "
        "and (measured.schema_name, measured.view_name) = ('metric', scored.view_name) "
        "and (played.schema_name, played.view_name) = ('shard', scored.view_name || '_episodes') "
        "order by scored.view_name"
    ).fetchall()
    return tuple(name for (name,) in rows)


def _intervals(
    connection: duckdb.DuckDBPyConnection, family: str, draws: int, seed: int
) -> list[dict[str, Any]]:
    # One query per metric reads this, so it is computed once.
    connection.execute(f"create or replace temp table scores as from episode.{family}")
    samples = [
        (key, metric, is_share, sample)
        for metric, is_share in _column_metrics(connection, family)
        for key, sample in _samples(connection, metric)
    ]
    rows: list[dict[str, Any]] = []
    samples.sort(key=lambda entry: entry[3].n_scenes)
    for n_scenes, same_size in groupby(samples, key=lambda entry: entry[3].n_scenes):
        drawn = scene_draws(n_scenes, draws, seed)
        for key, metric, is_share, sample in same_size:
            interval, method = interval_of(sample, drawn, is_share=is_share)
            rows.append(
                {
                    **key,
                    "metric": metric,
                    "n": int(sample.counts.sum()),
                    "n_scenes": n_scenes,
                    **asdict(interval),
                    "method": method,
                    "draws": draws,
                    "seed": seed,
                }
            )
    return rows


def _column_metrics(connection: duckdb.DuckDBPyConnection, family: str) -> list[tuple[str, bool]]:
    columns = {name for name, *_ in connection.execute(f"describe episode.{family}").fetchall()}
    metrics = connection.execute(
        f"select metric, bool_and(method = 'wilson') from metric.{family} "  # noqa: S608 - a view's name
        "group by metric order by metric"
    ).fetchall()
    return [(metric, bool(is_share)) for metric, is_share in metrics if metric in columns]


def _samples(
    connection: duckdb.DuckDBPyConnection, metric: str
) -> Iterator[tuple[dict[str, Any], Sample]]:
    """Return the groups of the table `scores`, in a fixed order of groups, scenes and episodes."""
    keys = ", ".join(GROUP)
    score = identifier(metric)
    query = (
        f"select {keys}, "  # noqa: S608 - names of columns
        f"list({score}::double order by scene_seed, run, episode_id) "
        f"filter ({score} is not null), "
        "list(cluster order by scene_seed, run, episode_id) "
        f"filter ({score} is not null) "
        f"from scores group by {keys} order by {keys}"
    )
    for *key, scores, scenes in connection.execute(query).fetchall():
        yield dict(zip(GROUP, key, strict=True)), Sample.of(scores or (), scenes or ())
