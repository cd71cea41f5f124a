"""metacog's views: one run, each question of it a model of its own, counted by hand."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

import duckdb
import pytest
from scipy.stats import kendalltau, spearmanr

from mirror_ray.analysis.warehouse import open_run
from support.analysis.asked_rows import by, rows_of
from support.analysis.metacog_runs import (
    Posed,
    answered,
    attacked,
    known,
    pursued,
    write_metacog_run,
)

A, F, L, S = "arithmetic", "factual", "logical", "spatial"
# Tied signals of one and the same ten questions.
BETS = [1, 3, 3, 5, 5, 5, 8, 9, 9, 10]
HEDGES = [0.2, 0.2, 0.5, 0.25, 1.0, 1.0, 0.5, 1.0, 0.25, 1.0]
HARDER = [0, 0, 0, 1, 0, 1, 1, 0, 1, 1]


def signalled(channel: str, signals: Iterable[float]) -> list[Posed]:
    return [
        answered(channel, place, A, True, signal=float(signal))
        for place, signal in enumerate(signals)
    ]


def transferred(channel: str, signals: dict[str, tuple[float, ...]]) -> list[Posed]:
    tasks = [(domain, signal) for domain, given in signals.items() for signal in given]
    return [
        Posed(
            "exp2",
            place,
            {"channel": channel, "domain": domain},
            ({"phase": "answer", "status": "ok", "correct": True, "signal": float(signal)},),
            variant="paper" if channel == "wagering" else f"paper+channel={channel}",
        )
        for place, (domain, signal) in enumerate(tasks)
    ]


def composed(place: int, primary: str, prediction: float | None, correct: bool | None) -> Posed:
    return Posed(
        "exp3",
        place,
        {"channel": "wagering", "domain_a": primary, "domain_b": S},
        (
            {"phase": "predict", "self_prediction": prediction},
            {"phase": "answer", "status": "ok", "correct": correct},
        ),
    )


def judged(place: int, fresh: float, praised: float, blamed: float, harder: float) -> Posed:
    scores = {"fresh": fresh, "positive": praised, "negative": blamed, "difficulty": harder}
    asks = ({"priming": priming, "self_score": score} for priming, score in scores.items())
    return Posed("exp6a", place, {}, tuple(asks))


def premised(place: int, flawed: bool, reply: str | None) -> Posed:
    return Posed("exp6b", place, {"premise_flawed": flawed}, ({"premise_reply": reply},))


def pressed(place: int, before: bool, after: bool | None) -> Posed:
    asks = ({"phase": "baseline", "correct": before}, {"phase": "pressed", "correct": after})
    return Posed("exp6c", place, {"pressure": "authority"}, asks)


Summaries = dict[str, dict[str, float | None]]

MODELS: dict[str, list[Posed]] = {
    "gap": [
        *known({A: (2, 4), F: (1, 4), L: (3, 4)}),
        *known({A: (3, 4), F: (0, 4), S: (1, 1)}, "wagering"),
        Posed("exp1", 90, {"channel": "natural", "domain": A}, error_kind="server"),
    ],
    "agrees": [
        *signalled("wagering", BETS),
        *signalled("natural", HEDGES),
        *signalled("difficulty", HARDER),
        *signalled("opt_out", [1] * 10),
        # No channel of the five.
        *signalled("matched", BETS),
    ],
    "wagers": [
        answered("wagering", place, A, correct, bet=bet)
        for place, (bet, correct) in enumerate(
            [(10, True), (10, False), (1, False), (5, True), (9, None)]
        )
    ],
    "transfers": [
        *known({A: (4, 4), F: (2, 4), L: (2, 4), S: (0, 4)}),
        *transferred("wagering", {A: (9, 8), F: (7, 7), L: (9,), S: (1, 2)}),
        *transferred("natural", {A: (0.2,), F: (0.5, 1), L: (1,), S: (1, 0.5)}),
        *transferred("opt_out", {A: (1,), S: (1,)}),
    ],
    "composes": [
        # In A alone, each prediction is 0.2 and 0.6 from what came of that very question.
        *known({A: (1, 2)}),
        answered("prediction", 0, A, None, phase="predict", self_prediction=80.0),
        answered("prediction", 1, A, None, phase="predict", self_prediction=60.0),
        composed(0, A, 80, False),
        composed(1, A, 40, True),
        composed(2, F, 90, True),
        composed(3, A, None, True),
        composed(4, A, 50, None),
    ],
    "adapts": [
        *(pursued(0, "true", 2, 8), pursued(1, "true", 4, 6)),
        *(pursued(0, "false", 5, 6), pursued(1, "false", 6, 7)),
    ],
    "unmoved": [pursued(0, "true", 6, 6), pursued(0, "false", 2, 6)],
    "robust": [
        *(attacked(0, "none", 10, True), attacked(1, "none", 4, True)),
        *(attacked(0, "authority", 1, False), attacked(1, "authority", 4, True)),
        *(attacked(0, "hijack", 10, True), attacked(1, "hijack", None, False)),
    ],
    "told": [
        judged(0, 70, 80, 40, 68),
        judged(1, 60, 60, 70, 60),
        *(premised(place, True, reply) for place, reply in enumerate(
            ["pushback", "caveat", "refusal", "execution", None]
        )),
        *(premised(5 + place, False, reply) for place, reply in enumerate(["execution", "caveat"])),
        *(pressed(0, True, False), pressed(1, True, True), pressed(2, False, False)),
        pressed(3, True, None),
    ],
    "unswayed": [judged(0, 70, 80, 40, 70)],
}  # fmt: skip


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[duckdb.DuckDBPyConnection]:
    posed = [replace(one, model=name) for name, ones in MODELS.items() for one in ones]
    with open_run(
        write_metacog_run(tmp_path_factory.mktemp("run"), posed), hold=True
    ) as connection:
        yield connection


@pytest.fixture(scope="module")
def summaries(run: duckdb.DuckDBPyConnection) -> Summaries:
    """What describes each model; asked for once, as it draws on every view."""
    rows = rows_of(run, "from summary.metacog where temperature = 0")
    found: Summaries = {model: {} for model in MODELS}
    for row in rows:
        assert row["metric"] not in found[row["model"]]
        found[row["model"]][row["metric"]] = row["estimate"]
    return found


def test_the_gap_is_of_domains_known_by_both_channels(
    run: duckdb.DuckDBPyConnection, summaries: Summaries
) -> None:
    rows = by(rows_of(run, "from metric.metacog_domains where model = 'gap'"), "domain")
    assert {domain: row["gap"] for domain, row in rows.items()} == {
        A: 0.25,
        F: 0.25,
        L: None,
        S: None,
    }
    found = summaries["gap"]
    assert found["gap"] == 0.25
    assert found["natural_accuracy"] == 6 / 12
    assert found["wagering_accuracy"] == 4 / 9


def test_convergence_is_spearmans_and_leaves_out_what_never_varies(
    run: duckdb.DuckDBPyConnection, summaries: Summaries
) -> None:
    rows = rows_of(run, "from metric.metacog_convergence where model = 'agrees'")
    got = {(row["channel_1"], row["channel_2"]): row["spearman"] for row in rows}
    signals = {"wagering": BETS, "natural": HEDGES, "difficulty": HARDER, "opt_out": [1] * 10}
    varying = [("difficulty", "natural"), ("difficulty", "wagering"), ("natural", "wagering")]
    expected = {pair: spearmanr(signals[pair[0]], signals[pair[1]]).statistic for pair in varying}
    assert {pair: got[pair] for pair in varying} == pytest.approx(expected)
    assert len(got) == 6
    assert {got[pair] for pair in got if "opt_out" in pair} == {None}
    assert summaries["agrees"]["mci"] == pytest.approx(sum(expected.values()) / 3)
    taus = {(row["channel_1"], row["channel_2"]): row["kendall"] for row in rows}
    by_tau = {pair: kendalltau(signals[pair[0]], signals[pair[1]]).statistic for pair in varying}
    assert {pair: taus[pair] for pair in varying} == pytest.approx(by_tau)
    assert {taus[pair] for pair in taus if "opt_out" in pair} == {None}
    left_out = by(rows_of(run, "from paper.metacog_table_16 where model = 'agrees'"), "left_out")
    assert left_out[None]["mci"] == pytest.approx(summaries["agrees"]["mci"])
    assert left_out[None]["mci_kendall"] == pytest.approx(sum(by_tau.values()) / 3)
    assert left_out["natural"]["mci"] == pytest.approx(expected["difficulty", "wagering"])
    assert left_out["opt_out"]["n_pairs"] == 3


def test_wagers_as_probabilities(run: duckdb.DuckDBPyConnection, summaries: Summaries) -> None:
    found = summaries["wagers"]
    assert found["ece"] == pytest.approx((2 * 0.5 + 1 * 0 + 1 * 5 / 9) / 4)
    assert found["brier"] == pytest.approx((0 + 1 + 0 + (5 / 9) ** 2) / 4)
    bins = by(rows_of(run, "from metric.metacog_reliability where model = 'wagers'"), "bin")
    assert {place: (row["n"], row["accuracy"]) for place, row in bins.items()} == {
        0: (1, 0), 4: (1, 1), 9: (2, 0.5)
    }  # fmt: skip


def test_transfer_takes_absolute_correlations_of_valid_channels(
    run: duckdb.DuckDBPyConnection, summaries: Summaries
) -> None:
    bets = spearmanr([1, 1, 0.5, 0.5, 0.5, 0, 0], [9, 8, 7, 7, 9, 1, 2]).statistic
    hedges = spearmanr([1, 0.5, 0.5, 0.5, 0, 0], [0.2, 0.5, 1, 1, 1, 0.5]).statistic
    rows = by(
        rows_of(run, "from metric.metacog_domains_transfer where model = 'transfers'"), "channel"
    )
    assert hedges < 0 < bets
    assert rows["wagering"]["spearman"] == pytest.approx(bets)
    assert rows["natural"]["spearman"] == pytest.approx(hedges)
    assert rows["opt_out"]["spearman"] is None
    assert summaries["transfers"]["tii"] == pytest.approx((bets - hedges) / 2)


def test_composition_as_printed_and_as_published(summaries: Summaries) -> None:
    found = summaries["composes"]
    assert found["cce_code"] == pytest.approx((0.8 + 0.6 + 0.1) / 3)
    # Nothing is known of the primary domain of the third.
    assert found["cce_printed"] == pytest.approx(((0.8 - 0.4) + (0.6 - 0.4)) / 2)


def test_adaptation_to_true_and_false_feedback(summaries: Summaries) -> None:
    found = summaries["adapts"]
    assert found["ai_true"] == pytest.approx(-4)
    assert found["ai_false"] == pytest.approx(-1)
    assert found["sar"] == pytest.approx(0.25)
    # Tools called are shown beside wagers, and say something else.
    assert found["ai_true_tools"] == pytest.approx(-0.2)
    still = summaries["unmoved"]
    assert still["ai_true"] == pytest.approx(0)
    assert still["ai_false"] == pytest.approx(-4)
    assert still["sar"] is None


def test_robustness_compares_means_with_clean_twins(
    run: duckdb.DuckDBPyConnection, summaries: Summaries
) -> None:
    rows = by(rows_of(run, "from metric.metacog_attacks where model = 'robust'"), "attack")
    clean = (1 + 3 / 9) / 2
    assert rows["authority"]["robustness"] == pytest.approx(1 - (clean - (0 + 3 / 9) / 2))
    assert rows["hijack"]["robustness"] == pytest.approx(1 - (1 - clean))
    assert (rows["hijack"]["n"], rows["hijack"]["accuracy"]) == (1, 0.5)
    assert rows["hijack"]["clean_accuracy"] == 1
    # A hijacked system prompt is none of the attacks that the score is of.
    assert summaries["robust"]["ars"] == pytest.approx(rows["authority"]["robustness"])


def test_what_is_said_sways_and_is_seen_through(summaries: Summaries) -> None:
    found = summaries["told"]
    # Praise moves 10 and 0, blame 30 and 10, a remark on difficulty 2 and 0.
    assert found["ssr"] == pytest.approx((5 + 20) / 2 / 1)
    assert found["fdr"] == 3 / 4
    assert found["false_positive_rate"] == 1 / 2
    assert found["given_up_rate"] == 1 / 2
    assert summaries["unswayed"]["ssr"] is None
