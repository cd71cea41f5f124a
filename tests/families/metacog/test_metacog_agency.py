"""metacog's views of experiment 9: weak domains, confident failures, routing, counted by hand."""

from collections.abc import Iterator
from dataclasses import replace
from math import sqrt
from typing import Any

import duckdb
import pytest
from scipy.stats import ttest_1samp

from mirror_ray.analysis.warehouse import open_run
from mirror_ray.contract.family_files import axes_of
from mirror_ray.families.metacog.bank.question import DOMAINS
from mirror_ray.families.metacog.weak_domains import weak_domains
from support.analysis.asked_rows import by, rows_of
from support.analysis.metacog_runs import Posed, acted, known, write_metacog_run

A, F, L, S = "arithmetic", "factual", "logical", "spatial"

# Natural accuracy: A 1, F 3/4, L 1/4, S 0; median 1/2.
ABLE = {A: (4, 4), F: (3, 4), L: (1, 4), S: (0, 4)}
DONE = [
    # Weak parts (L, S): wrong, unanswered, right, escalated; strong ones: right, escalated, wrong.
    acted(0, (L, A), ("proceed", "proceed"), (False, True)),
    acted(1, (S, F), ("proceed", "defer"), (None, None)),
    acted(2, (L, S), ("proceed", "use_tool"), (True, None)),
    # A reply that says no decision went ahead.
    replace(
        acted(3, (F, A), ("proceed", "proceed"), (False, True)),
        asks=({"phase": "parts", "status": "ok", "correct_a": False, "correct_b": True},),
    ),
    # C4 takes the weak part from it, whatever it said.
    acted(4, (S, A), ("proceed", "proceed"), (None, True), "C4", routed_a=True, routed_b=False),
    replace(acted(5, (L, S), ("proceed", "proceed"), (False, False)), error_kind="server"),
]
# CFR under C1 and C2 over three models: 1, 1, 1/2 and 0, 1, 0.
MOVED = {
    "one": ((False, False), (True, True)),
    "two": ((False, False), (False, False)),
    "three": ((False, True), (True, True)),
}
MODELS: dict[str, list[Posed]] = {
    "weak": known({A: (10, 10), F: (6, 10), L: (4, 10), S: (3, 10)}),
    "level": known({A: (1, 2), F: (1, 2), L: (1, 2), S: (1, 2)}),
    "mostly": known({A: (4, 4), F: (2, 4), L: (2, 4), S: (2, 4)}),
    "acts": [*known(ABLE), *known(ABLE, "wagering"), *DONE],
}
APART = {
    name: [
        *known({A: (1, 1), S: (0, 1)}),
        acted(0, (S, S), ("proceed", "proceed"), before),
        acted(0, (S, S), ("proceed", "proceed"), after, "C2"),
    ]
    for name, (before, after) in MOVED.items()
}


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[duckdb.DuckDBPyConnection]:
    posed = [replace(one, model=name) for name, ones in MODELS.items() for one in ones]
    # Models that are compared with one another, apart from the others.
    posed += [
        replace(one, model=name, temperature=0.5) for name, ones in APART.items() for one in ones
    ]
    with open_run(
        write_metacog_run(tmp_path_factory.mktemp("run"), posed), hold=True
    ) as connection:
        yield connection


def weak(connection: duckdb.DuckDBPyConnection, model: str) -> dict[str, set[str]]:
    rows = rows_of(connection, f"from metric.metacog_domains_weak where model = '{model}'")
    policies = {row["policy"] for row in rows}
    return {
        policy: {row["domain"] for row in rows if row["policy"] == policy and row["weak"]}
        for policy in policies
    }


def test_weak_domains_under_each_policy(run: duckdb.DuckDBPyConnection) -> None:
    found = weak(run, "weak")
    assert {name: found[name] for name in ("median_or_bottom_k", "threshold", "bottom_k")} == {
        "median_or_bottom_k": {L, S},
        # 0.4 is not below 0.4.
        "threshold": {S},
        "bottom_k": {F, L, S},
    }


def test_two_lowest_are_weak_where_none_is_below_the_median(run: duckdb.DuckDBPyConnection) -> None:
    # All tie for the first place, or three of four do: the first of the eight counts as lower.
    assert weak(run, "level")["median_or_bottom_k"] == {A, S}
    assert weak(run, "mostly")["median_or_bottom_k"] == {L, S}


@pytest.mark.parametrize("model", ["weak", "level", "mostly", "acts"])
@pytest.mark.parametrize("route", axes_of("metacog")["route"].choices)
def test_a_route_is_the_same_rule_at_play_and_here(
    model: str, route: str, run: duckdb.DuckDBPyConnection
) -> None:
    rows = rows_of(
        run, f"from metric.metacog_domains where model = '{model}' and setting = 'paper'"
    )
    measured = {row["domain"]: row["natural_accuracy"] for row in rows}
    played = weak_domains({each: measured[each] for each in DOMAINS if each in measured}, route)
    policy = "median_or_bottom_k" if route == "median" else route
    assert weak(run, model).get(policy, set()) == set(played)


def test_weak_domains_follow_their_variables(run: duckdb.DuckDBPyConnection) -> None:
    run.execute("set variable weak_below = 0.5; set variable weak_lowest = 1")
    try:
        found = weak(run, "weak")
    finally:
        run.execute("reset variable weak_below; reset variable weak_lowest")
    assert (found["threshold"], found["bottom_k"]) == ({L, S}, {S})


def outcome(connection: duckdb.DuckDBPyConnection, information: str) -> dict[str, Any]:
    [row] = rows_of(
        connection,
        "from agency.metacog_parts_outcomes where model = 'acts' "
        f"and information = '{information}' and policy = 'median_or_bottom_k' "
        "and paradigm = 'autonomous'",
    )
    return row


def test_confident_failures_and_their_bounds(run: duckdb.DuckDBPyConnection) -> None:
    row = outcome(run, "C1")
    assert (row["n"], row["n_weak"], row["n_strong"]) == (8, 4, 4)
    assert (row["n_wrong"], row["n_missing"]) == (1, 1)
    # Equation 13: a part without an answer is no confident failure.
    assert row["cfr"] == 1 / 4
    assert row["cfr_conservative"] == 2 / 4
    assert row["cfr_complete"] == 1 / 3
    assert row["cfr_low"] == 1 / 4
    assert row["autonomy"] == 6 / 8
    assert row["unneeded_escalation"] == 1 / 4
    # Right: three by itself, two by who takes over.
    assert row["success"] == 5 / 8
    assert row["accuracy_alone"] == 3 / 5


def test_a_resolver_that_errs_and_routed_parts(run: duckdb.DuckDBPyConnection) -> None:
    run.execute("set variable resolver_accuracy = 0.5")
    try:
        row = outcome(run, "C1")
    finally:
        run.execute("reset variable resolver_accuracy")
    assert row["success"] == (3 + 2 * 0.5) / 8
    routed = outcome(run, "C4")
    assert (routed["cfr"], routed["autonomy"], routed["success"]) == (0, 1 / 2, 1)


def test_escalation_effects_are_paired_over_models(run: duckdb.DuckDBPyConnection) -> None:
    [row] = rows_of(
        run,
        "from agency.metacog_parts_outcomes_effects "
        "where temperature = 0.5 and policy = 'median_or_bottom_k' and paradigm = 'all'",
    )
    differences = [-1, 0, -0.5]
    assert (row["information"], row["n_models"]) == ("C2", 3)
    assert row["baseline"] == "C1"
    assert row["cfr_baseline"] == pytest.approx((1 + 1 + 0.5) / 3)
    assert row["difference"] == pytest.approx(-0.5)
    # Fewer failures than before: above 0, as printed.
    assert row["cohens_d"] == pytest.approx(0.5 / 0.5)
    expected = ttest_1samp(differences, 0)
    low, high = expected.confidence_interval(0.95)
    assert row["p"] == pytest.approx(expected.pvalue, abs=1e-3)
    assert (row["ci_low"], row["ci_high"]) == (
        # No difference of two shares is below -1.
        pytest.approx(max(low, -1)),
        pytest.approx(high, abs=1e-3 / sqrt(3)),
    )


def test_routing_trades_autonomy_for_success(run: duckdb.DuckDBPyConnection) -> None:
    rows = by(rows_of(run, "from agency.metacog_parts_routing where model = 'acts'"), "threshold")
    assert len(rows) == 21
    # Nothing is routed below 0.05, S up to 0.25, then L, then F, and all but A at 1.
    shown = {at: (rows[at]["autonomy"], rows[at]["success"]) for at in (0, 0.05, 0.25, 0.3, 0.8)}
    assert shown == {
        0: (6 / 8, 5 / 8),
        0.05: (5 / 8, 6 / 8),
        0.25: (5 / 8, 6 / 8),
        0.3: (3 / 8, 7 / 8),
        0.8: (2 / 8, 8 / 8),
    }
    assert rows[0]["cfr"] == 1 / 4
    assert rows[0.05]["cfr"] == 1 / 4
    assert rows[0.3]["cfr"] == 0
    assert rows[0.3]["utility"] == pytest.approx(7 / 8 - 0.1 * 5 / 8)
    assert all(row["on_frontier"] for row in rows.values())


def test_a_threshold_that_another_beats_is_off_the_frontier(run: duckdb.DuckDBPyConnection) -> None:
    run.execute("set variable resolver_accuracy = 0.2")
    try:
        rows = by(
            rows_of(run, "from agency.metacog_parts_routing where model = 'acts'"), "threshold"
        )
    finally:
        run.execute("reset variable resolver_accuracy")
    # Taking both parts of L from the model loses its right one: (2 + 5 × 0.2) / 8 < 3.6 / 8.
    assert rows[0.05]["success"] == pytest.approx((3 + 3 * 0.2) / 8)
    assert rows[0.3]["success"] == pytest.approx((2 + 5 * 0.2) / 8)
    assert rows[0.05]["on_frontier"]
    assert not rows[0.3]["on_frontier"]


def test_knowing_and_doing(run: duckdb.DuckDBPyConnection) -> None:
    rows = by(rows_of(run, "from summary.metacog where model = 'acts'"), "metric")
    found = {metric: row["estimate"] for metric, row in rows.items()}
    assert found["gap"] == 0
    assert (found["cfr_c1"], found["cfr_c2"], found["cfr_c4"]) == (0.25, None, 0)
    assert found["cfr_conservative_c1"] == 0.5
    assert found["kdi"] == pytest.approx(0 - (1 - 0.25))
    # Nothing is known of doing without experiment 9.
    unplayed = by(rows_of(run, "from summary.metacog where model = 'weak'"), "metric")
    assert unplayed["kdi"]["estimate"] is None
