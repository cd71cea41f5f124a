"""metric.selfid: estimates and intervals by hand, quantiles against scipy."""

from dataclasses import replace
from math import sqrt
from pathlib import Path
from typing import Any

import pytest
from scipy.stats import binomtest
from scipy.stats import t as student

from mirror_ray.analysis.warehouse import open_run
from support.analysis.synthetic_runs import Played, moments, scenes, write_run

RIGHT = Played(moments("w unknown 60", "done red 60 red"))
WRONG = Played(moments("w blue 0", "w unknown 0", "w unknown 60", "done red 60 blue"))
MUTE = Played(moments(*["w unknown 0"] * 6))


def metrics_of(directory: Path, *episodes: Played) -> dict[str, dict[str, Any]]:
    """Metric → row, of one group, its episodes put into scenes of their own."""
    placed = [replace(episode, scene_seed=scene) for scene, episode in enumerate(episodes)]
    with open_run(write_run(directory, placed)) as connection:
        cursor = connection.execute("from metric.selfid")
        names = [column[0] for column in cursor.description or ()]
        rows = [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]
    assert len(rows) == len({row["metric"] for row in rows}) == 11
    return {row["metric"]: row for row in rows}


def test_estimates_by_hand(tmp_path: Path) -> None:
    got = metrics_of(tmp_path, RIGHT, RIGHT, WRONG, MUTE)
    assert {name: (row["n"], row["estimate"]) for name, row in got.items()} == {
        "tsa": (4, 0.5),
        "ttd": (4, (2 + 2 + 4 + 6) / 4),
        "mcr": (4, 0.75),
        "mtato": (2, 1.0),
        "caal": (4, 0.0),
        "cr": (4, 0.25),
        "tsa_c": (3, pytest.approx(2 / 3)),
        "mgd": (4, (2 + 2 + 2 + 0) / 4),
        "arsc": (4, 0.25),
        "sc": (1, 1.0),
        "sc_final": (1, 1.0),
    }
    # ttd 2, 2, 4, 6: sd² = 11/3.
    se = sqrt(11 / 3) / 2
    assert got["ttd"]["se"] == pytest.approx(se)
    # Steps have the bootstrap's interval, and none before it.
    assert (got["ttd"]["ci_low"], got["ttd"]["ci_high"]) == (None, None)
    assert got["tsa"]["se"] == pytest.approx(sqrt(1 / 3) / 2)
    assert {row["method"] for row in got.values()} == {"wilson", "bca"}
    assert got["ttd"]["method"] == got["mgd"]["method"] == "bca"


def test_a_single_episode_has_no_spread(tmp_path: Path) -> None:
    got = metrics_of(tmp_path, RIGHT)
    assert (got["ttd"]["se"], got["ttd"]["ci_low"], got["ttd"]["ci_high"]) == (None, None, None)
    assert got["tsa"]["ci_low"] == pytest.approx(binomtest(1, 1).proportion_ci(method="wilson").low)


def test_the_undefined_is_null_with_n_0(tmp_path: Path) -> None:
    got = metrics_of(tmp_path, MUTE, MUTE)
    for metric in ("mtato", "tsa_c", "sc", "sc_final"):
        row = got[metric]
        assert row["n"] == 0
        assert [row[name] for name in ("estimate", "se", "ci_low", "ci_high")] == [None] * 4
        assert (row["low_if_failed"], row["high_if_failed"]) == (None, None)


@pytest.mark.parametrize(
    ("condition", "cubes", "chance"), [("E1", ("red", "blue", "green"), 1 / 3), ("E5", (), None)]
)
def test_chance_stands_where_one_exists(
    condition: str, cubes: tuple[str, ...], chance: float | None, tmp_path: Path
) -> None:
    got = metrics_of(tmp_path, replace(RIGHT, condition=condition, cubes=cubes))
    with_one = {"tsa", "tsa_c"} if chance else set()
    assert {name for name, row in got.items() if row["chance"] is not None} == with_one
    assert got["tsa"]["chance"] == (chance and pytest.approx(chance))


def test_failed_episodes_are_counted_left_out_and_bounded(tmp_path: Path) -> None:
    failed = replace(MUTE, error_kind="timeout", max_steps=20)
    shorter = [replace(episode, max_steps=20) for episode in (RIGHT, RIGHT, WRONG)]
    got = metrics_of(tmp_path, *shorter, failed)
    tsa = got["tsa"]
    assert (tsa["n"], tsa["n_failed"], tsa["estimate"]) == (3, 1, pytest.approx(2 / 3))
    assert (tsa["low_if_failed"], tsa["high_if_failed"]) == (0.5, 0.75)
    # 2 + 2 + 4 steps, and the failed one might have taken 1 to 20.
    assert (got["ttd"]["low_if_failed"], got["ttd"]["high_if_failed"]) == (9 / 4, 28 / 4)
    assert (got["mgd"]["low_if_failed"], got["mgd"]["high_if_failed"]) == (6 / 4, 26 / 4)


def test_only_failed_episodes_leave_nothing_but_their_count(tmp_path: Path) -> None:
    got = metrics_of(tmp_path, *[replace(RIGHT, error_kind="auth")] * 2)
    assert {(row["n"], row["n_failed"], row["estimate"]) for row in got.values()} == {(0, 2, None)}


def test_cells_are_not_mixed(tmp_path: Path) -> None:
    played = [
        *scenes(RIGHT, 2),
        *scenes(replace(WRONG, model="scripted/gullible"), 3),
        *scenes(replace(WRONG, temperature=None), 4),
        *scenes(replace(RIGHT, variant="paper+history=5"), 5),
    ]
    with open_run(write_run(tmp_path, played)) as connection:
        got = connection.execute(
            "select model, temperature, variant, n, estimate from metric.selfid "
            "where metric = 'tsa' order by n"
        ).fetchall()
    assert got == [
        ("scripted/observer", 0.2, "paper", 2, 1.0),
        ("scripted/gullible", 0.2, "paper", 3, 0.0),
        ("scripted/observer", None, "paper", 4, 0.0),
        ("scripted/observer", 0.2, "paper+history=5", 5, 1.0),
    ]


def test_student_quantiles_agree_with_scipy(tmp_path: Path) -> None:
    with open_run(str(tmp_path)) as connection:
        got = connection.execute(
            "select df, macro.t_95(df) from (select range as df from range(1, 2000) "
            "union all select 100000) order by df"
        ).fetchall()
        nothing = connection.execute("select macro.t_95(0), macro.t_95(null)").fetchall()
        grouped = connection.execute("select macro.t_95(count(*) - 1) from range(10)").fetchall()
    for df, quantile in got:
        assert quantile == pytest.approx(student.ppf(0.975, df), rel=1e-9), df
    assert nothing == [(None, None)]
    assert grouped == [(pytest.approx(student.ppf(0.975, 9)),)]


def test_wilson_agrees_with_scipy(tmp_path: Path) -> None:
    with open_run(str(tmp_path)) as connection:
        got = connection.execute(
            "select k, n, macro.wilson_low(k, n), macro.wilson_high(k, n) "
            "from range(1, 25) as trials(n), range(0, 25) as successes(k) where k <= n"
        ).fetchall()
        nothing = connection.execute("select macro.wilson_low(0, 0), macro.wilson_high(0, 0)")
        assert nothing.fetchall() == [(None, None)]
    for k, n, low, high in got:
        expected = binomtest(k, n).proportion_ci(method="wilson")
        assert (low, high) == pytest.approx((expected.low, expected.high), rel=1e-9, abs=1e-15)
