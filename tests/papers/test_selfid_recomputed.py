"""selfid's tables (arXiv 2605.08816), recomputed from steps drawn at random."""

from collections.abc import Iterator
from itertools import combinations
from math import sqrt
from typing import Any

import numpy as np
import pytest

from mirror_ray.analysis.bootstrap import bootstrap_run
from support.analysis.synthetic_runs import Moment, Played, write_run
from support.recomputed.agreement import RecordedRun
from support.recomputed.formulas import (
    bca_of_mean,
    groups,
    holm,
    mcnemar,
    mean,
    newcombe,
    units_of,
    wilson,
)

COLORS = ("red", "green", "blue", "yellow")
CELL = ("condition", "model")
METRICS = ("tsa", "ttd", "mcr", "mtato", "caal", "cr", "tsa_c", "mgd", "arsc", "sc")
COUNTS = ("ttd", "mgd")
ZERO_WITHOUT_A_MIRROR = ("mcr", "mtato", "mgd", "arsc")
MAX_STEPS = 12
EVIDENCE_PX = 50
DRAWS = 10_000
FAILURES = (
    "never_finished", "never_looked", "knew", "guessed", "not_extracted",
    "no_mirror_guessed", "no_mirror_knew", "no_mirror_nothing",
)  # fmt: skip


def _played(rng: np.random.Generator, condition: str, model: str, seed: int) -> Played:
    """An episode that states, looks and chooses at random, and right more often than not."""
    truth = str(rng.choice(COLORS[:3]))
    n_steps = int(rng.integers(3, MAX_STEPS + 1))
    is_done = rng.random() < 0.8
    moments = []
    for step in range(1, n_steps + 1):
        is_last = is_done and step == n_steps
        is_said = rng.random() < (0.8 if step == n_steps else 0.3)
        says = str(rng.choice([truth, truth, *COLORS])) if is_said else "unknown"
        sees = 0 if condition == "E2" else int(rng.choice([0] * 6 + [49, 50, 200]))
        cube = str(rng.choice([truth, *COLORS[:3]])) if is_last else "none"
        cube = "none" if seed % 10 == 9 else cube
        place_m = (7 * seed + 3 * step) % 13 / 2
        moments.append(Moment("done" if is_last else "w", says, sees, cube, x_m=place_m))
    lie = COLORS[(COLORS.index(truth) + 1) % 3] if condition == "E3" else None
    return Played(
        tuple(moments),
        condition,
        model,
        scene_seed=seed,
        truth=truth,
        cubes=() if condition == "E5" else COLORS[:3],
        error_kind="server" if rng.random() < 0.1 else "none",
        max_steps=MAX_STEPS,
        says_otherwise={"wrong_color": lie},
    )


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RecordedRun]:
    rng = np.random.default_rng(40)
    directory = write_run(
        tmp_path_factory.mktemp("selfid"),
        [
            _played(rng, condition, f"lab/{model}", seed)
            for condition in ("E1", "E2", "E3", "E4", "E5")
            for model in "ab"
            for seed in range(60)
        ],
    )
    bootstrap_run(directory, draws=DRAWS)
    opened = RecordedRun.opened(directory)
    yield opened
    opened.connection.close()


@pytest.fixture(scope="module")
def scores(run: RecordedRun) -> list[dict[str, Any]]:
    steps = groups(run.raw("steps"), "episode_id")
    return [
        {**episode, **_scores(episode, sorted(steps[key], key=lambda step: step["step"]))}
        for episode in run.raw("episodes")
        for key in [(episode["episode_id"],)]
    ]


def _scores(episode: dict[str, Any], steps: list[Any]) -> dict[str, Any]:
    """The paper's definitions, in its terms: t_done, T, lim, v_t and committed identifications."""
    scored: dict[str, Any] = dict.fromkeys((*METRICS, "sc_final"))
    scored["cluster"] = f"{episode['scene_seed']}.{episode['run']}"
    if episode["error_kind"] != "none":
        return scored
    truth, open_ended = episode["ego_color"], not episode["cube_colors"]
    t_done = next((step["step"] for step in steps if step["action"] == "done"), None)
    end = t_done or len(steps)
    lim = t_done or len(steps) + 1
    seen = [step["step"] for step in steps if step["ego_reflection_px"] >= EVIDENCE_PX]
    said = {step["step"]: step["identification"] for step in steps}
    committed = [t for t, color in said.items() if color != "unknown" and t < lim]
    chosen = None
    if t_done:
        last = steps[t_done - 1]
        chosen = last["identification"] if open_ended else last["selected_cube"]
    looked = any(t < lim for t in seen)
    scored["flags"] = _process(episode, steps[:end], seen, chosen, done=t_done is not None)
    first_seen, first_said = min(seen, default=None), min(committed, default=None)
    early = first_said is not None and first_seen is not None and first_said < first_seen
    misled = early and said[first_said] != truth
    scored |= {
        "tsa": int(chosen == truth),
        "ttd": end,
        "mcr": int(looked),
        "mtato": int(looked) if chosen == truth else None,
        "caal": int(any(said[t] == truth for t in said if t < lim)),
        "cr": int(first_said is not None and (not looked or early)),
        "tsa_c": int(chosen == truth) if t_done else None,
        "mgd": sum(t <= end for t in seen),
        "arsc": int(misled),
    }
    if misled:
        assert first_seen is not None
        scored["sc"] = int(any(said[t] == truth for t in range(first_seen, end + 1)))
        scored["sc_final"] = int(said[end] == truth)
    return scored


def _process(
    episode: dict[str, Any], steps: list[Any], seen: list[int], chosen: str | None, *, done: bool
) -> dict[str, bool | None]:
    """Where an episode goes wrong, as docs/analysis.md words it."""
    truth, mirror = episode["ego_color"], episode["condition"] != "E2"
    answer = None if chosen in (None, "none", "unknown") else chosen
    right, end = answer == truth, len(steps)
    said = [(row["step"], row["identification"]) for row in steps]
    said = [(t, color) for t, color in said if color != "unknown"]
    colors = [color for _, color in said]
    first_seen = min((t for t in seen if t <= end), default=None)
    after = [] if first_seen is None else [one for one in said if one[0] >= first_seen]
    named_right = [t for t, color in after if color == truth]
    walked = None
    if episode["cube_colors"]:
        own_m = 2.0 * episode["cube_colors"].index(truth)
        away = [abs(row["x_m"] - own_m) for row in steps]
        walked = away[-1] <= 1 or bool(named_right and away[-1] < away[named_right[0] - 1])
    saw = any(t < end or not done for t in seen if t <= end)
    stages = (saw, bool(after), bool(named_right), walked is not False, right)
    depth = next((at for at, passed in enumerate(stages) if not passed), len(stages))
    final = steps[-1]["identification"]
    if right:
        failure = "none"
    elif not done:
        failure = "never_finished"
    elif mirror and not saw:
        failure = "never_looked"
    elif final == truth:
        failure = "knew" if mirror else "no_mirror_knew"
    elif not mirror:
        failure = "no_mirror_guessed" if answer else "no_mirror_nothing"
    elif first_seen and answer in colors and said[colors.index(answer)][0] < first_seen:
        failure = "guessed"
    else:
        failure = "not_extracted"
    flags: dict[str, bool | None] = {f"failure_{name}": failure == name for name in FAILURES}
    for at, name in enumerate(("saw", "named", "named_right", "walked", "chose_right"), start=1):
        flags[f"funnel_{name}"] = depth >= at if mirror else None
    lie = episode["wrong_color"]
    followed = "lie" if answer == lie else "mirror" if answer == truth else "neither"
    for name in ("lie", "mirror", "neither"):
        flags[f"conflict_{name}"] = followed == name if lie else None
    repeats = next((n for n, color in enumerate(colors[::-1]) if color != colors[-1]), len(colors))
    flags["changed"] = repeats < len(colors) if colors else None
    for name, least, most in (("once", 1, 1), ("2_to_4", 2, 4), ("5_up", 5, MAX_STEPS)):
        flags[f"right_if_{name}"] = colors[-1] == truth if least <= repeats <= most else None
    return flags


def _row(rows: list[Any], metric: str) -> dict[str, Any]:
    units = units_of(rows, metric)
    values = [score for unit in units.values() for score in unit]
    n, total = len(values), sum(values)
    failed = sum(row["error_kind"] != "none" for row in rows)
    estimate = mean(values)
    low, high = wilson(estimate, n)
    if metric in COUNTS:
        low = high = None
        if len(set(values)) > 1:
            found = bca_of_mean(units, DRAWS, 0)
            low, high = found["ci_low"], found["ci_high"]
    most = MAX_STEPS if metric in COUNTS else 1
    return {
        "n": n,
        "n_episodes": n,
        "estimate": estimate,
        "se": float(np.std(values, ddof=1)) / sqrt(n),
        "ci_low": low,
        "ci_high": high,
        "chance": 1 / 3 if metric in ("tsa", "tsa_c") and rows[0]["cube_colors"] else None,
        "n_failed": failed,
        "low_if_failed": (total + (failed if metric == "ttd" else 0)) / (n + failed),
        "high_if_failed": (total + failed * most) / (n + failed),
    }


def test_every_metric_is_the_papers(run: RecordedRun, scores: list[Any]) -> None:
    expected = {
        (*cell, metric): _row(rows, metric)
        for cell, rows in groups(scores, *CELL).items()
        for metric in (*METRICS, "sc_final")
        if any(row[metric] is not None for row in rows)
    }
    where = "n > 0"
    run.agrees("metric.selfid", (*CELL, "metric"), expected, where=where)
    for (condition, _, metric), row in expected.items():
        if condition != "E2" or metric not in ZERO_WITHOUT_A_MIRROR:
            assert row["estimate"] not in (0, 1), (condition, metric)
    shown = ("n", "n_failed", "estimate", "se", "ci_low", "ci_high", "chance")
    run.agrees(
        "paper.selfid",
        (*CELL, "metric"),
        {
            key: {name: row[name] for name in shown}
            for key, row in expected.items()
            if key[-1] in METRICS
        },
        where=where,
        given=("reference", "n_reference"),
    )


def test_stored_intervals_are_bca_over_scenes(run: RecordedRun, scores: list[Any]) -> None:
    expected = {}
    for cell, rows in groups(scores, *CELL).items():
        for metric in (*METRICS, "sc_final"):
            units = units_of(rows, metric)
            if len({score for unit in units.values() for score in unit}) > 1:
                found: dict[str, Any] = dict(bca_of_mean(units, DRAWS, 0))
                if metric not in COUNTS:
                    low, high = wilson(found["estimate"], len(units))
                    found |= {"ci_low": low, "ci_high": high}
                expected[*cell, metric] = {**found, "n": len(units), "n_scenes": len(units)}
    run.agrees(
        "metric.selfid_bca",
        (*CELL, "metric"),
        expected,
        where="reason is null and ci_low is not null and se > 0",
        given=("draws", "seed"),
    )


def test_the_design_counts_what_was_played(run: RecordedRun, scores: list[Any]) -> None:
    n = len(scores)
    told = {"models": 2, "conditions": 5, "cells": 10, "episodes": n, "chance, E1 to E4": 1 / 3}
    run.agrees(
        "paper.selfid_design",
        ("quantity",),
        {(name,): {"estimate": value} for name, value in told.items()},
        given=("reference",),
    )


def test_where_episodes_go_wrong(run: RecordedRun, scores: list[Any]) -> None:
    expected = {}
    for cell, rows in groups(scores, *CELL).items():
        whole = [row["flags"] for row in rows if row["error_kind"] == "none"]
        failed = len(rows) - len(whole)
        for metric in whole[0]:
            flags = [row[metric] for row in whole if row[metric] is not None]
            if flags:
                n, k = len(flags), sum(flags)
                low, high = wilson(k / n, n)
                expected[*cell, metric] = {
                    "n": n,
                    "estimate": k / n,
                    "se": sqrt(k / n * (1 - k / n) / (n - 1)) if n > 1 else None,
                    "ci_low": low,
                    "ci_high": high,
                    "n_failed": failed,
                    "low_if_failed": k / (n + failed),
                    "high_if_failed": (k + failed) / (n + failed),
                }
    where = "n > 0 and metric <> 'failure_took_other'"
    trivial = ("right_if_5_up",)
    run.agrees("metric.selfid_process", (*CELL, "metric"), expected, where=where, trivial=trivial)


def _pairs(scores: list[Any], axis: str, metric: str) -> Iterator[tuple[Any, ...]]:
    """Two cells that differ in one axis, and their scores on the same scenes."""
    held = "condition" if axis == "model" else "model"
    for (kept,), rows in groups(scores, held).items():
        by = {
            value: {row["cluster"]: row[metric] for row in some if row[metric] is not None}
            for (value,), some in groups(rows, axis).items()
        }
        for baseline, value in combinations(sorted(by), 2):
            both = [scene for scene in by[baseline] if scene in by[value]]
            if both:
                first, second = ([by[one][scene] for scene in both] for one in (baseline, value))
                yield (axis, kept), baseline, value, first, second


@pytest.mark.parametrize("axis", ["condition", "model"])
def test_paired_comparisons(run: RecordedRun, scores: list[Any], axis: str) -> None:
    questions: dict[tuple[Any, ...], list[dict[str, Any]]] = {}
    expected = {}
    for question, baseline, value, first, second in _pairs(scores, axis, "tsa"):
        low, high = newcombe(second, first)
        only = sum(one > two for one, two in zip(first, second, strict=True))
        other = sum(one < two for one, two in zip(first, second, strict=True))
        differences = np.array(second) - np.array(first)
        row = {
            "n": len(first),
            "baseline_estimate": mean(first),
            "estimate": mean(second),
            "difference": float(differences.mean()),
            "se": float(differences.std(ddof=1)) / sqrt(len(first)),
            "ci_low": low,
            "ci_high": high,
            "p": mcnemar(only, other),
            "only_baseline": only,
            "only_value": other,
            "odds_ratio": other / only if only else None,
            "cohens_g": other / (only + other) - 0.5 if only + other else None,
        }
        questions.setdefault(question, []).append(row)
        expected[question[1], baseline, value] = row
    for rows in questions.values():
        for row, p in zip(rows, holm([row["p"] for row in rows]), strict=True):
            row |= {"n_tests": len(rows), "p_holm": p, "told_apart": p < 0.05}
    run.agrees(
        "contrast.pairs",
        ("model" if axis == "condition" else "condition", "baseline", "value"),
        expected,
        where=f"axis = '{axis}' and metric = 'tsa'",
        given=("direction",),
        trivial=("told_apart", "n_tests"),
    )
