"""MirrorQA's views: small runs counted by hand."""

from dataclasses import replace
from math import sqrt
from pathlib import Path
from statistics import mean, stdev
from typing import Any

import pytest
from scipy.stats import binomtest

from support.analysis.mirrorqa_runs import Asked, mirrorqa_rows


def metrics(directory: Path, questions: list[Asked]) -> dict[str, dict[str, Any]]:
    rows = mirrorqa_rows(directory, questions, "from metric.mirrorqa")
    assert len(rows) == len({row["metric"] for row in rows})
    return {row["metric"]: row for row in rows}


# Two options: left 2 of 3 found, right 1 of 2; left said 3 times, right once; one unreadable.
TWO = [
    Asked("left", ("left",)),
    Asked("left", ("left",)),
    Asked("left", (None,)),
    Asked("right", ("left",)),
    Asked("right", ("right",)),
]
# Four options: "right rear" is never asked nor said.
FOUR = [
    Asked("left front", ("left front",), kind="animal"),
    Asked("right front", ("left front",), kind="animal"),
    Asked("left rear", ("left rear",), kind="animal"),
]


def test_precision_and_recall_as_in_the_source(tmp_path: Path) -> None:
    got = {name: row["estimate"] for name, row in metrics(tmp_path, TWO + FOUR).items()}
    precision_2, recall_2 = (2 / 3 + 1 / 1) / 2, (2 / 3 + 1 / 2) / 2
    f1_left, f1_right = 2 * (2 / 3) * (2 / 3) / (4 / 3), 2 * 1 * (1 / 2) / (3 / 2)
    precision_4, recall_4 = (1 / 2 + 0 + 1 + 0) / 4, (1 + 0 + 1 + 0) / 4
    f1_4 = (2 * (1 / 2) * 1 / (3 / 2) + 0 + 1 + 0) / 4
    precision = (5 * precision_2 + 3 * precision_4) / 8
    recall = (5 * recall_2 + 3 * recall_4) / 8
    assert {name: got[name] for name in got if name.startswith(("precision", "recall", "f1"))} == {
        "precision_2": pytest.approx(precision_2),
        "recall_2": pytest.approx(recall_2),
        "f1_2": pytest.approx((f1_left + f1_right) / 2),
        "precision_4": pytest.approx(precision_4),
        "recall_4": pytest.approx(recall_4),
        "f1_4": pytest.approx(f1_4),
        "precision": pytest.approx(precision),
        "recall": pytest.approx(recall),
        # From the weighted two, not the mean of F1s.
        "f1": pytest.approx(2 * precision * recall / (precision + recall)),
    }
    assert got["accuracy"] == 5 / 8
    assert got["readable"] == 7 / 8


def test_a_class_that_was_never_given_has_no_precision(tmp_path: Path) -> None:
    rows = mirrorqa_rows(
        tmp_path, FOUR, "select * from metric.mirrorqa_classes order by n_options, answer"
    )
    assert [
        (row["answer"], row["n_asked"], row["n_answered"], row["precision"], row["recall"])
        for row in rows
    ] == [
        ("left front", 1, 2, 0.5, 1.0),
        ("left rear", 1, 1, 1.0, 1.0),
        ("right front", 1, 0, None, 0.0),
        ("right rear", 0, 0, None, None),
    ]
    assert rows[2]["f1"] is None


def test_chance_is_that_of_the_questions(tmp_path: Path) -> None:
    """With the public test split's shares of 2 and 4 options: 43.7 %, circular 18.8 %."""
    questions = [Asked("left", ("left", "left"))] * 748 + [Asked("left rear", (None,) * 4)] * 252
    placed = [replace(asked, scene_seed=place) for place, asked in enumerate(questions)]
    got = metrics(tmp_path, placed)
    assert got["accuracy"]["chance"] == pytest.approx(0.437, abs=5e-4)
    assert got["circular"]["chance"] == pytest.approx(0.188, abs=5e-4)
    assert got["circular"]["estimate"] == pytest.approx(0.748)


def test_circular_needs_every_shift(tmp_path: Path) -> None:
    questions = [
        Asked("left", ("left", "left")),
        Asked("left", ("left", "right")),
        Asked("left", ("right", "left")),
        Asked("left rear", ("left rear", "left rear", None, "left rear")),
    ]
    got = metrics(tmp_path, questions)
    assert (got["accuracy"]["estimate"], got["circular"]["estimate"]) == (0.75, 0.25)
    assert got["circular_delta"]["estimate"] == -0.5
    assert got["circular_delta"]["se"] == pytest.approx(sqrt(((0.5**2) * 4) / 3) / 2)
    interval = binomtest(1, 4).proportion_ci(method="wilson")
    assert (got["circular"]["ci_low"], got["circular"]["ci_high"]) == pytest.approx(interval)


def test_without_shifts_there_is_no_circular(tmp_path: Path) -> None:
    got = metrics(tmp_path, TWO)
    assert (got["circular"]["n"], got["circular"]["estimate"]) == (0, None)
    assert got["circular_delta"]["estimate"] is None


def test_position_bias_is_the_distance_from_where_the_right_ones_stand(tmp_path: Path) -> None:
    first = [Asked("left", ("left", "right")), Asked("right", ("left", "right"))]
    four = [Asked("left rear", ("left front", "right front", "left rear", "right rear"))]
    got = metrics(tmp_path, first + four)
    assert got["position_bias_2"]["estimate"] == 0.5
    assert got["position_bias_4"]["estimate"] == 0.75
    rows = mirrorqa_rows(
        tmp_path, first + four, "from metric.mirrorqa_positions order by n_options, position"
    )
    assert [(row["position"], row["share"], row["right_share"]) for row in rows] == [
        (1, 1.0, 0.5),
        (2, 0.0, 0.5),
        *((place, float(place == 1), 0.25) for place in (1, 2, 3, 4)),
    ]


def test_the_viewers_frame_is_told_from_the_subjects(tmp_path: Path) -> None:
    questions = [
        # Both frames agree: right twice, wrong once.
        Asked("left", ("left",), viewer="left"),
        Asked("right", ("right",), viewer="right"),
        Asked("left", ("right",), viewer="left"),
        # They do not: the viewer's side three times, of them once with the wrong end.
        Asked("left", ("right",), viewer="right"),
        Asked("left front", ("right front",), viewer="right front"),
        Asked("left front", ("right rear",), viewer="right front"),
        Asked("right", ("right",), viewer="left"),
        Asked("right", (None,), viewer="left"),
        # Nothing is known of a photograph.
        Asked("right", ("left",), "data"),
    ]
    sim = {
        row["metric"]: row
        for row in mirrorqa_rows(
            tmp_path, questions, "from metric.mirrorqa where condition = 'sim'"
        )
    }
    assert (sim["same_frame"]["n"], sim["other_frame"]["n"]) == (3, 5)
    assert sim["same_frame"]["estimate"] == pytest.approx(2 / 3)
    assert sim["other_frame"]["estimate"] == pytest.approx(1 / 5)
    assert sim["confusion"]["estimate"] == pytest.approx(3 / 5)
    assert sim["confusion"]["chance"] == 0.5
    assert sim["frame_effect"]["estimate"] == pytest.approx(2 / 3 - 1 / 5)
    data = mirrorqa_rows(
        tmp_path,
        questions,
        "from metric.mirrorqa where condition = 'data' and metric = 'confusion'",
    )
    assert (data[0]["n"], data[0]["estimate"]) == (0, None)


def test_twins_are_compared_in_pairs(tmp_path: Path) -> None:
    outcomes = [
        ("left", "left"),
        ("left", "right"),
        ("left", "right"),
        (None, "left"),
        ("left", ""),
    ]
    questions = [
        Asked("left", (said or None,), condition, scene_seed=seed + 1, viewer="right")
        for seed, pair in enumerate(outcomes)
        for condition, said in zip(("sim", "sim-reflected"), pair, strict=True)
    ]
    # Without its twin, and failed: left out.
    questions += [
        Asked("left", ("left",), scene_seed=20),
        Asked("left", ("left",), scene_seed=21),
        Asked("left", ("left",), "sim-reflected", scene_seed=21, error_kind="server"),
    ]
    (row,) = mirrorqa_rows(tmp_path, questions, "from metric.mirrorqa_reflection")
    assert (row["n"], row["direct"], row["reflected"]) == (5, 0.8, 0.4)
    assert row["difference"] == pytest.approx(-0.4)
    assert (row["n_direct_only"], row["n_reflected_only"]) == (3, 1)
    # Only DOUBLE becomes NULL where nothing was read.
    assert isinstance(row["n_direct_only"], float)
    assert row["p"] == pytest.approx(binomtest(1, 4).pvalue)


def test_accuracy_by_orientation(tmp_path: Path) -> None:
    rows = mirrorqa_rows(
        tmp_path, TWO + FOUR, "from metric.mirrorqa_orientation order by orientation"
    )
    assert {row["orientation"]: (row["n"], row["estimate"]) for row in rows} == {
        "A.left front": (1, 1.0),
        "A.left rear": (1, 1.0),
        "A.right front": (1, 0.0),
        "H.left": (3, pytest.approx(2 / 3)),
        "H.right": (2, 0.5),
    }


def test_failed_episodes_are_bounded(tmp_path: Path) -> None:
    questions = [*TWO, Asked("left", ("left",), error_kind="server")]
    row = metrics(tmp_path, questions)["accuracy"]
    assert (row["n"], row["n_failed"], row["estimate"]) == (5, 1, 0.6)
    assert (row["low_if_failed"], row["high_if_failed"]) == (0.5, pytest.approx(4 / 6))


def test_quirks_are_counted_by_row(tmp_path: Path) -> None:
    quirks = ("hind read as rear", "no space after the letter")
    questions = [
        Asked("left rear", ("left rear",), "data", model, scene_seed=1, quirks=quirks)
        for model in ("lab/a", "lab/b")
    ] + [Asked("left", ("left",), "data", scene_seed=2, quirks=quirks[1:])]
    rows = mirrorqa_rows(tmp_path, questions, "from metric.mirrorqa_quirks order by quirk")
    assert [(row["quirk"], row["n"], row["n_rows"]) for row in rows] == [
        (quirks[0], 1, 2),
        (quirks[1], 2, 2),
    ]


def test_sound_runs_have_no_violations(tmp_path: Path) -> None:
    sound = [*TWO, *FOUR, Asked("left", ("left", "right"), "sim-reflected", viewer="right")]
    assert mirrorqa_rows(tmp_path / "sound", sound, "from metric.mirrorqa_violations") == []
    broken = [Asked("left", ("right", "left"), marked=True)]
    invariants = {
        row["invariant"]
        for row in mirrorqa_rows(tmp_path / "broken", broken, "from metric.mirrorqa_violations")
    }
    assert invariants == {"circular ≤ accuracy", "right means the right option"}


def test_the_published_figures_stand_beside_the_played(tmp_path: Path) -> None:
    questions = [Asked("left", ("left",), "data", scene_seed=seed) for seed in range(4)]
    rows = mirrorqa_rows(tmp_path, questions, "from paper.mirrorqa_design")
    shown = {row["quantity"]: row for row in rows}
    assert (shown["questions"]["estimate"], shown["questions"]["reference"]) == (4, 1107)
    assert (shown["chance"]["estimate"], shown["chance, circular"]["estimate"]) == (0.5, 0.25)


def test_the_paper_averages_runs(tmp_path: Path) -> None:
    # Per run (right, accuracy): 2 of 2, 1 of 2, 1 of 2.
    chosen = (("left", "right"), ("left", "left"), ("right", "right"))
    questions = [
        Asked(answer, (choice,), "data", scene_seed=seed, run=run)
        for run, choices in enumerate(chosen)
        for seed, (answer, choice) in enumerate(zip(("left", "right"), choices, strict=True), 1)
    ]
    rows = mirrorqa_rows(tmp_path, questions, "from paper.mirrorqa")
    found = {row["metric"]: row for row in rows}
    accuracy = [1, 1 / 2, 1 / 2]
    precision = [1, (1 / 2 + 0) / 2, (0 + 1 / 2) / 2]
    for metric, values in (("accuracy", accuracy), ("precision", precision), ("recall", accuracy)):
        row = found[metric]
        assert row["n_runs"] == 3
        assert row["mean_of_runs"] == pytest.approx(mean(values), abs=1e-12)
        assert row["sd_of_runs"] == pytest.approx(stdev(values), abs=1e-12)
    # Precision of all runs together is another number.
    assert found["precision"]["estimate"] != pytest.approx(mean(precision), abs=1e-3)


def test_the_viewers_answer_has_to_be_where_the_limb_is(tmp_path: Path) -> None:
    for viewer, px, broken in (("left", -4.0, 0), ("left", 4.0, 1), ("right", 4.0, 0)):
        asked = Asked("left", ("left",), viewer=viewer, limb_right_px=px)
        rows = mirrorqa_rows(tmp_path / f"{viewer}{px}", [asked], "from metric.mirrorqa_violations")
        assert len(rows) == broken
