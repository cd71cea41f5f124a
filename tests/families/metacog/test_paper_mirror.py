"""MIRROR's further tables and figures, over a run that can be reckoned by hand."""

from collections.abc import Iterator
from dataclasses import replace
from math import log, sqrt
from typing import Any

import duckdb
import pytest
from scipy.stats import mannwhitneyu, pearsonr

from mirror_ray.analysis.warehouse import open_run
from mirror_ray.families.metacog.sections.models import pooled_means
from support.analysis.asked_rows import rows_of
from support.analysis.metacog_runs import Posed, acted, answered, attacked, known, write_metacog_run

A, F, L, S = "arithmetic", "factual", "logical", "spatial"
MODEL = "openrouter/meta-llama/llama-3.1-8b-instruct"


def composed(place: int, domains: tuple[str, str], predicted: float, correct: bool) -> Posed:
    """Experiment 3: a task of two domains, and the prediction before it."""
    return Posed(
        "exp3",
        place,
        {"channel": "wagering", "domain_a": domains[0], "domain_b": domains[1]},
        (
            {"phase": "predict", "self_prediction": predicted},
            {"phase": "answer", "status": "ok", "correct": correct, "bet": 5},
        ),
    )


def done(place: int, information: str, right: bool, decision: str = "proceed") -> Posed:
    """Experiment 9: a task whose parts are both of the weak domain S, one subcategory each."""
    return acted(
        place,
        (S, S),
        (decision, "proceed"),
        (right if decision == "proceed" else None, right),
        information,
        subcategory_a="rotation",
        subcategory_b="distance",
    )


PLAYED = [
    # Natural accuracy 1, .5, .5 and 0: the median is .5, and S alone lies below it.
    *known({A: (2, 2), F: (1, 2), L: (1, 2), S: (0, 2)}),
    answered("matched", 0, A, True, confidence=5),
    answered("matched", 1, A, False, confidence=5),
    answered("wagering", 0, A, True, bet=10),
    answered("wagering", 1, A, False, bet=1),
    answered("wagering", 6, S, True, bet=1),
    attacked(0, "none", 10, True),
    attacked(0, "authority", 1, True),
    attacked(0, "social", 10, True),
    attacked(0, "hijack", 1, True),
    composed(0, (L, A), 75, True),
    composed(1, (A, L), 100, False),
    # Of four parts done alone two are right.
    done(0, "C1", True),
    done(1, "C1", False),
    # Routed, one part of two, and the other is wrong.
    replace(done(2, "C4", False), facts={**done(2, "C4", False).facts, "routed_a": True}),
]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[duckdb.DuckDBPyConnection]:
    posed = [replace(one, model=MODEL) for one in PLAYED]
    directory = write_metacog_run(tmp_path_factory.mktemp("run"), posed)
    with open_run(directory, hold=True) as connection:
        yield connection


def by(rows: list[dict[str, Any]], key: str) -> dict[Any, dict[str, Any]]:
    return {row[key]: row for row in rows}


def test_table_6_leaves_out_what_is_no_part_of_ars(run: duckdb.DuckDBPyConnection) -> None:
    rows = by(rows_of(run, "from paper.metacog_table_6"), "attack")
    assert {attack: row["mean_ars"] for attack, row in rows.items()} == {
        "authority": 0.0,
        "social": 1.0,
        None: 0.5,
    }
    assert rows["authority"]["reference"] == 0.960
    assert rows[None]["attack_category"] == "Overall"


def test_table_8_does_not_mind_the_order_of_two_domains(run: duckdb.DuckDBPyConnection) -> None:
    [row] = rows_of(run, "from paper.metacog_table_8")
    assert (row["domain_a"], row["domain_b"], row["n"]) == (A, L, 2)
    # |.75 - 1| and |1 - 0|.
    assert row["mean_cce"] == pytest.approx((0.25 + 1) / 2)
    assert row["reference"] == {"mean_cce": 0.249, "n": 62}


def test_table_11_pools_paradigms_and_frames(run: duckdb.DuckDBPyConnection) -> None:
    rows = rows_of(run, "from paper.metacog_table_11")
    assert {row["frame"] for row in rows} == {"C1", "C1+C2"}
    domain = next(
        row for row in rows
        if row["frame"] == "C1" and row["strategy"] == "MIRROR domain routing"
    )  # fmt: skip
    assert (domain["weak_cfr"], domain["escalation"]) == (0, 1)
    assert domain["reference"]["escalation"] == 0.484


def test_table_14_has_the_gap_and_the_cut(run: duckdb.DuckDBPyConnection) -> None:
    [row] = rows_of(run, "from paper.metacog_table_14")
    # C1: two of four; C4: one of two.
    assert (row["temperature"], row["cfr_c1"], row["reduction"]) == (0, 0.5, 0)
    # Wagers are right in .5 of A and 1 of S, where natural answers are in 1 and 0.
    assert row["m_gap"] == pytest.approx((0.5 + 1) / 2)
    assert row["reference"]["reduction"] == 0.62


def test_table_15_has_two_steps_from_free_text_to_stakes(run: duckdb.DuckDBPyConnection) -> None:
    [row] = rows_of(run, "from paper.metacog_table_15")
    assert (row["nat_acc"], row["struct_acc"], row["n"]) == (0.5, 0.5, 2)
    assert row["wag_acc"] == pytest.approx(2 / 3)
    assert row["format_effect"] == 0
    assert row["wager_effect"] == pytest.approx(2 / 3 - 0.5)
    assert row["reference"]["format_effect"] == -0.030


def test_tables_17_and_18_take_over_what_is_routed(run: duckdb.DuckDBPyConnection) -> None:
    rows = by(rows_of(run, "from paper.metacog_table_17"), "information")
    assert (rows["C1"]["autonomy"], rows["C1"]["auto_correct"]) == (1, 0.5)
    assert (rows["C4"]["autonomy"], rows["C4"]["escalated"], rows["C4"]["sys_success"]) == (
        0.5,
        0.5,
        0.5,
    )
    assert rows["C4"]["reference"]["sys_success"] == 0.753
    halves = by(rows_of(run, "from paper.metacog_table_18"), "q")
    assert len(halves) == 11
    assert (halves[0.5]["c1_success"], halves[0.5]["c4_success"]) == (0.5, 0.25)
    assert halves[0.5]["delta"] == -0.25
    assert halves[0.5]["reference"]["delta"] == 0.1020
    assert halves[0.4]["reference"] is None


def test_proper_scores_of_wagers(run: duckdb.DuckDBPyConnection) -> None:
    [row] = rows_of(run, "from paper.metacog_scoring")
    # Certain and right twice, and once certain of the contrary.
    assert row["n"] == 3
    assert row["brier"] == pytest.approx(1 / 3)
    assert row["log_score"] == pytest.approx(-log(1e-6) / 3)
    assert row["reference"]["log_score"] == 0.7911


def test_figure_3_is_table_4s_index(run: duckdb.DuckDBPyConnection) -> None:
    [row] = rows_of(run, "from paper.metacog_table_4")
    assert row["kdi"] == pytest.approx(0.75 - (1 - 0.5))


def test_figure_6_has_cells_of_weak_domains(run: duckdb.DuckDBPyConnection) -> None:
    cells = rows_of(
        run,
        "from agency.metacog_parts_subcategories where paradigm = 'autonomous'"
        " order by subcategory",
    )
    assert [(one["subcategory"], one["n_weak"], one["cfr"]) for one in cells] == [
        ("distance", 2, 0.5),
        ("rotation", 2, 0.5),
    ]
    assert {(one["natural_accuracy"], one["gap"]) for one in cells} == {(0.0, 1.0)}
    # Nothing varies.
    assert {row["r"] for row in rows_of(run, "from paper.metacog_figure_6")} == {None}


def test_figure_6s_correlations_are_pearsons(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Five models with one weak cell each: gaps, accuracies and failures of their own."""
    shares = [(0, 3, 8), (1, 6, 5), (2, 1, 9), (1, 8, 2), (3, 9, 7)]
    posed: list[Posed] = []
    for number, (right, wagered, failed) in enumerate(shares):
        own = [
            *known({A: (10, 10), S: (right, 10)}),
            *known({A: (10, 10), S: (wagered, 10)}, "wagering"),
            *(done(place, "C1", place >= failed) for place in range(10)),
        ]
        posed += [replace(one, model=f"lab/{number}") for one in own]
    directory = write_metacog_run(tmp_path_factory.mktemp("five"), posed)
    with open_run(directory) as connection:
        found = rows_of(connection, "from paper.metacog_figure_6 where paradigm = 'autonomous'")
    # Two subcategories each, which fail alike.
    twice = [one for one in shares for _ in range(2)]
    accuracy = [right / 10 for right, _, _ in twice]
    gap = [abs(wagered - right) / 10 for right, wagered, _ in twice]
    failures = [failed / 10 for _, _, failed in twice]
    rows = by(found, "predictor")
    for predictor, values in (("gap", gap), ("natural_accuracy", accuracy)):
        expected = pearsonr(values, failures)
        assert rows[predictor]["r"] == pytest.approx(expected.statistic)
        assert rows[predictor]["p"] == pytest.approx(expected.pvalue)
    r_gap, r_accuracy = rows["gap"]["r"], rows["natural_accuracy"]["r"]
    r_both = pearsonr(gap, accuracy).statistic
    assert rows["partial"]["r"] == pytest.approx(
        (r_gap - r_accuracy * r_both) / sqrt((1 - r_accuracy**2) * (1 - r_both**2))
    )
    assert {row["n"] for row in found} == {10}


def test_the_pooled_mean_has_an_interval_over_models() -> None:
    place = {"temperature": 0.0, "setting": "paper", "route": "median"}
    rows = [
        {**place, "information": information, "model": f"lab/{number}", "cfr": cfr}
        for information, values in (
            ("C1", (0.2, 0.3, 0.4, 0.4, 0.5, 0.7, 0.8, 0.9)),
            ("C4", (0.1,)),
        )
        for number, cfr in enumerate(values)
    ]
    first, alone = pooled_means(rows)
    assert first["estimate"] == pytest.approx(4.2 / 8)
    assert 0.3 < first["low"] < 4.2 / 8 < first["high"] < 0.8
    assert (alone["estimate"], alone["low"], alone["high"]) == (0.1, None, None)
    assert "one model" in alone["description"]


def test_a_labs_models_against_all_others(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Of ten parts each: two of Meta's against four others', two of which tie."""
    failed = {
        "openrouter/meta-llama/llama-3.1-8b-instruct": 2,
        "openrouter/meta-llama/llama-3.3-70b-instruct": 5,
        "openrouter/google/gemma-3-12b-it": 5,
        "openrouter/mistralai/mistral-large": 8,
        "openai/gpt-4.1-mini": 9,
        "openai/gpt-5.1": 10,
    }
    posed = [
        replace(one, model=model)
        for model, count in failed.items()
        for one in (
            *known({A: (2, 2), S: (0, 2)}),
            *(done(place, "C1", place >= count) for place in range(10)),
        )
    ]
    directory = write_metacog_run(tmp_path_factory.mktemp("labs"), posed)
    with open_run(directory) as connection:
        rows = by(rows_of(connection, "from paper.metacog_labs"), "lab")
    meta = rows["Meta"]
    assert (meta["n_models"], meta["n_others"]) == (2, 4)
    assert meta["cfr"] == pytest.approx(0.35)
    assert meta["cfr_others"] == pytest.approx(0.8)
    expected = mannwhitneyu([2, 5], [5, 8, 9, 10], method="asymptotic")
    assert (meta["u"], meta["p"]) == (expected.statistic, pytest.approx(expected.pvalue))
    assert meta["reference"] == {"cfr": 0.624, "cfr_others": 0.720, "p": 0.14}
    # A single model is no sample.
    assert (rows["Google"]["n_models"], rows["Google"]["p"]) == (1, None)
