"""metacog's effects step by step and what rests on assumptions, counted by hand."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import duckdb
import pytest
from metacog_runs import acted, known, write_metacog_run

from analysis.warehouse import open_run

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
    with open_run(write_metacog_run(tmp_path_factory.mktemp("run"), posed)) as connection:
        yield connection


def rows_of(connection: duckdb.DuckDBPyConnection, sql: str) -> list[dict[str, Any]]:
    cursor = connection.execute(sql)
    names = [column[0] for column in cursor.description or ()]
    return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]


def test_effects_against_c1_and_one_step_before(run: duckdb.DuckDBPyConnection) -> None:
    rows = rows_of(
        run,
        "from agency.metacog_parts_outcomes_effects "
        "where temperature = 0 and policy = 'median_or_bottom_k'",
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
    assert step["cohens_d"] == pytest.approx(-0.25 * 8**0.5)


def test_success_grows_with_the_resolver_by_what_is_escalated(
    run: duckdb.DuckDBPyConnection,
) -> None:
    rows = rows_of(
        run,
        "from agency.metacog_parts_resolver where model = 'three' and policy = 'threshold' "
        "order by q",
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
