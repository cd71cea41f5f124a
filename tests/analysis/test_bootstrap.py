"""BCa intervals: by hand, against scipy on the very same draws, and as a table of the run."""

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
import scipy.stats

from mirror_ray.analysis.bootstrap import (
    Sample,
    bca_interval,
    bootstrap_run,
    interval_of,
    scene_draws,
)
from mirror_ray.analysis.intervals import INTERVALS
from mirror_ray.analysis.quantiles import student_95
from mirror_ray.analysis.warehouse import open_run
from support.analysis.synthetic_runs import Played, moments, scenes, write_run

RIGHT = Played(moments("w unknown 60", "done red 60 red"))
WRONG = Played(moments("w blue 0", "w unknown 0", "w unknown 60", "done red 60 blue"))


def of_selfid(written: tuple[str, ...]) -> str:
    (path,) = (path for path in written if path.endswith("/selfid.parquet"))
    return path


def ratio_of_sums(totals: Any, counts: Any, axis: int = -1) -> Any:
    return totals.sum(axis=axis) / counts.sum(axis=axis)


def scipys_interval(
    sample: Sample, drawn: np.ndarray, level: float = 0.95
) -> tuple[float, float, float]:
    """scipy's standard error and BCa interval of the same statistic over the same draws."""
    means = (drawn @ sample.totals) / (drawn @ sample.counts)
    found = scipy.stats.bootstrap(
        (sample.totals, sample.counts),
        ratio_of_sums,
        paired=True,
        n_resamples=0,
        bootstrap_result=SimpleNamespace(bootstrap_distribution=means),
        method="BCa",
        confidence_level=level,
    )
    interval = found.confidence_interval
    return float(found.standard_error), float(interval.low), float(interval.high)


def sample_of_kind(kind: str, n_scenes: int) -> Sample:
    generator = np.random.default_rng([3, n_scenes])
    per_scene = np.ones(n_scenes)
    if kind == "skewed":
        # Rounded, so that sums are exact: scipy misses ties that differ in the last bit.
        return Sample(np.round(generator.lognormal(size=n_scenes) * 64) / 64, per_scene)
    if kind == "shares":
        return Sample((np.arange(n_scenes) % 3 == 0).astype(float), per_scene)
    if kind == "rare":
        return Sample((np.arange(n_scenes) == 0).astype(float), per_scene)
    counts = generator.integers(1, 9, size=n_scenes).astype(float)
    return Sample(generator.binomial(counts.astype(int), 0.4).astype(float), counts)


@pytest.mark.parametrize("n_scenes", [3, 6, 21, 100])
@pytest.mark.parametrize("kind", ["skewed", "shares", "rare", "unequal scenes"])
def test_the_interval_is_scipys(kind: str, n_scenes: int) -> None:
    sample = sample_of_kind(kind, n_scenes)
    drawn = scene_draws(n_scenes, 10_000, seed=0)
    got = bca_interval(sample, drawn)
    assert got.reason is None
    assert (got.se, got.ci_low, got.ci_high) == pytest.approx(scipys_interval(sample, drawn))


def test_rounding_breaks_no_tie() -> None:
    totals, drawn = np.array([0.0, 1.0, 1.0, 3.0, 7.0, 9.0]), scene_draws(6, 10_000, seed=0)
    exact = bca_interval(Sample(totals, np.ones(6)), drawn)
    tenths = bca_interval(Sample(totals * 0.1, np.ones(6)), drawn)
    assert (tenths.ci_low, tenths.ci_high) == pytest.approx(
        (exact.ci_low * 0.1, exact.ci_high * 0.1), rel=1e-12
    )


def test_two_scenes_by_hand() -> None:
    # Draws: 0 with 1/4, 1/2 with 1/2, 1 with 1/4; no skew, no bias: the 2.5 % and 97.5 % points.
    got = bca_interval(Sample.of([0, 1], ["a", "b"]), scene_draws(2, 10_000, seed=0))
    assert (got.estimate, got.ci_low, got.ci_high) == (0.5, 0.0, 1.0)
    assert got.se == pytest.approx(0.125**0.5, rel=0.02)


def test_bias_and_acceleration_by_hand() -> None:
    # Scenes 0, 0, 3; draws 0, 1, 1, 2, the estimate is 1: half of them below (ties count half).
    # Leaving one out: 1.5, 1.5, 0; deviations from their mean -.5, -.5, 1: a = .75 / (6 · 1.5^1.5).
    drawn = np.array([[3, 0, 0], [1, 1, 1], [2, 0, 1], [1, 0, 2]], dtype=float)
    got = bca_interval(Sample(np.array([0.0, 0.0, 3.0]), np.ones(3)), drawn)
    acceleration = 0.75 / (6 * 1.5**1.5)
    levels = scipy.stats.norm.cdf([z / (1 - acceleration * z) for z in (-1.959964, 1.959964)])
    expected = np.interp(levels * 3, [0, 1, 2, 3], [0, 1, 1, 2])
    assert (got.ci_low, got.ci_high) == pytest.approx(tuple(expected), rel=1e-6)


def test_episodes_of_one_scene_are_no_new_evidence() -> None:
    once = Sample.of([0, 1, 1, 0, 1], list("abcde"))
    tenfold = Sample.of([0, 1, 1, 0, 1] * 10, list("abcde") * 10)
    drawn = scene_draws(5, 2_000, seed=0)
    assert bca_interval(tenfold, drawn) == bca_interval(once, drawn)


@pytest.mark.parametrize(
    ("scores", "scene_of_each", "reason", "estimate"),
    [
        ([], [], "no episode defines it", None),
        ([0, 1, 1], ["a", "a", "a"], "one scene", 2 / 3),
        ([1, 1, 1], ["a", "b", "c"], "all scenes agree", 1.0),
        ([0, 1, 1, 0], ["a", "a", "b", "b"], "all scenes agree", 0.5),
        ([0.1 + 0.2, 0.3], ["a", "b"], "all scenes agree", 0.3),
    ],
)
def test_without_spread_there_is_a_reason_and_no_interval(
    scores: list[float], scene_of_each: list[str], reason: str, estimate: float | None
) -> None:
    sample = Sample.of(scores, scene_of_each)
    got = bca_interval(sample, scene_draws(sample.n_scenes, 500, seed=0))
    assert (got.se, got.ci_low, got.ci_high, got.reason) == (None, None, None, reason)
    assert got.estimate == (None if estimate is None else pytest.approx(estimate))


def test_draws_follow_seed_and_size_alone() -> None:
    assert np.array_equal(scene_draws(7, 50, seed=1), scene_draws(7, 50, seed=1))
    assert not np.array_equal(scene_draws(7, 50, seed=1), scene_draws(7, 50, seed=2))
    assert set(scene_draws(7, 50, seed=1).sum(axis=1)) == {7.0}


def test_the_table_of_a_run(tmp_path: Path) -> None:
    played = [
        *scenes(RIGHT, 4),
        *[replace(episode, run=1) for episode in scenes(WRONG, 3)],
        replace(RIGHT, scene_seed=9, error_kind="server"),
        *scenes(replace(WRONG, model="scripted/gullible", condition="E3"), 2),
    ]
    run = write_run(tmp_path, played)
    path = of_selfid(bootstrap_run(run, draws=500, seed=4))
    assert path == str(tmp_path / "intervals" / "selfid.parquet")
    table = pq.read_table(path)
    assert table.schema.equals(INTERVALS)
    assert table.num_rows == 2 * 11

    with open_run(run) as connection:
        pairs = connection.execute(
            "select metrics.n, stored.n, metrics.estimate, stored.estimate, stored.n_scenes "
            "from metric.selfid as metrics inner join metric.selfid_bca as stored "
            "using (condition, model, metric)"
        ).fetchall()
        tsa = connection.execute(
            "select n_scenes, ci_low, ci_high, method, draws, seed from metric.selfid_bca "
            "where condition = 'E1' and metric = 'tsa'"
        ).fetchone()
    assert len(pairs) == 2 * 11
    for n, stored_n, estimate, stored_estimate, n_scenes in pairs:
        assert (n, estimate) == (stored_n, pytest.approx(stored_estimate))
        assert n_scenes == n
    assert tsa is not None
    # Scenes that are right or wrong throughout: Wilson's, as in metric.selfid.
    wilson = scipy.stats.binomtest(4, 7).proportion_ci(method="wilson")
    assert tsa[1:3] == pytest.approx((wilson.low, wilson.high))
    assert (tsa[0], *tsa[3:]) == (7, "wilson", 500, 4)


@pytest.mark.parametrize("n_scenes", [6, 21, 100])
def test_counts_of_few_scenes_have_expanded_percentiles(n_scenes: int) -> None:
    sample = sample_of_kind("unequal scenes", n_scenes)
    drawn = scene_draws(n_scenes, 10_000, seed=0)
    got, method = interval_of(sample, drawn, is_share=False)
    z = (n_scenes / (n_scenes - 1)) ** 0.5 * scipy.stats.t.ppf(0.975, n_scenes - 1)
    level = 2 * scipy.stats.norm.cdf(z) - 1
    _, low, high = scipys_interval(sample, drawn, level)
    assert (method, got.ci_low, got.ci_high) == ("bca", pytest.approx(low), pytest.approx(high))


def test_expanded_percentiles_that_do_not_exist_are_the_plain_ones() -> None:
    sample, drawn = sample_of_kind("rare", 3), scene_draws(3, 10_000, seed=0)
    assert interval_of(sample, drawn, is_share=False)[0] == bca_interval(sample, drawn)


@pytest.mark.parametrize("n_right", [0, 3, 8])
def test_scenes_that_all_agree_have_wilsons_interval_if_they_are_shares(n_right: int) -> None:
    scores = [float(scene < n_right) for scene in range(8) for _ in range(4)]
    sample = Sample.of(scores, [scene for scene in range(8) for _ in range(4)])
    got, method = interval_of(sample, scene_draws(8, 500, seed=0), is_share=True)
    wilson = scipy.stats.binomtest(n_right, 8).proportion_ci(method="wilson")
    assert (got.ci_low, got.ci_high) == pytest.approx((wilson.low, wilson.high))
    assert (method, got.reason) == ("wilson", None)
    counted, method = interval_of(sample, scene_draws(8, 500, seed=0), is_share=False)
    assert (method, counted.reason is None) == ("bca", n_right == 3)


@pytest.mark.parametrize("df", [1, 2, 3, 6, 19, 20, 199, 200, 201, 5_000])
def test_students_quantile_is_scipys(df: int) -> None:
    assert student_95(df) == pytest.approx(scipy.stats.t.ppf(0.975, df), rel=1e-6)


def test_the_order_of_shards_and_rows_does_not_matter(tmp_path: Path) -> None:
    played = [*scenes(RIGHT, 4), *[replace(episode, run=1) for episode in scenes(WRONG, 3)]]
    tables = []
    for name, order in (("forth", played), ("back", played[::-1])):
        (tmp_path / name).mkdir()
        path = of_selfid(bootstrap_run(write_run(tmp_path / name, order), draws=200))
        tables.append(pq.read_table(path))
    assert tables[0].equals(tables[1])


def test_a_run_without_episodes_gets_an_empty_table(tmp_path: Path) -> None:
    path = of_selfid(bootstrap_run(str(tmp_path)))
    assert pq.read_table(path).num_rows == 0
