"""How sure a model is of what it sees, against hand-made bets, skips and forecasts."""

import pytest

from mirror_ray.analysis.warehouse import open_run
from support.analysis.flipset_runs import Answered, write_flipset_run

BETS = (("correct", 10), ("correct", 4), ("egocentric", 7), ("fail", 1))
PLAIN = ("correct", "correct", "correct", "egocentric")
HANDED = ("correct", "random", "skipped", "skipped")


def answers(run: int) -> list[Answered]:
    """Four strings in three channels; a failed episode, which counts for nothing."""

    def one(kind: str | None, seed: int, channel: str, bet: int | None = None) -> Answered:
        axes = () if channel == "natural" else (("channel", channel),)
        return Answered(kind, scene_seed=seed, run=run, axes=axes, bet=bet)

    return [
        *(one(kind, seed, "wager", bet) for seed, (kind, bet) in enumerate(BETS)),
        *(one(kind, seed, "natural") for seed, kind in enumerate(PLAIN)),
        *(one(kind, seed, "opt_out") for seed, kind in enumerate(HANDED)),
        one(None, 9, "wager", 10),
    ]


def metrics(directory: str, *, hold: bool = False) -> dict[str, tuple[int, float]]:
    with open_run(directory, hold=hold) as connection:
        rows = connection.execute("select metric, n, estimate from summary.sureness").fetchall()
    return {metric: (n, pytest.approx(estimate)) for metric, n, estimate in rows}


@pytest.mark.parametrize("hold", [False, True])
def test_metrics_by_hand(hold: bool, tmp_path) -> None:
    found = metrics(write_flipset_run(tmp_path, answers(run=0)), hold=hold)
    assert found == {
        "accuracy_natural": (4, 3 / 4),
        "accuracy_wager": (4, 2 / 4),
        "accuracy_opt_out": (2, 1 / 2),
        "gap": (4, 1 / 4),
        "skipped": (4, 2 / 4),
        "cfr": (4, 1 / 4),
        "sureness_right": (2, (1 + 3 / 9) / 2),
        "sureness_wrong": (2, (6 / 9 + 0) / 2),
        # Right at 1 and 1/3, wrong at 2/3 and 0: of four pairs one is the wrong way round.
        "auroc_wager": (4, 3 / 4),
        # Each in a bin of its own: |1 - 1|, |1/3 - 1|, |2/3 - 0|, |0 - 0|.
        "ece_wager": (4, (0 + 2 / 3 + 2 / 3 + 0) / 4),
        "brier_wager": (4, (0 + 4 / 9 + 4 / 9 + 0) / 4),
    }


def test_repetitions_are_not_scenes(tmp_path) -> None:
    once = write_flipset_run(tmp_path / "once", answers(run=0))
    often = [one for run in range(8) for one in answers(run)]
    many = write_flipset_run(tmp_path / "often", often)
    found = {}
    for name, directory in (("once", once), ("often", many)):
        with open_run(directory) as connection:
            found[name] = connection.execute(
                "select metric, n, round(estimate, 12), round(ci_low, 9), round(ci_high, 9)"
                " from summary.sureness order by metric"
            ).fetchall()
    assert found["once"] == found["often"]


def test_without_a_channel_there_is_nothing(tmp_path) -> None:
    assert metrics(write_flipset_run(tmp_path, [Answered("correct")])) == {}


def test_forecasts(tmp_path) -> None:
    axes = (("channel", "predict"),)
    run = write_flipset_run(
        tmp_path,
        [
            Answered("correct", scene_seed=0, axes=axes, predicted_percent=90),
            Answered("random", scene_seed=1, axes=axes, predicted_percent=90),
            Answered("correct", scene_seed=2, axes=axes),
        ],
    )
    found = metrics(run)
    assert found["accuracy_predict"] == (3, 2 / 3)
    assert found["brier_predict"] == (2, (0.01 + 0.81) / 2)
    assert found["ece_predict"] == (2, abs(2 * 0.9 - 1) / 2)
    assert found["auroc_predict"] == (2, 0.5)
