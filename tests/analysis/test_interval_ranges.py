"""No interval leaves its metric's range, and every table shows the same one for the same cell."""

from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from mirror_ray.analysis.bootstrap import bootstrap_run
from mirror_ray.analysis.intervals import keep_intervals
from mirror_ray.analysis.reading import Reading
from mirror_ray.analysis.summary import summary_tables
from mirror_ray.analysis.warehouse import open_run
from mirror_ray.families.selfid.sections import metrics as selfid_metrics
from support.analysis.asked_rows import rows_of
from support.analysis.mirrorqa_runs import Asked, write_mirrorqa_run
from support.analysis.synthetic_runs import Played, moments, write_run

SHORT = Played(moments("done red 60 red"))
LONG = Played(moments(*["w unknown 60"] * 40, "done red 60 red"))


@pytest.fixture
def skewed(tmp_path: Path) -> str:
    """Steps 1, 1, 1, 1, 41: Student's interval would begin at −13."""
    played = [SHORT, SHORT, SHORT, SHORT, LONG]
    run = write_run(tmp_path, [replace(one, scene_seed=n) for n, one in enumerate(played)])
    bootstrap_run(run)
    return run


def test_steps_stay_above_0_and_are_the_same_everywhere(skewed: str) -> None:
    with open_run(skewed, hold=True) as connection:
        (ttd,) = rows_of(connection, "from metric.selfid where metric = 'ttd'")
        (bca,) = rows_of(connection, "from metric.selfid_bca where metric = 'ttd'")
        section = selfid_metrics.section(Reading(connection))
        console = Console(width=120, file=StringIO())
        for table in summary_tables(connection):
            console.print(table)
    assert 1 <= ttd["ci_low"] < ttd["estimate"] < ttd["ci_high"] <= 41
    assert (ttd["ci_low"], ttd["ci_high"]) == (bca["ci_low"], bca["ci_high"])
    assert section is not None
    (shown,) = (
        part.data.to_pylist()[0]
        for part in section.parts
        if getattr(part, "name", "") == "selfid_summary"
    )
    assert (shown["ttd_ci_low"], shown["ttd_ci_high"]) == (ttd["ci_low"], ttd["ci_high"])
    assert f"{ttd['ci_low']:.1f}–" in console.file.getvalue()  # type: ignore[attr-defined]


def test_steps_without_a_bootstrap_have_no_interval(tmp_path: Path) -> None:
    run = write_run(tmp_path, [SHORT, replace(LONG, scene_seed=1)])
    with open_run(run) as connection:
        (ttd,) = rows_of(connection, "from metric.selfid where metric = 'ttd'")
    assert (ttd["ci_low"], ttd["ci_high"], ttd["method"]) == (None, None, "bca")


def test_seen_steps_at_any_threshold_stay_within_the_steps(skewed: str) -> None:
    with open_run(skewed) as connection:
        rows = rows_of(
            connection,
            "from ablation.selfid_thresholds where metric = 'mgd' and ci_low is not null",
        )
    assert rows
    assert all(0 <= row["ci_low"] <= row["estimate"] <= row["ci_high"] <= 100 for row in rows)


def test_differences_stay_within_1(tmp_path: Path) -> None:
    """Three scenes, of which the mirror costs two: Student's interval would begin at −2.1."""
    asked = [
        Asked("left", (said,), condition, scene_seed=seed, viewer=viewer)
        for seed, in_mirror in enumerate(("right", "right", "left"))
        for condition, said, viewer in (
            ("sim", "left", "left"),
            ("sim-reflected", in_mirror, "right"),
        )
    ]
    with open_run(write_mirrorqa_run(tmp_path, asked)) as connection:
        (twins,) = rows_of(connection, "from metric.mirrorqa_reflection")
        others = rows_of(connection, "from metric.mirrorqa where ci_low is not null")
    assert -1 == twins["ci_low"] < twins["difference"] < twins["ci_high"] <= 1
    assert all(-1 <= row["ci_low"] <= row["ci_high"] <= 1 for row in others)


def test_equal_intervals_of_thousands_of_models_can_be_read(skewed: str) -> None:
    of_all = {"family": "selfid", "condition": "E1", "variant": "paper", "n": 5, "n_scenes": 5}
    of_all |= {"method": "bca", "draws": 200, "seed": 0, "parameters": ""}
    models = [f"many/m{number:05}" for number in range(2_000)]
    metrics = [f"metric_{number}" for number in range(20)]
    rows = [{**of_all, "model": one, "metric": metric} for one in models for metric in metrics]
    keep_intervals(skewed, "selfid", rows)
    with open_run(skewed) as connection:
        (row,) = rows_of(connection, "select count(*) as n from shard.selfid_intervals")
    assert row["n"] == len(rows)
