"""Which bank tells of a model in experiment 9, and which rule of routing: counted by hand."""

from collections.abc import Iterator
from dataclasses import replace

import duckdb
import pytest

from mirror_ray.analysis.warehouse import open_run
from support.analysis.asked_rows import rows_of
from support.analysis.metacog_runs import acted, known, write_metacog_run

A, F, L, S = "arithmetic", "factual", "logical", "spatial"


# Natural accuracy on two banks: A right and S wrong, and the other way round.
PUBLISHED = {"bank": "published 0123456789ab"}
APART_BY_BANK = [
    *known({A: (2, 2), S: (0, 2)}),
    *(
        replace(one, facts={**one.facts, **PUBLISHED}, run=1)
        for one in known({A: (0, 2), S: (2, 2)})
    ),
    acted(0, (A, S), ("proceed", "proceed"), (False, False)),
    replace(acted(1, (A, S), ("proceed", "proceed"), (True, False), **PUBLISHED), run=1),
]
# Played on another bank than the one that tells of it; C4 by another rule than the median.
ELSEWHERE = [
    *(replace(one, facts={**one.facts, **PUBLISHED}) for one in known({A: (4, 4), S: (2, 4)})),
    acted(0, (A, S), ("proceed", "proceed"), (True, False)),
    acted(1, (A, S), ("proceed", "proceed"), (True, False), "C4", route="below_0.5"),
    acted(0, (A, S), ("proceed", "proceed"), (True, True), paradigm="checkpoint"),
    acted(2, (S, A), ("proceed", "proceed"), (None, True), answer_a="it depends"),
    acted(0, (S, S), ("proceed", "proceed"), (False, False), task_set="tailored"),
]


@pytest.fixture(scope="module")
def banks(tmp_path_factory: pytest.TempPathFactory) -> Iterator[duckdb.DuckDBPyConnection]:
    posed = [replace(one, model="two banks") for one in APART_BY_BANK]
    posed += [replace(one, model="elsewhere") for one in ELSEWHERE]
    with open_run(
        write_metacog_run(tmp_path_factory.mktemp("banks"), posed), hold=True
    ) as connection:
        yield connection


def test_two_banks_of_an_experiment_are_two_settings(banks: duckdb.DuckDBPyConnection) -> None:
    rows = rows_of(banks, "from summary.metacog where model = 'two banks' and metric = 'cfr_c1'")
    # Weak are S by the generated questions and A by the published ones.
    assert {row["setting"]: (row["n"], row["estimate"]) for row in rows} == {
        "paper": (1, 1),
        "paper+bank=published": (1, 0),
    }
    rows = rows_of(banks, "from metric.metacog_domains where model = 'two banks'")
    assert {(row["setting"], row["n_natural"]) for row in rows} == {
        ("paper", 2),
        ("paper+bank=published", 2),
    }


def test_the_only_bank_of_exp1_tells_of_the_model(banks: duckdb.DuckDBPyConnection) -> None:
    rows = rows_of(
        banks,
        "select * from agency.metacog_parts_outcomes where model = 'elsewhere' "
        "and policy = 'median_or_bottom_k' and task_set = 'fixed'",
    )
    found = {(row["information"], row["paradigm"]): row for row in rows}
    assert set(found) == {
        (at, how) for at in ("C1",) for how in ("autonomous", "checkpoint", "all")
    } | {("C4", "autonomous"), ("C4", "all")}
    # One part wrong in one paradigm and right in the other; one whose answer no key decides.
    pooled = found["C1", "all"]
    assert (pooled["n_weak"], pooled["n_undecided"], pooled["cfr"]) == (2, 1, 1 / 2)
    assert pooled["cfr_conservative"] == (1 / 2 + 1) / 2
    assert found["C1", "autonomous"]["cfr"] == 1
    # C1 stands beside C4's rule; S is not below 0.5, so that by the rule nothing was weak.
    assert {row["route"] for row in rows} == {"below_0.5"}
    assert found["C4", "all"]["cfr"] == 1
    query = "from summary.metacog where model = 'elsewhere' and setting = 'paper' and metric = "
    [summed] = rows_of(banks, f"{query}'cfr_c4'")
    assert summed["estimate"] == 1
    banks.execute("set variable weak_policy = 'route'")
    try:
        [summed] = rows_of(banks, f"{query}'cfr_c4'")
    finally:
        banks.execute("reset variable weak_policy")
    assert summed["estimate"] is None


def test_tailored_tasks_reach_their_metrics(banks: duckdb.DuckDBPyConnection) -> None:
    [row] = rows_of(
        banks,
        "from summary.metacog "
        "where model = 'elsewhere' and setting = 'paper' and metric = 'tailored_cfr_c1'",
    )
    assert (row["n"], row["estimate"]) == (2, 1)
