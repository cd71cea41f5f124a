"""A run of MirrorQA whose answers are drawn at random, and what is recomputed of each."""

from pathlib import Path
from typing import Any

import numpy as np

from support.analysis.mirrorqa_runs import Asked, write_mirrorqa_run
from support.recomputed.agreement import RecordedRun
from support.recomputed.formulas import groups, ratio

TWO = ("left", "right")
FOUR = ("left front", "right front", "left rear", "right rear")
CELL = ("condition", "model", "variant")
SKILLS = {"lab/a": 0.9, "lab/b": 0.7}
CIRCULAR = "paper"
VARIANTS = (CIRCULAR, "paper+shots=3")
SHARES = (
    "accuracy", "circular", "circular_delta", "readable", "same_frame", "other_frame", "confusion"
)  # fmt: skip
Rows = list[dict[str, Any]]


def _asked(rng: np.random.Generator, condition: str, model: str, variant: str, n: int) -> Asked:
    """A question, and what a model of this skill says under each shift; some prefer a place."""
    # Every model gets the same questions.
    drawn = np.random.default_rng([42, n, condition == "data"])
    options = TWO if drawn.random() < 0.6 else FOUR
    answer = str(drawn.choice(options))
    kind, flips = ("human" if drawn.random() < 0.5 else "animal"), drawn.random() < 0.5
    skill = SKILLS[model] - (0.15 if condition == "sim-reflected" else 0)
    n_shifts = len(options) if variant == CIRCULAR else 1
    says = tuple(
        None
        if rng.random() < 0.04
        else answer
        if rng.random() < skill
        else str(rng.choice(options, p=_first_more_often(len(options), shift)))
        for shift in range(n_shifts)
    )
    viewer = None
    if condition != "data":
        side, *rest = answer.split()
        other = "left" if side == "right" else "right"
        viewer = " ".join([other if flips else side, *rest])
    return Asked(
        answer,
        says,
        condition,
        model,
        n,
        kind,
        viewer,
        "server" if rng.random() < 0.05 else "none",
        variant=variant,
        run=n % 2,
        # Photographs have several questions.
        image=f"photo{n // 2}.jpg" if condition == "data" else None,
    )


def _first_more_often(n: int, shift: int) -> list[float]:
    """The chance of each option, in the original order, of naming the first place more often."""
    places = [0.5 if place == 0 else 0.5 / (n - 1) for place in range(n)]
    return [places[(option - shift) % n] for option in range(n)]


def drawn_mirrorqa(folder: Path) -> RecordedRun:
    """Record the drawn answers, and open the run."""
    rng = np.random.default_rng(42)
    questions = [
        _asked(rng, condition, model, variant, n)
        for condition in ("data", "sim", "sim-reflected")
        for model in SKILLS
        for variant in VARIANTS
        for n in range(80)
    ]
    return RecordedRun.opened(write_mirrorqa_run(folder, questions))


def scored_mirrorqa(run: RecordedRun) -> Rows:
    """Return the episodes, each with its scores."""
    steps = groups(run.raw("steps"), "episode_id")
    return [
        {**episode, **_scores(episode, sorted(steps[key], key=lambda step: step["shift"]))}
        for episode in run.raw("episodes")
        for key in [(episode["episode_id"],)]
    ]


def _scores(episode: dict[str, Any], steps: list[Any]) -> dict[str, Any]:
    n = episode["n_options"]
    choice = steps[0]["choice"]
    scored: dict[str, Any] = {
        **dict.fromkeys(SHARES),
        "cluster": episode["item"] if episode["item"] else str(episode["scene_seed"]),
        "asks": steps,
        "choice": choice,
        "chance": 1 / n,
        "chance_circular": n**-n,
    }
    if episode["error_kind"] != "none":
        return scored
    right = [step["choice"] == episode["answer"] for step in steps]
    scored |= {"accuracy": int(right[0]), "readable": int(choice is not None)}
    if episode["circular"]:
        scored |= {"circular": int(all(right)), "circular_delta": int(all(right)) - int(right[0])}
    if episode["viewer_answer"] is not None:
        if episode["viewer_answer"] == episode["answer"]:
            scored["same_frame"] = int(right[0])
        else:
            viewers = (
                choice is not None and choice.split()[0] == episode["viewer_answer"].split()[0]
            )
            scored |= {"other_frame": int(right[0]), "confusion": int(viewers)}
    return scored


def class_of(rows: Rows, label: str) -> dict[str, Any]:
    """Return precision, recall and F1 of one answer, with its counts."""
    hit = sum(row["choice"] == label == row["answer"] for row in rows)
    asked = sum(row["answer"] == label for row in rows)
    said = sum(row["choice"] == label for row in rows)
    precision, recall = ratio(hit, said), ratio(hit, asked)
    f1 = None
    if precision is not None and recall is not None:
        f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    return {
        "n_asked": asked,
        "n_answered": said,
        "precision": precision,
        "recall": recall,
        "f1": f1,
    }


def macro_of(rows: Rows) -> dict[str, Any]:
    """The source's evaluation: macro means by number of options, weighted by their questions."""
    found: dict[str, Any] = {}
    weighted = {"precision": 0.0, "recall": 0.0}
    whole = [row for row in rows if row["error_kind"] == "none"]
    for n, labels in ((2, TWO), (4, FOUR)):
        some = [row for row in whole if row["n_options"] == n]
        classes = [class_of(some, label) for label in labels]
        about = {"n": len({row["cluster"] for row in some}), "n_episodes": len(some)}
        for name in ("precision", "recall", "f1"):
            value = float(np.mean([one[name] or 0 for one in classes]))
            found[f"{name}_{n}"] = {**about, "estimate": value}
            if name != "f1":
                weighted[name] += value * len(some) / len(whole)
        found[f"position_bias_{n}"] = _bias(some, n)
    precision, recall = weighted.values()
    weighted["f1"] = 2 * precision * recall / (precision + recall)
    about = {"n": len({row["cluster"] for row in whole}), "n_episodes": len(whole)}
    return found | {name: {**about, "estimate": value} for name, value in weighted.items()}


def _bias(rows: list[Any], n: int) -> dict[str, Any]:
    """Half the sum of distances between the places chosen and those of the right options."""
    asks = [ask for row in rows for ask in row["asks"]]
    read = [ask for ask in asks if ask["choice"] is not None]
    readable = [row for row in rows if any(ask["choice"] is not None for ask in row["asks"])]
    distance = 0.0
    for place in range(1, n + 1):
        chosen = sum(ask["options"].index(ask["choice"]) + 1 == place for ask in read) / len(read)
        right = sum(ask["answer_position"] == place for ask in asks) / len(asks)
        distance += abs(chosen - right) / 2
    return {
        "n": len({row["cluster"] for row in readable}),
        "n_episodes": len(readable),
        "estimate": distance,
    }
