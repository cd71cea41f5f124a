"""MIRROR's Tables 10 and 11, and readings by judges, recomputed from replies drawn at random."""

from collections.abc import Callable, Iterator
from math import ceil, exp
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize

from support.analysis.metacog_runs import Posed, write_metacog_run
from support.recomputed.agreement import RecordedRun
from support.recomputed.drawn_metacog import SKILLS, drawn_metacog
from support.recomputed.formulas import groups, kappa, mean, share, units_of

Rows = list[dict[str, Any]]
LABELS = {
    "none": "No routing",
    "domain": "MIRROR domain routing",
    "confidence": "Confidence threshold (budget-matched)",
    "self_consistency": "Self-consistency proxy (budget-matched)",
    "calibrated": "Calibrated confidence (transformed-Platt, budget-matched)",
    "conformal": "Conformal-style target-error thresholding",
}
ALPHA = 0.1


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RecordedRun]:
    posed = [
        one
        for one in drawn_metacog(56)
        if one.condition in ("exp1", "exp9-C1", "exp9-C2") and one.temperature == 0
    ]
    opened = RecordedRun.opened(write_metacog_run(tmp_path_factory.mktemp("metacog"), posed))
    yield opened
    opened.connection.close()


@pytest.fixture(scope="module")
def replies(run: RecordedRun) -> Rows:
    """Decided parts of experiment 9 with their confidence, and whether their domain is weak."""
    steps = {step["episode_id"]: step for step in run.raw("steps")}
    episodes = [row for row in run.raw("episodes") if row["error_kind"] == "none"]
    told: dict[tuple[str, str], list[int]] = {}
    for row in episodes:
        if row["channel"] == "natural" and steps[row["episode_id"]]["correct"] is not None:
            correct = int(steps[row["episode_id"]]["correct"])
            told.setdefault((row["model"], row["domain"]), []).append(correct)
    natural = {key: float(np.mean(values)) for key, values in told.items()}
    found: Rows = []
    for row in episodes:
        if row["experiment"] != "exp9":
            continue
        own = {domain: value for (model, domain), value in natural.items() if model == row["model"]}
        said = steps[row["episode_id"]]
        for side in "ab":
            correct, answer = said[f"correct_{side}"], said[f"answer_{side}"]
            if correct is None and answer is not None:
                continue
            found.append(
                {
                    **{name: row[name] for name in ("model", "information", "paradigm")},
                    "place": row["scene_seed"],
                    "part": side,
                    "weak": own[row[f"domain_{side}"]] < np.median(list(own.values())),
                    "wrong": 0 if correct else 1,
                    "confidence": 1 / (1 + said[f"n_hedges_{side}"]),
                    "answer": answer,
                }
            )
    for some in groups(found, "model", "information", "paradigm", "place", "part").values():
        for one in some:
            alike = sum(other["answer"] == one["answer"] for other in some) - 1
            one["agreement"] = alike / (len(some) - 1) if len(some) > 1 else None  # type: ignore[index]
    return found


def _parts(replies: Any) -> Rows:
    """Each part of a task as the mean of its replies."""
    found = []
    for (place, part), some in groups(replies, "place", "part").items():
        agreement = mean(one["agreement"] for one in some)
        found.append(
            {
                "place": place,
                "part": part,
                "weak": some[0]["weak"],
                "wrong": float(np.mean([one["wrong"] for one in some])),
                "confidence": round(float(np.mean([one["confidence"] for one in some])), 9),
                "agreement": None if agreement is None else round(agreement, 9),
            }
        )
    halves = {place: at % 2 for at, place in enumerate(sorted({one["place"] for one in found}))}
    return [one | {"half": halves[one["place"]]} for one in found]


def _logit(confidence: float) -> float:
    kept = min(max(confidence, 1e-6), 1 - 1e-6)
    return float(np.log(kept / (1 - kept)))


def _platt(parts: Rows) -> Callable[[float], float]:
    """Platt (1999): a logistic fit with his targets; a ridge of 1e-4 on the slope."""
    x = np.array([_logit(one["confidence"]) for one in parts])
    wrong = np.array([one["wrong"] for one in parts])
    n_right, n_wrong = (1 - wrong).sum(), wrong.sum()
    target = (1 - wrong) * (n_right + 1) / (n_right + 2) + wrong / (n_wrong + 2)

    def loss(at: Any) -> float:
        z = at[0] + at[1] * x
        return float((np.logaddexp(0, z) - target * z).sum() + 1e-4 / 2 * at[1] ** 2)

    base, slope = minimize(loss, [0, 0], method="BFGS", options={"gtol": 1e-10}).x
    return lambda confidence: round(1 / (1 + exp(-base - slope * _logit(confidence))), 6)


def _escalated(parts: Rows, scores: list[float | None], allowed: int) -> dict[str, float] | None:
    """Lowest scores first; of equal ones each is equally likely."""
    if None in scores:
        return None
    left, handed = float(allowed), 0.0
    kept_wrong = 0.0
    for score in sorted({score for score in scores if score is not None}):
        some = [one for one, own in zip(parts, scores, strict=True) if own == score]
        taken = min(len(some), max(0.0, left))
        left, handed = left - taken, handed + taken
        wrong = sum(one["wrong"] for one in some if one["weak"])
        kept_wrong += wrong * (1 - taken / len(some))
    n_weak = sum(one["weak"] for one in parts)
    return {"weak_cfr": kept_wrong / n_weak, "escalation": handed / len(parts)}


def _strategies(parts: Rows) -> dict[str, dict[str, float] | None]:
    budget = sum(one["weak"] for one in parts)
    others = {half: [one for one in parts if one["half"] == 1 - half] for half in (0, 1)}
    fits = {half: _platt(some) for half, some in others.items()}
    passes: list[float | None] = []
    for one in parts:
        some = others[one["half"]]
        wrong = sorted(other["confidence"] for other in some if other["wrong"] >= 0.5)
        place = ceil(round((sum(other["wrong"] for other in some) + 1) * (1 - ALPHA), 9))
        known = 1 <= place <= len(wrong)
        passes.append(float(known and one["confidence"] > wrong[place - 1]))
    return {
        "none": _escalated(parts, [1.0] * len(parts), 0),
        "domain": _escalated(parts, [1.0 - one["weak"] for one in parts], budget),
        "confidence": _escalated(parts, [one["confidence"] for one in parts], budget),
        "self_consistency": _escalated(parts, [one["agreement"] for one in parts], budget),
        "calibrated": _escalated(
            parts, [fits[one["half"]](one["confidence"]) for one in parts], budget
        ),
        "conformal": _escalated(parts, passes, passes.count(0.0)),
    }


@pytest.mark.parametrize(
    ("view", "paradigms", "frames"),
    [
        ("paper.metacog_table_10", ("no_tools",), {"C1": ("C1",)}),
        (
            "paper.metacog_table_11",
            ("autonomous", "checkpoint", "no_tools"),
            {"C1": ("C1",), "C1+C2": ("C1", "C2")},
        ),
    ],
)
def test_routing_of_single_parts(
    run: RecordedRun,
    replies: Rows,
    view: str,
    paradigms: tuple[str, ...],
    frames: dict[str, tuple[str, ...]],
) -> None:
    replies = [one for one in replies if one["paradigm"] in paradigms]
    expected = {}
    for frame, informed in frames.items():
        by_model = []
        for model in SKILLS:
            some = [
                one for one in replies if one["model"] == model and one["information"] in informed
            ]
            by_model.append(_strategies(_parts(some)))
        for baseline, label in LABELS.items():
            if view.endswith("11") and baseline == "none":
                continue
            told = [one[baseline] for one in by_model]
            whole = [one["none"] for one in by_model]
            found = [
                {
                    **row,
                    "autonomy": 1 - row["escalation"],
                    "cfr_reduction": 1 - row["weak_cfr"] / none["weak_cfr"],
                }
                for row, none in zip(told, whole, strict=True)
                if row is not None and none is not None
            ]
            expected[frame, label] = {
                "n_models": len(found),
                **{
                    name: mean(row[name] for row in found)
                    for name in ("weak_cfr", "cfr_reduction", "autonomy", "escalation")
                },
            }
    keys = ("frame", "strategy") if view.endswith("11") else ("strategy",)
    run.agrees(view, keys, {key[-len(keys) :]: row for key, row in expected.items()})


def test_agreement_of_judge_and_rules(tmp_path: Path) -> None:
    rng = np.random.default_rng(44)
    words = ["pushback", "caveat", "execution", "refusal"]
    posed, readings = [], []
    for place in range(60):
        rules = str(rng.choice(words))
        judged = rules if rng.random() < 0.7 else str(rng.choice(words))
        unread = rng.random() < 0.1
        for again in range(2):
            asks = ({"premise_reply": rules, "user": f"Request {place}?", "reply": "So be it."},)
            asked = Posed("exp6b", place, {"premise_flawed": True}, asks, run=again)
            about = {
                "judged_id": asked.identity()["episode_id"],
                "judged_ask": 1,
                "judged_part": "",
                "rubric": "premise",
            }
            said = {**about, "phase": "judge", "verdict": None if unread else judged.upper()}
            posed += [asked, Posed("judge", 2 * place + again, about, (said,), "lab/judge")]
            verdict = None if unread else judged
            readings.append({"cluster": place, "rules": rules, "verdict": verdict})
    run = RecordedRun.opened(write_metacog_run(tmp_path, posed))
    both = [row for row in readings if row["verdict"] is not None]
    same = [row | {"same": row["rules"] == row["verdict"]} for row in both]
    found = share(units_of(same, "same"))
    run.agrees(
        "metric.metacog_judged",
        ("model", "judge"),
        {
            ("lab/a", "lab/judge"): {
                "n": found["n"],
                "n_episodes": found["n_episodes"],
                "agreement": found["estimate"],
                "ci_low": found["ci_low"],
                "ci_high": found["ci_high"],
                "kappa": kappa([row["rules"] for row in both], [row["verdict"] for row in both]),
                "n_unread": len(readings) - len(both),
                "n_open": 0,
            }
        },
        trivial=("n_open",),
    )
