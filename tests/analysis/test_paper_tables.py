"""The papers' tables: their rows and columns over a run, with what is printed beside them."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import duckdb
import pytest

from mirror_ray.analysis.warehouse import open_run
from support.analysis.asked_rows import rows_of
from support.analysis.metacog_runs import (
    acted,
    answered,
    attacked,
    known,
    pursued,
    write_metacog_run,
)
from support.analysis.textmirror_runs import Answered, write_textmirror_run

A, F, L, S = "arithmetic", "factual", "logical", "spatial"
MODEL = "openrouter/meta-llama/llama-3.1-8b-instruct"
# Weak by the median: L and S; the three lowest: F too; below 0.4: L and S.
KNOWN = [*known({A: (4, 4), F: (3, 4), L: (1, 4), S: (0, 4)})]


def hedged(place: int, domain: str, correct: bool, n_hedges: int) -> Any:
    """A task without tools of two parts alike: both in this domain, hedged and right alike."""
    task = acted(
        place, (domain, domain), ("proceed", "proceed"), (correct, correct), paradigm="no_tools"
    )
    [said] = task.asks
    hedges = {"n_hedges_a": n_hedges, "n_hedges_b": n_hedges, "cost_usd": 0.02, "latency_s": 3.0}
    return replace(task, asks=({**said, **hedges},))


# Eight parts: those of A right and unhedged, those of S wrong, half of them hedged.
UNTOLD = [
    hedged(0, A, True, 0),
    hedged(1, A, True, 0),
    hedged(2, S, False, 0),
    hedged(3, S, False, 3),
]
ROUTED = acted(4, (S, A), ("proceed", "proceed"), (None, True), "C4", routed_a=True, routed_b=False)
PLAYED = [
    *KNOWN,
    *known({A: (2, 4), F: (3, 4), L: (1, 4), S: (0, 4)}, "wagering"),
    *UNTOLD,
    replace(ROUTED, asks=({**ROUTED.asks[0], "cost_usd": 0.01, "latency_s": 1.0},)),
    answered("wagering", 40, A, True, bet=10),
    pursued(0, "true", 2, 6),
    attacked(0, "none", 10, True),
    attacked(0, "authority", 1, True),
]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[duckdb.DuckDBPyConnection]:
    posed = [replace(one, model=MODEL) for one in PLAYED]
    directory = write_metacog_run(tmp_path_factory.mktemp("run"), posed)
    with open_run(directory, hold=True) as connection:
        yield connection


def test_table_4_has_the_papers_columns_and_its_printed_row(run: duckdb.DuckDBPyConnection) -> None:
    [row] = rows_of(run, "from paper.metacog_table_4")
    assert (row["nat_acc"], row["ai"], row["ars"]) == (0.5, -4, 0)
    # Of four weak parts all were wrong.
    assert row["cfr_c1"] == 1
    assert row["kdi"] == row["m_gap"]
    assert row["reference"]["cfr_c1"] == 0.787
    assert row["reference"]["ars"] == 0.937
    assert row["cited"] == "arXiv 2604.19809, Table 4"


def test_table_9_counts_parts_by_definition(run: duckdb.DuckDBPyConnection) -> None:
    rows = {row["definition"]: row for row in rows_of(run, "from paper.metacog_table_9")}
    primary = rows["Primary (median split)"]
    assert (primary["c1_cfr"], primary["c4_cfr"], primary["reduction"]) == (1, 0, 1)
    assert (primary["n_weak"], primary["reference"]["n_weak"]) == (4, 4211)
    assert set(rows) == {"Primary (median split)", "Bottom-3 domains", "Absolute (< 0.40)"}


def test_table_10_routes_parts_by_confidence(run: duckdb.DuckDBPyConnection) -> None:
    rows = {row["strategy"]: row for row in rows_of(run, "from paper.metacog_table_10")}
    assert rows["No routing"]["weak_cfr"] == 1
    domain = rows["MIRROR domain routing"]
    assert (domain["weak_cfr"], domain["escalation"], domain["cfr_reduction"]) == (0, 0.5, 1)
    # Four of eight go: two that hedge, and two of the six that are equally sure, of which two of
    # the wrong ones are weak: two thirds of one of them each.
    threshold = rows["Confidence threshold (budget-matched)"]
    assert threshold["escalation"] == 0.5
    assert threshold["weak_cfr"] == pytest.approx(2 * (1 - 2 / 6) / 4)
    assert threshold["cfr_reduction"] == pytest.approx(1 - threshold["weak_cfr"])
    # Nothing was repeated.
    assert rows["Self-consistency proxy (budget-matched)"]["weak_cfr"] is None
    # Two wrong answers in a half are too few to bound a tenth: everything is escalated.
    assert rows["Conformal-style target-error thresholding"]["escalation"] == 1
    assert domain["reference"]["escalation"] == 0.486


def test_rows_stand_in_the_papers_order(run: duckdb.DuckDBPyConnection) -> None:
    told = [row["definition"] for row in rows_of(run, "from paper.metacog_table_9")]
    assert told == ["Primary (median split)", "Bottom-3 domains", "Absolute (< 0.40)"]
    strategies = [row["strategy"] for row in rows_of(run, "from paper.metacog_table_10")]
    assert [strategy.split()[0] for strategy in strategies] == [
        "No",
        "MIRROR",
        "Confidence",
        "Self-consistency",
        "Calibrated",
        "Conformal-style",
    ]


def test_table_19_has_dollars_and_milliseconds(run: duckdb.DuckDBPyConnection) -> None:
    run.execute("set variable resolver_usd = 0.5; set variable resolver_ms = 100")
    try:
        found = rows_of(run, "from paper.metacog_table_19")
    finally:
        run.execute("reset variable resolver_usd; reset variable resolver_ms")
    rows = {row["operating_point"]: row for row in found}
    alone = rows["C1 baseline"]
    assert (alone["sys_success"], alone["autonomy"]) == (0.5, 1)
    assert (alone["expected_cost_usd"], alone["expected_latency_ms"]) == (0.02, 3000)
    routed = rows["C4 (q=0.80)"]
    assert routed["sys_success"] == pytest.approx(0.5 + 0.5 * 0.8)
    assert routed["expected_cost_usd"] == pytest.approx(0.01 + 2 * 0.5 * 0.5)
    assert routed["expected_latency_ms"] == pytest.approx(1000 + 2 * 0.5 * 100)
    assert routed["reference"]["sys_success"] == 0.6231


@pytest.mark.parametrize(
    ("model", "name"),
    [
        ("openrouter/deepseek/deepseek-chat", "deepseek-v3"),
        ("openrouter/google/gemma-3-12b-it", "gemma-3-12b"),
        ("openrouter/qwen/qwen3-next-80b-a3b-instruct:nitro", "qwen3-next-80b"),
        ("scripted/calibrated", "calibrated"),
    ],
)
def test_models_have_the_papers_names(
    model: str, name: str, run: duckdb.DuckDBPyConnection
) -> None:
    assert run.execute("select macro.mirror_name($1)", [model]).fetchall() == [(name,)]


def test_the_text_mirror_tables(tmp_path_factory: pytest.TempPathFactory) -> None:
    grok, gemini = "xai/grok-2-1212", "gemini/gemini-2.0-flash-001"
    episodes = [
        *(Answered(grok, gemini, predicted=1 + seed % 2, scene_seed=seed) for seed in range(4)),
        *(Answered(grok, gemini, reader=gemini, variant="paper+reads=others", scene_seed=seed)
          for seed in range(4)),
        Answered(grok, gemini, condition="revision", words=(30, 15)),
        *(Answered(grok, gemini, condition="authorship", predicted=1, scene_seed=seed)
          for seed in range(2)),
        Answered(grok, gemini, variant="revealed"),
    ]  # fmt: skip
    out = write_textmirror_run(tmp_path_factory.mktemp("run"), episodes)
    with open_run(out) as connection:
        [pair] = rows_of(connection, "from paper.textmirror_recognition where variant = 'paper'")
        assert (pair["m1"], pair["accuracy"]) == (grok, 0.5)
        # Two of the source's files, which disagree.
        assert (pair["reference"], pair["reference_other"]) == (0.55, 0.417)
        [two] = rows_of(connection, "from paper.textmirror_authorship")
        assert (two["reference"], two["cited"]) == (None, None)
        questions = {
            (row["question"], row["position"]): row
            for row in rows_of(connection, "from paper.textmirror_questions")
        }
        revealed = questions["revealed", 0]
        assert (revealed["reference"], revealed["reference_other"]) == (0.704, 0.4397)
        assert questions["paper", 1]["reference"] == 0.1898
        [check] = rows_of(connection, "from paper.textmirror_randomisation where m1 is null")
        assert (check["n"], check["chi2"], check["reference"]) == (1, 4, 0.0185)
        [five] = rows_of(connection, "from paper.textmirror_sentences where variant = 'paper'")
        assert five["reference"] == 0.5515
        [reader] = rows_of(connection, "from paper.textmirror_readers")
        assert (reader["m3"], reader["accuracy"], reader["reference"]) == (gemini, 1, 0.529)
        lengths = {
            row["model"]: row for row in rows_of(connection, "from paper.textmirror_lengths")
        }
        assert lengths[grok]["original_words"] == 30
        assert lengths[gemini]["revised_words"] == 15
        assert lengths[gemini]["reference"]["revised_words"] == 19.25
        [place] = rows_of(
            connection,
            "from paper.textmirror_positions where model like 'xai/%' and n_actual > 0 "
            "and variant = 'paper'",
        )
        assert (place["position"], place["accuracy"]) == (1, 0.5)
        # The mean over six editors of 1,000 stories each, by the source's counts.
        assert place["reference"] == pytest.approx(0.1576, abs=1e-4)
        assert rows_of(connection, "from paper.textmirror_temperatures")[0]["n"] == 4
