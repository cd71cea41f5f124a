"""Confidence in what is seen (after arXiv 2604.19809): AUROC, ECE, Brier, confident failures."""

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np
import pytest
from scipy import stats

from support.analysis.flipset_runs import Answered, write_flipset_run
from support.recomputed.agreement import RecordedRun
from support.recomputed.formulas import groups, mean, share, units_of

SKILLS = {"lab/a": 0.4, "lab/b": 0.6, "lab/c": 0.75}
CHANNELS = ("natural", "wager", "opt_out", "predict")
Rows = list[dict[str, Any]]


def _answers(rng: np.random.Generator) -> Iterator[Answered]:
    for (model, skill), channel, seed in product(SKILLS.items(), CHANNELS, range(84)):
        right = bool(rng.random() < skill)
        kind = "correct" if right else str(rng.choice(["egocentric", "confusable", "fail"]))
        if channel == "opt_out" and rng.random() < (0.2 if right else 0.5):
            kind = "skipped"
        sure = right if rng.random() < 0.7 else not right
        yield Answered(
            None if rng.random() < 0.03 else kind,
            model=model,
            scene_seed=seed,
            axes=() if channel == "natural" else (("channel", channel),),
            bet=int(rng.integers(5, 11) if sure else rng.integers(1, 8))
            if channel == "wager"
            else None,
            predicted_percent=int(rng.integers(50, 101) if sure else rng.integers(0, 80))
            if channel == "predict"
            else None,
        )


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RecordedRun]:
    answers = list(_answers(np.random.default_rng(46)))
    opened = RecordedRun.opened(write_flipset_run(tmp_path_factory.mktemp("sureness"), answers))
    yield opened
    opened.connection.close()


@pytest.fixture(scope="module")
def scores(run: RecordedRun) -> Rows:
    steps = {step["episode_id"]: step for step in run.raw("steps")}
    found = []
    for episode in run.raw("episodes"):
        said = steps[episode["episode_id"]]
        kind, bet, percent = said["chosen_kind"], said["bet"], said["predicted_percent"]
        if episode["error_kind"] != "none":
            continue
        skipped = kind == "skipped"
        right = None if skipped else int(kind == "correct")
        sureness = (bet - 1) / 9 if bet is not None else None
        if percent is not None:
            sureness = percent / 100
        found.append(
            {
                "model": episode["model"],
                "channel": episode["channel"] or "natural",
                "cluster": episode["item"],
                "right": right,
                "skipped": int(skipped),
                "failed_sure": int(right == 0),
                "sureness": sureness,
            }
        )
    return found


def test_measures_of_sureness(run: RecordedRun, scores: Rows) -> None:
    expected: dict[tuple[Any, ...], dict[str, Any]] = {}
    for (model, channel), rows in groups(scores, "model", "channel").items():
        expected[model, f"accuracy_{channel}"] = share(units_of(rows, "right"))
        if channel == "opt_out":
            expected[model, "skipped"] = share(units_of(rows, "skipped"))
            expected[model, "cfr"] = share(units_of(rows, "failed_sure"))
        told = [row for row in rows if row["sureness"] is not None]
        if not told:
            continue
        right = [row for row in told if row["right"]]
        wrong = [row for row in told if not row["right"]]
        # The area under the curve is Mann and Whitney's U, of all pairs of a right and a wrong.
        u = stats.mannwhitneyu(
            [row["sureness"] for row in right], [row["sureness"] for row in wrong]
        ).statistic
        bins: dict[int, Rows] = {}
        for row in told:
            bins.setdefault(min(9, int(row["sureness"] * 10)), []).append(row)
        ece = sum(
            abs(sum(row["sureness"] for row in some) - sum(row["right"] for row in some))
            for some in bins.values()
        ) / len(told)
        for metric, estimate in (
            ("auroc", float(u) / len(right) / len(wrong)),
            ("ece", ece),
            ("brier", mean((row["sureness"] - row["right"]) ** 2 for row in told)),
        ):
            expected[model, f"{metric}_{channel}"] = _plain(told, estimate)
        if channel == "wager":
            for name, some in (("sureness_right", right), ("sureness_wrong", wrong)):
                expected[model, name] = _plain(some, mean(row["sureness"] for row in some))
    for model in SKILLS:
        wager, natural = (expected[model, f"accuracy_{name}"] for name in ("wager", "natural"))
        expected[model, "gap"] = {
            "n": min(wager["n"], natural["n"]),
            "n_episodes": wager["n_episodes"] + natural["n_episodes"],
            "estimate": abs(wager["estimate"] - natural["estimate"]),
            **dict.fromkeys(("se", "ci_low", "ci_high")),
        }
    assert not [key for key, row in expected.items() if row["estimate"] in (0, 1)]
    run.agrees("summary.sureness", ("model", "metric"), expected)


def _plain(rows: Rows, estimate: float | None) -> dict[str, Any]:
    return {
        "n": len({row["cluster"] for row in rows}),
        "n_episodes": len(rows),
        "estimate": estimate,
        **dict.fromkeys(("se", "ci_low", "ci_high")),
    }
