"""selfid's tables (arXiv 2605.08816), recomputed from steps drawn at random."""

from collections.abc import Iterator
from itertools import combinations
from math import sqrt
from typing import Any

import numpy as np
import pytest

from support.recomputed.agreement import RecordedRun
from support.recomputed.drawn_selfid import (
    DRAWS,
    MAX_STEPS,
    METRICS,
    Rows,
    drawn_selfid,
    scored_selfid,
)
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

CELL = ("condition", "model")
COUNTS = ("ttd", "mgd")
ZERO_WITHOUT_A_MIRROR = ("mcr", "mtato", "mgd", "arsc")


DRAWN, SCORED = drawn_selfid, scored_selfid


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


def test_every_metric_is_the_papers(run: RecordedRun, scores: Rows) -> None:
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


def test_stored_intervals_are_bca_over_scenes(run: RecordedRun, scores: Rows) -> None:
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


def test_the_design_counts_what_was_played(run: RecordedRun, scores: Rows) -> None:
    n = len(scores)
    told = {"models": 2, "conditions": 5, "cells": 10, "episodes": n, "chance, E1 to E4": 1 / 3}
    run.agrees(
        "paper.selfid_design",
        ("quantity",),
        {(name,): {"estimate": value} for name, value in told.items()},
        given=("reference",),
    )


def test_where_episodes_go_wrong(run: RecordedRun, scores: Rows) -> None:
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


def _pairs(scores: Rows, axis: str, metric: str) -> Iterator[tuple[Any, ...]]:
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
def test_paired_comparisons(run: RecordedRun, scores: Rows, axis: str) -> None:
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
