"""BCa intervals of metacog's metrics: estimates as the views have them, draws done one by one."""

from pathlib import Path

import numpy as np
import pytest
from scipy.stats import spearmanr

from mirror_ray.analysis.bootstrap import Sample, bca_interval
from mirror_ray.analysis.warehouse import open_run
from mirror_ray.families.metacog.intervals import Spread, spreads_of, write_intervals
from mirror_ray.families.metacog.statistics import (
    Scored,
    calibration_error,
    mean,
    mean_correlation,
    mean_distance,
    robustness,
)
from support.analysis.metacog_runs import varied_answers, write_metacog_run
from support.analysis.synthetic_runs import Played, moments, write_run

WEIGHTS = np.random.default_rng(1).multinomial(6, np.full(6, 1 / 6), size=50).astype(float)
FIRST = [1.0, 1.0, 2.0, 3.0, 3.0, 5.0]
SECOND = [0.2, 0.5, 0.2, 1.0, 0.5, 1.0]


def repeated(weights: np.ndarray, values: list[float]) -> np.ndarray:
    """A draw written out: each scene as often as it was drawn."""
    return np.repeat(values, weights.astype(int))


def test_correlation_of_every_draw_is_spearmans() -> None:
    pair = list(zip(range(6), FIRST, SECOND, strict=True))
    statistic = mean_correlation([pair], 6, signed=True)
    got = statistic.value(WEIGHTS @ statistic.columns)
    for weights, one in zip(WEIGHTS, got, strict=True):
        first, second = repeated(weights, FIRST), repeated(weights, SECOND)
        if len(set(first)) > 1 and len(set(second)) > 1:
            assert one == pytest.approx(spearmanr(first, second).statistic)
        else:
            assert np.isnan(one)


def test_unsigned_correlations_do_not_cancel() -> None:
    up = list(zip(range(6), FIRST, FIRST, strict=True))
    down = [(scene, first, -second) for scene, first, second in up]
    level = [(scene, first, 1.0) for scene, first, _ in up]
    whole = np.ones((1, 6))
    for signed, expected in ((True, 0), (False, 1)):
        statistic = mean_correlation([up, down, level], 6, signed=signed)
        assert statistic.value(whole @ statistic.columns) == pytest.approx([expected])


def test_distances_of_means_by_group() -> None:
    first = [Scored(0, "a", 1), Scored(1, "a", 0), Scored(2, "b", 1), Scored(3, "c", 1)]
    second = [Scored(0, "a", 1), Scored(1, "a", 1), Scored(2, "b", 0)]
    weights = np.array([[1, 1, 1, 1, 0, 0], [2, 1, 0, 3, 0, 0], [0, 0, 0, 6, 0, 0]], dtype=float)
    statistic = mean_distance(first, second, 6)
    # Group c is in one alone; the second draw lacks b, the third all.
    expected = [(1 / 2 + 1) / 2, 1 / 3, np.nan]
    assert statistic.value(weights @ statistic.columns) == pytest.approx(expected, nan_ok=True)
    clean = robustness(first, second, 6)
    assert clean.value(weights @ clean.columns) == pytest.approx(
        [1 - one for one in expected], nan_ok=True
    )


def test_calibration_error_weighs_bins() -> None:
    excess = [Scored(0, 9, 0.0), Scored(1, 9, 1.0), Scored(2, 4, 4 / 9 - 1)]
    statistic = calibration_error(excess, 3)
    weights = np.array([[1, 1, 1], [0, 1, 2]], dtype=float)
    assert statistic.value(weights @ statistic.columns) == pytest.approx(
        [(1 + 5 / 9) / 3, (1 + 10 / 9) / 3]
    )


def test_a_mean_has_the_interval_of_the_bootstrap() -> None:
    scores = [0.0, 1.0, 1.0, 0.0, 1.0, 1.0]
    statistic = mean([Scored(scene, "", score) for scene, score in enumerate(scores)], 6)
    model = ("lab/a", 0.0, "paper")
    spread = spreads_of({(model, "m"): statistic}, 2_000, (0, "exp1"))[model, "m"]
    generator = np.random.default_rng([0, *b"exp1", 6])
    drawn = np.concatenate(
        [generator.multinomial(6, np.full(6, 1 / 6), size=500) for _ in range(4)]
    )
    expected = bca_interval(Sample(np.array(scores), np.ones(6)), drawn.astype(float))
    assert spread.interval() == expected
    assert expected.ci_low is not None


def test_sums_of_scenes_drawn_apart() -> None:
    one = Spread(0.5, np.array([0.4, 0.6]), np.array([0.5, 0.25]))
    other = Spread(0.2, np.array([0.1, 0.3]), np.array([0.0]))
    got = one.plus(other, -1.0)
    assert got.estimate == pytest.approx(-0.3)
    assert got.draws == pytest.approx([-0.5, -0.1])
    assert got.left_out == pytest.approx([-0.3, -0.55, -0.5])


def test_no_interval_has_a_reason() -> None:
    even = np.zeros(100)
    assert Spread(float("nan"), even, even).interval().reason == "undefined"
    assert Spread(0.0, even, np.zeros(1)).interval().reason == "one scene"
    gone = np.concatenate([np.full(6, np.nan), np.arange(94) / 94])
    assert Spread(0.5, gone, np.arange(3.0)).interval().reason == "few scenes define it"


def test_estimates_are_those_of_the_summary_and_draws_are_seeded(tmp_path: Path) -> None:
    run = write_metacog_run(tmp_path, varied_answers())
    written = write_intervals(run, draws=200)
    assert written is not None
    first = Path(written).read_bytes()
    write_intervals(run, draws=200)
    assert Path(written).read_bytes() == first
    with open_run(run, hold=True) as connection:
        rows = connection.execute(
            "select metric, drawn.estimate, summary.estimate, reason, ci_low <= ci_high "
            "from summary.metacog_intervals as drawn "
            "left join summary.metacog as summary using (model, temperature, setting, metric)"
        ).fetchall()
    metrics = {row[0] for row in rows}
    # Two models, one of them at two temperatures.
    assert len(rows) == 3 * len(metrics)
    assert {
        "natural_accuracy", "wagering_accuracy", "gap", "mci", "ece", "brier", "tii", "cce_code",
        "cce_printed", "ai_true", "ai_false", "ars", "fdr", "cfr_c1", "kdi",
    } <= metrics  # fmt: skip
    for metric, drawn, summary, reason, ordered in rows:
        assert drawn == (None if summary is None else pytest.approx(summary)), metric
        assert ordered if reason is None else ordered is None


def test_a_run_without_metacog_is_left_alone(tmp_path: Path) -> None:
    run = write_run(tmp_path, [Played(moments("w red 80", "done red 0 red"))])
    assert write_intervals(run) is None
    assert not (tmp_path / "intervals").exists()
