"""metacog's effects step by step and what rests on assumptions, counted by hand."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import duckdb
import pytest
from scipy.stats import linregress, t

from mirror_ray.analysis.warehouse import open_run
from support.analysis.asked_rows import rows_of
from support.analysis.metacog_runs import acted, known, write_metacog_run

A, S = "arithmetic", "spatial"
GONE = ("proceed", "proceed")
WRONG = {"C1": (2, 2), "C2": (2, 1), "C3": (1, 1), "C4": (0, 1)}
"""Weak parts that went wrong, of two, by information: of each of two models."""


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[duckdb.DuckDBPyConnection]:
    posed = []
    for at, model in enumerate(("one", "two")):
        played = known({A: (1, 1), S: (0, 1)}) + [
            acted(0, (S, S), GONE, (wrong[at] < 1, wrong[at] < 2), information)
            for information, wrong in WRONG.items()
        ]
        posed += [replace(one, model=model) for one in played]
    # Right alone, wrong alone, silent, and one that was left to others.
    told = [
        *known({A: (1, 1), S: (0, 1)}),
        acted(0, (A, S), GONE, (True, False)),
        acted(1, (S, A), ("proceed", "defer"), (None, None)),
    ]
    posed += [replace(one, model="three", temperature=0.5) for one in told]
    # Weak parts: an easy one left to others; of four more easy ones, two unanswered, one wrong, one
    # right; of two hard ones, one unanswered, one wrong; a silent one of middling difficulty.
    easy: dict[str, Any] = {"difficulty_a": "easy", "difficulty_b": "easy"}
    hard: dict[str, Any] = {"difficulty_a": "hard", "difficulty_b": "hard"}
    gaps = [
        *known({A: (1, 1), S: (0, 1)}),
        acted(0, (S, A), ("defer", "proceed"), (None, True), **easy),
        acted(1, (S, S), GONE, (None, False), **easy),
        acted(2, (S, S), GONE, (None, True), **easy),
        acted(3, (S, S), GONE, (None, False), **hard),
        acted(4, (S, A), GONE, (None, True), difficulty_a="medium", difficulty_b="easy"),
    ]
    posed += [replace(one, model="silent") for one in gaps]
    # Natural accuracy of three sizes, and one model of which no size is given.
    for model, right in (("lab/s", 2), ("lab/m", 3), ("lab/l", 8), ("lab/unsized", 0)):
        posed += [replace(one, model=model, temperature=0.25) for one in known({A: (right, 10)})]
    posed += [replace(one, model="lab/s", temperature=0.75) for one in known({A: (1, 10)})]
    with open_run(
        write_metacog_run(tmp_path_factory.mktemp("run"), posed), hold=True
    ) as connection:
        yield connection


def test_effects_against_c1_and_one_step_before(run: duckdb.DuckDBPyConnection) -> None:
    rows = rows_of(
        run,
        "from agency.metacog_parts_outcomes_effects "
        "where temperature = 0 and policy = 'median_or_bottom_k' and paradigm = 'all'",
    )
    found = {
        (row["baseline"], row["information"]): (row["cfr_baseline"], row["difference"])
        for row in rows
    }
    assert found == {
        ("C1", "C2"): (1, -0.25),
        ("C1", "C3"): (1, -0.5),
        ("C1", "C4"): (1, -0.75),
        ("C2", "C3"): (0.75, -0.25),
        ("C3", "C4"): (0.5, -0.25),
    }
    # From C3 to C4: -1/2 and 0; mean -1/4, SD 1/sqrt(8).
    [step] = [row for row in rows if row["baseline"] == "C3"]
    assert step["cohens_d"] == pytest.approx(0.25 * 8**0.5)


def test_success_grows_with_the_resolver_by_what_is_escalated(
    run: duckdb.DuckDBPyConnection,
) -> None:
    rows = rows_of(
        run,
        "from agency.metacog_parts_resolver where model = 'three' and policy = 'threshold' "
        "and paradigm = 'all' order by q",
    )
    assert [row["q"] for row in rows] == [tenth / 10 for tenth in range(11)]
    assert {row["escalated"] for row in rows} == {1 / 4}
    assert [row["success"] for row in rows] == pytest.approx(
        [(1 + tenth / 10) / 4 for tenth in range(11)]
    )
    # Where nothing is left to others, nothing rests on them.
    alone = rows_of(
        run,
        "select distinct success from agency.metacog_parts_resolver "
        "where model = 'two' and information = 'C3'",
    )
    assert [row["success"] for row in alone] == [0.5]


def test_missing_answers_under_what_may_be_true_of_them(run: duckdb.DuckDBPyConnection) -> None:
    [row] = rows_of(
        run,
        "from agency.metacog_parts_missing where model = 'silent' and policy = 'threshold' "
        "and paradigm = 'all'",
    )
    assert (row["n_weak"], row["n_missing"], row["n_wrong"], row["n_unweighted"]) == (8, 4, 2, 1)
    assert row["cfr_low"] == 2 / 8
    assert row["cfr_complete"] == 2 / 4
    assert row["cfr_high"] == 6 / 8
    # Each easy answer stands for two, the hard one too; the silent one is left out.
    assert row["cfr_weighted"] == (1 * 4 / 2 + 1 * 2 / 1) / 7
    shares = rows_of(
        run,
        "from paper.metacog_table_12 where model = 'silent' and policy = 'threshold' "
        "order by alpha",
    )
    assert [(one["alpha"], one["cfr"]) for one in shares] == [
        (0, 2 / 8), (0.25, 3 / 8), (0.5, 4 / 8), (0.75, 5 / 8), (1, 6 / 8)
    ]  # fmt: skip


def test_scaling_is_a_line_over_the_models_of_known_size(run: duckdb.DuckDBPyConnection) -> None:
    sql = "from summary.metacog_scaling where temperature = 0.25 and metric = 'natural_accuracy'"
    [unsized] = rows_of(run, sql)
    assert (unsized["n_models"], unsized["slope"]) == (0, None)
    try:
        run.execute("set variable model_sizes = map {'lab/s': 1e8, 'lab/m': 1e9}")
        [two] = rows_of(run, sql)
        run.execute("""set variable model_sizes = '{"lab/s": 1e8, "lab/m": 1e9, "lab/l": 1e10}'""")
        [three] = rows_of(run, sql)
    finally:
        run.execute("reset variable model_sizes")
    assert (two["n_models"], two["slope"], two["ci_low"]) == (2, None, None)
    expected = linregress([8, 9, 10], [0.2, 0.3, 0.8])
    assert three["n_models"] == 3
    assert three["slope"] == pytest.approx(0.3)
    assert three["intercept"] == pytest.approx(expected.intercept)
    assert three["r"] == pytest.approx(expected.rvalue)
    half = t.ppf(0.975, 1) * expected.stderr
    assert (three["ci_low"], three["ci_high"]) == pytest.approx((0.3 - half, 0.3 + half))


def test_temperatures_of_one_model_are_compared(run: duckdb.DuckDBPyConnection) -> None:
    rows = rows_of(run, "from summary.metacog_temperature where metric = 'natural_accuracy'")
    assert [
        (row["model"], row["temperature"], row["other_temperature"], row["n"]) for row in rows
    ] == [("lab/s", 0.25, 0.75, 10)]
    assert rows[0]["difference"] == pytest.approx(0.1 - 0.2)
