"""selfid's tables (arXiv 2605.08816), recomputed from steps drawn at random."""

from collections.abc import Iterator
from math import sqrt
from typing import Any

import numpy as np
import pytest

from mirror_ray.analysis.bootstrap import bootstrap_run
from support.analysis.synthetic_runs import Moment, Played, write_run
from support.recomputed.agreement import RecordedRun
from support.recomputed.formulas import bca_of_mean, groups, mean, units_of, wilson

COLORS = ("red", "green", "blue", "yellow")
CELL = ("condition", "model")
METRICS = ("tsa", "ttd", "mcr", "mtato", "caal", "cr", "tsa_c", "mgd", "arsc", "sc")
COUNTS = ("ttd", "mgd")
UNDEFINED_WITHOUT_A_MIRROR = ("mcr", "mtato", "caal")
ZERO_WITHOUT_A_MIRROR = ("mgd", "arsc")
MAX_STEPS = 12
EVIDENCE_PX = 50
DRAWS = 10_000


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
        moments.append(Moment("done" if is_last else "w", says, sees, cube))
    return Played(
        tuple(moments),
        condition,
        model,
        scene_seed=seed,
        truth=truth,
        cubes=() if condition == "E5" else COLORS[:3],
        error_kind="server" if rng.random() < 0.1 else "none",
        max_steps=MAX_STEPS,
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
    scored = dict.fromkeys((*METRICS, "sc_final"))
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
    if episode["condition"] == "E2":
        scored |= dict.fromkeys(UNDEFINED_WITHOUT_A_MIRROR)
    if misled:
        assert first_seen is not None
        scored["sc"] = int(any(said[t] == truth for t in range(first_seen, end + 1)))
        scored["sc_final"] = int(said[end] == truth)
    return scored


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
