"""What counts as right is a parameter of reading: it runs through every metric of accuracy."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb
import pytest

from mirror_ray.analysis.warehouse import open_run
from support.analysis.metacog_runs import Posed, acted, known, write_metacog_run

A, S = "arithmetic", "spatial"


def leniently(one: Posed) -> Posed:
    """All that a strict reading takes for wrong is right leniently."""
    right = {
        f"correct_lenient{side}": True
        for side in ("", "_a", "_b")
        if one.asks[0].get(f"correct{side}") is not None
    }
    return replace(one, asks=({**one.asks[0], **right},))


POSED = [
    *map(leniently, known({A: (4, 4), S: (0, 4)})),
    *map(leniently, known({A: (2, 4), S: (0, 4)}, "wagering")),
    leniently(acted(0, (S, A), ("proceed", "proceed"), (False, True))),
]


def summary(directory: Path, variables: Mapping[str, Any]) -> dict[str, float | None]:
    with open_run(str(directory), variables=variables, hold=True) as connection:
        return dict(connection.execute("select metric, estimate from summary.metacog").fetchall())


def test_metrics_of_accuracy_follow_the_matching(tmp_path: Path) -> None:
    run = write_metacog_run(tmp_path, POSED)
    strict, lenient = summary(run, {}), summary(run, {"matching": "published"})
    assert strict == summary(run, {"matching": "grammar"})
    assert (strict["natural_accuracy"], lenient["natural_accuracy"]) == (0.5, 1)
    assert (strict["wagering_accuracy"], lenient["wagering_accuracy"]) == (0.25, 1)
    assert (strict["gap"], lenient["gap"]) == (0.25, 0)
    assert (strict["cfr_c1"], lenient["cfr_c1"]) == (1, 0)


def test_another_matching_stops_the_query(tmp_path: Path) -> None:
    run = write_metacog_run(tmp_path, POSED)
    with pytest.raises(duckdb.Error, match="grammar, judge or published"):
        summary(run, {"matching": "loose"})


def test_tailored_tasks_meet_the_models_own_accuracy(tmp_path: Path) -> None:
    tailored = replace(
        acted(0, (S, A), ("proceed", "proceed"), (False, True), task_set="tailored"),
        variant="paper+task_set=tailored",
    )
    run = write_metacog_run(tmp_path, [*known({A: (4, 4), S: (0, 4)}), tailored])
    with open_run(str(run), hold=True) as connection:
        [row] = connection.execute(
            "select n_weak, cfr from agency.metacog_parts_outcomes "
            "where task_set = 'tailored' and policy = 'median_or_bottom_k' and paradigm = 'all'"
        ).fetchall()
    assert row == (1, 1.0)


def test_table_4_has_both_ideas_of_a_weak_domain(tmp_path: Path) -> None:
    # Both domains lie above a half; the second one lies below the median.
    posed = [
        *known({A: (4, 4), S: (3, 4)}),
        *known({A: (4, 4), S: (1, 4)}, "wagering"),
        acted(0, (S, A), ("proceed", "proceed"), (False, True)),
    ]
    run = write_metacog_run(tmp_path, posed)
    with open_run(str(run), hold=True) as connection:
        found = connection.execute(
            "select cfr_c1, kdi, cfr_c1_below_half, kdi_below_half from paper.metacog_table_4"
        ).fetchone()
    assert found == (1, 0.25, None, None)
