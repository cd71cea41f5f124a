"""Escalating by domain against escalating by question: counted by hand, and a fit by scipy."""

from collections.abc import Iterator
from dataclasses import replace

import duckdb
import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.optimize import minimize

from mirror_ray.analysis.warehouse import open_run
from support.analysis.metacog_runs import answered, known, write_metacog_run

A, S = "arithmetic", "spatial"

# (domain, bet, right) by scene. Even and odd ones are the halves: they alternate in each domain.
EVEN = [(A, 10, True), (A, 4, False), (A, 8, True), (S, 2, False), (S, 9, False)]
ODD = [(A, 10, True), (A, 2, True), (A, 7, False), (S, 2, False), (S, 6, True)]
SCENES = [
    (2 * place + odd, asked) for odd in (0, 1) for place, asked in enumerate((EVEN, ODD)[odd])
]


# (domain, scene, answer, right) of three repetitions; scene 3 was answered once.
REPEATED = [
    *((A, 0, "x", True) for _ in range(3)),
    *((A, 1, "x", True), (A, 1, "y", False), (A, 1, "x", True)),
    *((S, 2, "p", False), (S, 2, "q", False), (S, 2, "p", False)),
    (S, 3, "p", False),
]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[duckdb.DuckDBPyConnection]:
    weak = known({A: (1, 1), S: (0, 1)})
    posed = weak + [
        answered("wagering", scene, domain, right, bet=bet)
        for scene, (domain, bet, right) in SCENES
    ]
    # One scene of each domain: nothing to calibrate by. Equal wagers: nothing to rank by.
    halved = [one for one in posed if one in weak or one.scene_seed in (2, 8)]
    flat = weak + [
        answered("wagering", scene, domain, right, bet=5, answer_plain="x")
        for scene, (domain, _, right) in SCENES
    ]
    repeated = weak + [
        replace(answered("wagering", scene, domain, right, bet=5, answer_plain=said), run=place)
        for place, (domain, scene, said, right) in enumerate(REPEATED)
    ]
    posed += [replace(one, model="halved", temperature=None) for one in halved]
    posed += [replace(one, model="flat") for one in flat]
    posed += [replace(one, model="repeated") for one in repeated]
    with open_run(
        write_metacog_run(tmp_path_factory.mktemp("run"), posed), hold=True
    ) as connection:
        yield connection


def baselines(
    connection: duckdb.DuckDBPyConnection, model: str
) -> dict[str, tuple[float | None, float | None]]:
    rows = connection.execute(
        "select baseline, escalation, failure_rate from agency.metacog_baselines where model = $1",
        [model],
    ).fetchall()
    return {name: (escalation, failures) for name, escalation, failures in rows}


def test_the_same_number_is_escalated_by_domain_and_by_wager(
    run: duckdb.DuckDBPyConnection,
) -> None:
    found = baselines(run, "lab/a")
    assert found["none"] == (0, 5 / 10)
    # Four questions lie in the weak domain, three of them wrong.
    assert found["domain"] == (4 / 10, 2 / 10)
    # Bets of 2 (three, two wrong) and 4 (wrong) go: 7 and 9 went wrong.
    assert found["confidence"] == pytest.approx((4 / 10, 2 / 10))


def test_equal_wagers_are_as_likely_to_go(run: duckdb.DuckDBPyConnection) -> None:
    found = baselines(run, "flat")
    assert found["confidence"] == pytest.approx((4 / 10, 5 * 6 / 10 / 10))


def fitted(asked: list[tuple[str, int, bool]]) -> NDArray[np.float64]:
    """Platt's fit by another way: base and slope over (bet - 1) / 9."""
    x = np.array([(bet - 1) / 9 for _, bet, _ in asked])
    right = np.array([right for *_, right in asked])
    target = np.where(right, (right.sum() + 1) / (right.sum() + 2), 1 / ((~right).sum() + 2))

    def loss(line: NDArray[np.float64]) -> float:
        logit = line[0] + line[1] * x
        return float(np.sum(np.logaddexp(0, logit) - target * logit))

    return np.asarray(minimize(loss, np.zeros(2)).x)


def test_platt_is_fitted_to_the_other_half(run: duckdb.DuckDBPyConnection) -> None:
    scored = []
    for asked, other in ((EVEN, ODD), (ODD, EVEN)):
        base, slope = fitted(other)
        scored += [(base + slope * (bet - 1) / 9, right) for _, bet, right in asked]
    gone_ahead = sorted(scored)[4:]
    expected = sum(not right for _, right in gone_ahead) / 10
    assert baselines(run, "lab/a")["platt"] == pytest.approx((4 / 10, expected))


def test_conformal_doubts_up_to_a_quantile_of_wrong_wagers(run: duckdb.DuckDBPyConnection) -> None:
    # Wrong wagers: 2, 4, 9 in even scenes, 2, 7 in odd ones. At 1/10 both halves have too few.
    assert baselines(run, "lab/a")["conformal"] == (1, 0)
    run.execute("set variable conformal_alpha = 0.5")
    try:
        found = baselines(run, "lab/a")["conformal"]
    finally:
        run.execute("reset variable conformal_alpha")
    # Even scenes go ahead above 7 (second of two), odd ones above 4 (second of three).
    assert found == (2 / 10 + 2 / 10, (1 + 1) / 10)


def test_without_another_half_nothing_can_be_calibrated(run: duckdb.DuckDBPyConnection) -> None:
    found = baselines(run, "halved")
    assert found["platt"] == (None, None)
    assert found["conformal"] == (1, 0)
    # Of bets 4 (wrong) and 9 (wrong), one goes.
    assert found["confidence"] == pytest.approx((1 / 2, 1 / 2))


def test_answers_that_are_not_repeated_go_first(run: duckdb.DuckDBPyConnection) -> None:
    found = baselines(run, "repeated")
    # Two of four questions lie in the weak domain. Nobody else says y, q (a third of a question
    # each), or anything in scene 3: they go, all wrong; then a quarter of the 4/3 questions that
    # one of two others agrees with, half of them wrong.
    assert found["self_consistency"] == pytest.approx((2 / 4, 2 / 3 * 3 / 4 / 4))
    assert found["confidence"] == pytest.approx((2 / 4, (1 / 3 + 1 + 1) / 2 / 4))


def test_one_reply_to_each_question_says_nothing_of_consistency(
    run: duckdb.DuckDBPyConnection,
) -> None:
    assert baselines(run, "flat")["self_consistency"] == (None, None)
