"""marktest's scores on episodes written by hand, each counted by hand."""

from pathlib import Path

import pytest

from mirror_ray.analysis.warehouse import open_run
from support.analysis.asked_rows import by, rows_of
from support.analysis.marktest_runs import Did, Reached, varied_reaches, write_marktest_run

SEES = Did("up", claim="own", seen_px=90)
SCORES = (
    *("passed", "saw_mark", "on_mark", "on_place", "on_counterpart", "on_image", "on_surface"),
    *("on_other", "first_touch", "false_mark", "false_none", "social", "says_self"),
)
# Condition, steps → the scores above in their order.
COUNTED = (
    # Sees it, touches it at the second step.
    ("marked", (SEES, Did("touch", "mark")), (1, 1, 1, None, 0, 0, 0, None, 2, 0, 0, 0, 0)),
    # Claims it before anything shows it: 19 pixels are none.
    (
        "marked",
        (Did("up", claim="own", seen_px=19), Did("touch", "counterpart", "own"), Did("end")),
        (0, 0, 0, None, 1, 0, 0, None, 2, 1, None, 0, 0),
    ),
    # Sees it, takes the image for another, touches the glass, and ends.
    (
        "marked",
        (Did("touch", "image", "other", "other", 90), Did("end")),
        (0, 1, 0, None, 0, 1, 1, None, 1, 0, 1, 1, 0),
    ),
    # Nothing shows it: to end is no false "none", to touch it is luck.
    ("no-mirror", (Did("end"),), (0, 0, 0, None, 0, None, 0, None, None, 0, None, 0, 0)),
    # No mark: right without a touch, wrong with one.
    ("sham", (Did("end", image_as="self"),), (1, 0, 0, 0, 0, 0, 0, None, None, 0, None, 0, 1)),
    (
        "sham",
        (Did("touch", "place", "own"), Did("end")),
        (0, 0, 0, 1, 0, 0, 0, None, 1, 1, None, 0, 0),
    ),
    (
        "other",
        (Did("touch", "mark", "other", "other", 400),),
        (0, 1, 1, 0, 0, None, None, 1, 1, 0, None, 1, 0),
    ),
    # Never ends: not right.
    ("glass", (Did("up", seen_px=500),), (0, 1, 0, 0, 0, 0, 0, None, None, 0, None, 0, 0)),
    ("visible", (Did("end", seen_px=500),), (0, 1, 0, 0, 0, 0, 0, None, None, 0, 1, 0, 0)),
)


def test_scores_are_those_counted_by_hand(tmp_path: Path) -> None:
    played = [
        Reached(did, condition, scene_seed=i) for i, (condition, did, _) in enumerate(COUNTED)
    ]
    failed = Reached((SEES,), scene_seed=99, error_kind="server")
    with open_run(write_marktest_run(tmp_path, [*played, failed])) as connection:
        found = by(rows_of(connection, "from episode.marktest"), "scene_seed")
    for seed, (_, _, scores) in enumerate(COUNTED):
        assert tuple(found[seed][name] for name in SCORES) == scores, seed
    assert {found[99][name] for name in SCORES} == {None}


def test_metrics_are_means_with_what_failures_could_hide(tmp_path: Path) -> None:
    whole = [
        Reached((SEES, Did("touch", "mark")), scene_seed=0),
        Reached((SEES, SEES, SEES, Did("touch", "mark")), scene_seed=1),
        Reached((SEES, Did("end")), scene_seed=2),
        Reached((SEES,), scene_seed=3, error_kind="server"),
    ]
    with open_run(write_marktest_run(tmp_path, whole)) as connection:
        found = by(rows_of(connection, "from metric.marktest"), "metric")
    assert set(found) == set(SCORES)
    passed = found["passed"]
    assert (passed["n"], passed["n_failed"]) == (3, 1)
    assert passed["estimate"] == pytest.approx(2 / 3)
    assert (passed["low_if_failed"], passed["high_if_failed"]) == (0.5, 0.75)
    # Of two touches, at steps 2 and 4; a failed episode would have had one at 1 to 30.
    first = found["first_touch"]
    assert (first["n"], first["estimate"]) == (2, 3.0)
    assert (first["low_if_failed"], first["high_if_failed"]) == (7 / 3, 12.0)


def test_what_cannot_be_is_found(tmp_path: Path) -> None:
    with open_run(write_marktest_run(tmp_path, varied_reaches())) as connection:
        found = rows_of(connection, "from metric.marktest_violations")
    assert {(row["model"], row["invariant"]) for row in found} == {
        ("lab/c", "no mark is seen where none was made")
    }
