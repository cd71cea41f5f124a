"""MirrorQA's tables, recomputed from answers drawn at random."""

from math import sqrt
from typing import Any

import numpy as np
from scipy import stats

from support.recomputed.agreement import RecordedRun
from support.recomputed.drawn_mirrorqa import (
    CELL,
    FOUR,
    SHARES,
    TWO,
    Rows,
    class_of,
    drawn_mirrorqa,
    macro_of,
    scored_mirrorqa,
)
from support.recomputed.formulas import (
    Z,
    clustered_se,
    groups,
    mcnemar,
    mean,
    share,
    t_interval,
    units_of,
)

DRAWN, SCORED = drawn_mirrorqa, scored_mirrorqa


def _chance(rows: list[Any], metric: str) -> float | None:
    told = [row for row in rows if row[metric] is not None]
    if metric in ("accuracy", "same_frame", "other_frame"):
        return mean(row["chance"] for row in told)
    if metric == "circular":
        return mean(row["chance_circular"] for row in told)
    return 0.5 if metric == "confusion" else None


def _share(rows: list[Any], metric: str) -> dict[str, Any]:
    units = units_of(rows, metric)
    found = share(units)
    failed = sum(row["error_kind"] != "none" for row in rows)
    n, total = found["n_episodes"], sum(sum(unit) for unit in units.values())
    lost_low, lost_high = (failed, 0) if metric == "circular_delta" else (0, failed)
    if metric == "circular_delta":
        low, high = t_interval(found["estimate"], found["se"], found["n"] - 1)
        found |= {"ci_low": max(low, -1), "ci_high": min(high, 0)}
    return {
        **found,
        "chance": _chance(rows, metric),
        "n_failed": failed,
        "low_if_failed": (total - lost_low) / (n + failed),
        "high_if_failed": (total + lost_high) / (n + failed),
    }


def _frame_effect(same: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    estimate = same["estimate"] - other["estimate"]
    se = sqrt(same["se"] ** 2 + other["se"] ** 2)
    return {
        "n": same["n"] + other["n"],
        "n_episodes": same["n_episodes"] + other["n_episodes"],
        "estimate": estimate,
        "se": se,
        "ci_low": max(estimate - Z * se, -1),
        "ci_high": min(estimate + Z * se, 1),
        "n_failed": 0,
    }


def _expected(scores: Rows) -> dict[tuple[Any, ...], dict[str, Any]]:
    blank = {"se": None, "ci_low": None, "ci_high": None, "chance": None, "n_failed": 0}
    expected = {}
    for cell, rows in groups(scores, *CELL).items():
        found = {
            metric: _share(rows, metric)
            for metric in SHARES
            if any(row[metric] is not None for row in rows)
        }
        if "same_frame" in found:
            found["frame_effect"] = _frame_effect(found["same_frame"], found["other_frame"])
        found |= {metric: {**blank, **row} for metric, row in macro_of(rows).items()}
        expected |= {(*cell, metric): row for metric, row in found.items()}
    return expected


def _averaged(scores: Rows) -> dict[tuple[Any, ...], dict[str, Any]]:
    """The mean and the standard deviation of each run's values."""
    expected = {}
    for cell, rows in groups(scores, *CELL).items():
        values: dict[str, list[float]] = {}
        for some in groups(rows, "run").values():
            macro = macro_of(some)
            found = {name: macro[name]["estimate"] for name in ("precision", "recall", "f1")}
            for name in ("accuracy", "circular"):
                told = [row[name] for row in some if row[name] is not None]
                found |= {name: mean(told)} if told else {}
            for name, value in found.items():
                values.setdefault(name, []).append(value)
        for name, each in values.items():
            sd = float(np.std(each, ddof=1))
            row = {"n_runs": len(each), "mean_of_runs": mean(each), "sd_of_runs": sd}
            expected[*cell, name] = row
    return expected


def test_the_mean_of_the_runs(run: RecordedRun, scores: Rows) -> None:
    run.agrees("metric.mirrorqa_runs", (*CELL, "metric"), _averaged(scores))


def test_every_metric_is_the_sources(run: RecordedRun, scores: Rows) -> None:
    expected = _expected(scores)
    # Precision may be 1: few answers name one of two sides of few questions.
    extremes = [key for key, row in expected.items() if row["estimate"] in (0, 1)]
    assert not [key for key in extremes if key[-1] not in ("precision_2", "readable")]
    run.agrees("metric.mirrorqa", (*CELL, "metric"), expected, where="n > 0")
    shown = ("n", "estimate", "se", "ci_low", "ci_high", "chance")
    main = ("accuracy", "precision", "recall", "f1", "circular")
    averaged = _averaged(scores)
    run.agrees(
        "paper.mirrorqa",
        (*CELL, "metric"),
        {
            key: {name: row[name] for name in shown} | averaged[key]
            for key, row in expected.items()
            if key[-1] in main
        },
        where="n > 0",
        given=("reference", "chance_reference"),
    )


def test_each_class_and_each_orientation(run: RecordedRun, scores: Rows) -> None:
    classes, orientations = {}, {}
    for cell, rows in groups(scores, *CELL).items():
        for n, labels in ((2, TWO), (4, FOUR)):
            some = [row for row in rows if row["n_options"] == n and row["error_kind"] == "none"]
            about = {"n": len({row["cluster"] for row in some}), "n_options": n}
            classes |= {(*cell, label): {**about, **class_of(some, label)} for label in labels}
        for (side,), some in groups(rows, "orientation").items():
            found = share(units_of(some, "accuracy"))
            del found["se"]
            orientations[*cell, side] = {**found, "chance": some[0]["chance"]}
    run.agrees("metric.mirrorqa_classes", (*CELL, "answer"), classes)
    run.agrees("metric.mirrorqa_orientation", (*CELL, "orientation"), orientations)


def test_each_position(run: RecordedRun, scores: Rows) -> None:
    expected = {}
    for (*cell, n), rows in groups(scores, *CELL, "n_options").items():
        asks = [
            {
                "cluster": row["cluster"],
                "chosen": ask["options"].index(ask["choice"]) + 1 if ask["choice"] else None,
                "right": ask["options"].index(row["answer"]) + 1,
            }
            for row in rows
            if row["error_kind"] == "none"
            for ask in row["asks"]
        ]
        for place in range(1, n + 1):
            told = [
                {**ask, "here": None if ask["chosen"] is None else ask["chosen"] == place}
                for ask in asks
            ]
            found = share(units_of(told, "here"))
            expected[*cell, n, place] = {
                "n": found["n"],
                "n_readable": found["n_episodes"],
                "n_chosen": sum(ask["chosen"] == place for ask in asks),
                "share": found["estimate"],
                "ci_low": found["ci_low"],
                "ci_high": found["ci_high"],
                "right_share": sum(ask["right"] == place for ask in asks) / len(asks),
            }
    run.agrees("metric.mirrorqa_positions", (*CELL, "n_options", "position"), expected)


def test_the_cost_of_the_mirror(run: RecordedRun, scores: Rows) -> None:
    expected = {}
    sim = [row for row in scores if row["condition"] != "data"]
    for cell, rows in groups(sim, "model", "variant").items():
        by = {
            (row["condition"], row["cluster"]): row["accuracy"]
            for row in rows
            if row["accuracy"] is not None
        }
        pairs = [
            (by["sim", cluster], by["sim-reflected", cluster])
            for condition, cluster in by
            if condition == "sim" and ("sim-reflected", cluster) in by
        ]
        direct, reflected = np.array(pairs, dtype=float).T
        differences = reflected - direct
        n, difference = len(pairs), float(differences.mean())
        se = float(stats.sem(differences))
        low, high = t_interval(difference, se, n - 1)
        only = int((direct > reflected).sum()), int((direct < reflected).sum())
        expected[cell] = {
            "n": n,
            "direct": float(direct.mean()),
            "reflected": float(reflected.mean()),
            "difference": difference,
            "se": se,
            "ci_low": max(low, -1),
            "ci_high": min(high, 1),
            "n_direct_only": only[0],
            "n_reflected_only": only[1],
            "p": mcnemar(*only),
        }
    run.agrees("metric.mirrorqa_reflection", ("model", "variant"), expected)


def test_accuracy_by_what_makes_a_picture_hard(run: RecordedRun, scores: Rows) -> None:
    expected = {
        (*cell, "facing", facing): found
        for (*cell, facing), rows in groups(scores, *CELL, "facing").items()
        if facing
        for found in [share(units_of(rows, "accuracy"))]
    }
    for row in expected.values():
        del row["se"]
    run.agrees(
        "metric.mirrorqa_views",
        (*CELL, "axis", "level"),
        expected,
        where="axis = 'facing'",
        given=("rank",),
    )


def test_the_design_counts_what_was_played(run: RecordedRun, scores: Rows) -> None:
    data = [row for row in scores if row["condition"] == "data"]
    seeds = [rows[0] for rows in groups(data, "scene_seed").values()]
    told = {
        "questions": len(seeds),
        "chance": mean(row["chance"] for row in seeds),
        "chance, circular": mean(row["chance_circular"] for row in seeds),
    }
    expected = {(name,): {"estimate": value} for name, value in told.items()}
    run.agrees("paper.mirrorqa_design", ("quantity",), expected, given=("reference",))


def test_clustered_errors_are_larger_than_naive_ones(scores: Rows) -> None:
    """The run has units of several questions: the clustered formulas are at work."""
    data = [row for row in scores if row["condition"] == "data" and row["accuracy"] is not None]
    units = units_of(data, "accuracy")
    assert max(len(unit) for unit in units.values()) > 1
    assert clustered_se(units) != stats.sem([value for unit in units.values() for value in unit])
