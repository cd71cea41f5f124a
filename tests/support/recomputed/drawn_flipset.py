"""A run of FlipSet whose answers are drawn at random, and what is recomputed of each."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from mirror_ray.analysis.bootstrap import bootstrap_run
from support.analysis.flipset_runs import Answered, write_flipset_run
from support.recomputed.agreement import RecordedRun
from support.recomputed.formulas import groups, share, units_of
from support.viewed_run import change_rows

KINDS = ("correct", "egocentric", "confusable", "random", "fail")
SHARES = {
    "openrouter/qwen/qwen3-vl-8b-instruct": (0.2, 0.6, 0.1),
    "openrouter/qwen/qwen3-vl-32b-instruct": (0.35, 0.4, 0.1),
    "openrouter/google/gemma-3-12b-it": (0.45, 0.3, 0.1),
    "openrouter/google/gemma-3-27b-it": (0.6, 0.2, 0.1),
    "lab/mystery": (0.72, 0.1, 0.05),
}
FAMILIES = {"Qwen": (8.0, 32.0), "Gemma": (12.0, 27.0), "lab": (None, None)}
MORE = {"L2": 0.0, "ToM": 0.15, "MR": 0.1, "L1": 0.2}
CELL = ("condition", "model")
N_STRINGS = 28
DRAWS = 2_000
METRICS = ("accuracy", *KINDS[1:], *(f"{kind}_of_errors" for kind in KINDS[1:]))
Rows = list[dict[str, Any]]


def drawn_answers(rng: np.random.Generator) -> Iterator[Answered]:
    for model, (correct, egocentric, fail) in SHARES.items():
        for condition, more in MORE.items():
            for seed in range(24 if condition == "L1" else 84):
                # Strings differ, so that the layouts of one are alike.
                right = min(max(correct + more + 0.25 * np.sin(seed % N_STRINGS), 0.1), 0.85)
                rest = np.array([egocentric, 0 if condition == "L1" else 0.1, 0.1, fail])
                chances = [right, *(rest / rest.sum() * (1 - right))]
                kind = str(rng.choice(KINDS, p=chances))
                failed = rng.random() < 0.03
                yield Answered(None if failed else kind, condition, model, seed)


def drawn_flipset(folder: Path) -> RecordedRun:
    """Record the drawn answers with their stored intervals, and open the run."""
    directory = write_flipset_run(folder, list(drawn_answers(np.random.default_rng(41))))

    def with_reading(row: dict[str, Any]) -> dict[str, Any]:
        unread = {"fail": "failed", None: None}.get(row["chosen_kind"], "ok")
        return row | {"parse_status": unread}

    change_rows(Path(directory, "steps"), with_reading)
    bootstrap_run(directory, draws=DRAWS)
    return RecordedRun.opened(directory)


def scored_flipset(run: RecordedRun) -> Rows:
    """Return the episodes, each with its scores."""
    steps = {step["episode_id"]: step for step in run.raw("steps")}
    return [
        {**episode, **scores_of(episode, steps[episode["episode_id"]])}
        for episode in run.raw("episodes")
    ]


def scores_of(episode: dict[str, Any], step: dict[str, Any]) -> dict[str, Any]:
    kind = step["chosen_kind"] if episode["error_kind"] == "none" else None
    with_confusable = "confusable" in episode["option_kinds"]
    scored: dict[str, Any] = {
        "cluster": episode["item"],
        "answer": step["answer"],
        "parse_status": step["parse_status"],
        "chance": 1 / len(episode["option_kinds"]),
    }
    for name, measured in zip(("accuracy", *KINDS[1:]), KINDS, strict=True):
        defined = kind is not None and (measured != "confusable" or with_confusable)
        scored[name] = int(kind == measured) if defined else None
        if name != "accuracy":
            scored[f"{name}_of_errors"] = None if kind == "correct" else scored[name]
    return scored


def cells_of(scores: Rows) -> dict[tuple[Any, ...], dict[str, Any]]:
    expected = {}
    for cell, rows in groups(scores, *CELL).items():
        failed = sum(row["error_kind"] != "none" for row in rows)
        for metric in METRICS:
            found = share(units_of(rows, metric))
            if not found["n"]:
                continue
            n, total = found["n_episodes"], found["estimate"] * found["n_episodes"]
            expected[*cell, metric] = {
                **found,
                "chance": rows[0]["chance"] if metric == "accuracy" else None,
                "n_failed": failed,
                "low_if_failed": total / (n + failed),
                "high_if_failed": (total + failed) / (n + failed),
            }
    return expected
