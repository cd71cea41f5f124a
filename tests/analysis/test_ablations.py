"""Curves over an axis, over the evidence threshold, over what is near: by hand."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from mirror_ray.analysis.bootstrap import bootstrap_run
from mirror_ray.analysis.paired import compare_run
from mirror_ray.analysis.warehouse import open_run
from support.analysis.synthetic_runs import Played, moments, write_run

RIGHT = Played(moments("w unknown 60", "done red 60 red"))
WRONG = Played(moments("w blue 0", "w unknown 200", "w red 60", "done blue 60 blue"))


def rows(run: str, query: str, **variables: Any) -> list[tuple[Any, ...]]:
    with open_run(run, variables=variables, hold=True) as connection:
        return connection.execute(query).fetchall()


def test_a_curve_over_an_axis(tmp_path: Path) -> None:
    def at(fov_deg: float, *episodes: Played, **changes: Any) -> list[Played]:
        return [
            replace(
                episode,
                scene_seed=scene,
                variant="paper" if fov_deg == 110 else f"paper+fov_deg={fov_deg:g}",
                says_otherwise={"fov_deg": fov_deg},
                **changes,
            )
            for scene, episode in enumerate(episodes)
        ]

    played = [
        *at(90, RIGHT, WRONG, WRONG, WRONG),
        *at(110, RIGHT, RIGHT, RIGHT, RIGHT),
        *at(70, WRONG, RIGHT),
        *at(110, RIGHT, condition="E3"),
    ]
    run = write_run(tmp_path, played)
    compare_run(run, draws=100)
    bootstrap_run(run, draws=100)
    query = (
        "select curve, number, is_default, n, estimate, baseline, n_shared, difference, p "
        "from ablation.curves where metric = 'tsa' order by curve, number"
    )
    curve = "selfid · fov_deg · E1 · scripted/observer · 0.2 · paper"
    assert rows(run, query) == [
        (curve, 70.0, False, 2, 0.5, "110", 2, -0.5, 1.0),
        (curve, 90.0, False, 4, 0.25, "110", 4, -0.75, pytest.approx(0.25)),
        (curve, 110.0, True, 4, 1.0, "110", None, None, None),
    ]
    intervals = (
        "select method, count(*) from ablation.curves "
        "where ci_low <= estimate and estimate <= ci_high group by method order by method"
    )
    assert {method for method, _ in rows(run, intervals)} == {"bca", "wilson"}


def test_a_curve_over_temperature(tmp_path: Path) -> None:
    played = [replace(RIGHT, temperature=heat) for heat in (1.0, None, 0.2)]
    query = (
        "select value, baseline, label from ablation.curves "
        "where metric = 'tsa' order by number nulls first"
    )
    assert rows(write_run(tmp_path, played), query) == [
        ("default", "default", "paper"),
        ("0.2", "default", "paper"),
        ("1", "default", "paper"),
    ]


def test_the_threshold_by_hand(tmp_path: Path) -> None:
    query = (
        "select metric, threshold_px, n, estimate from ablation.selfid_thresholds "
        "order by metric, threshold_px"
    )
    run = write_run(tmp_path, [replace(RIGHT, scene_seed=1), replace(WRONG, scene_seed=2)])
    got = {
        (metric, threshold): (n, estimate)
        for metric, threshold, n, estimate in rows(run, query, mirror_px_grid=[60, 61, 100, 300])
    }
    assert [got["mcr", px] for px in (60, 61, 100, 300)] == [(2, 1), (2, 0.5), (2, 0.5), (2, 0)]
    # Only one was right: its evidence is gone above 60 px.
    assert [got["mtato", px] for px in (60, 61)] == [(1, 1), (1, 0)]
    assert [got["mgd", px] for px in (60, 61, 300)] == [(2, 2.5), (2, 0.5), (2, 0)]
    assert [got["cr", px] for px in (60, 300)] == [(2, 0.5), (2, 0.5)]
    # Misled before evidence, and red after it, as long as there is evidence.
    assert [got["arsc", px] for px in (60, 300)] == [(2, 0.5), (2, 0)]
    assert [got["sc", px] for px in (60, 300)] == [(1, 1), (0, None)]


def test_at_the_threshold_of_the_scores_it_says_what_they_say(tmp_path: Path) -> None:
    played = [
        replace(episode, scene_seed=scene, image=image)
        for scene, episode in enumerate((RIGHT, WRONG) * 3)
        for image in [(640, 480) if scene % 2 else (320, 240)]
    ]
    both = (
        "select one.metric, one.n = other.n, abs(one.estimate - other.estimate) < 1e-12, "
        "abs(one.ci_low - other.ci_low) < 1e-12, abs(one.se - other.se) < 1e-12 "
        "from ablation.selfid_thresholds as one inner join metric.selfid as other using (metric) "
        "where threshold_px = 50 order by metric"
    )
    run = write_run(tmp_path, played)
    bootstrap_run(run, draws=100)
    got = rows(run, both)
    assert got == [
        (metric, True, True, True, True)
        for metric in ("arsc", "caal", "cr", "mcr", "mgd", "mtato", "sc")
        if metric != "caal"
    ]


def test_what_is_near_by_hand(tmp_path: Path) -> None:
    # The selected cube (red at 0, blue at 2 m) is 1.2 m off; the other episode selected none.
    far = Played(tuple(replace(moment, x_m=1.2) for moment in RIGHT.moments))
    none = replace(Played(moments("done red 0 none")), scene_seed=1)
    run = write_run(tmp_path, [far, none])
    query = (
        "select metric, radius_m, n, estimate from ablation.selfid_near_radius "
        "order by metric, radius_m"
    )
    assert rows(run, query, near_radius_grid=[1.0, 1.25]) == [
        ("near", 1.0, 1, 0.0),
        ("near", 1.25, 1, 1.0),
        ("tsa_near", 1.0, 2, 0.0),
        ("tsa_near", 1.25, 2, 0.5),
    ]
