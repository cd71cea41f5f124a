"""FlipSet's tables over models: chance, the compositional deficit, correlations; recomputed."""

from itertools import product
from math import sqrt
from typing import Any

import numpy as np
from scipy import stats

from support.recomputed.agreement import RecordedRun
from support.recomputed.drawn_flipset import (
    CELL,
    FAMILIES,
    METRICS,
    MORE,
    SHARES,
    Rows,
    cells_of,
    drawn_flipset,
    scored_flipset,
)
from support.recomputed.formulas import binomial_above, groups, share, t_interval, units_of

DRAWN, SCORED = drawn_flipset, scored_flipset


def test_accuracy_against_chance(run: RecordedRun, scores: Rows) -> None:
    expected = {}
    for cell, rows in groups(scores, *CELL).items():
        units = units_of(rows, "accuracy")
        above, below = binomial_above(units, rows[0]["chance"])
        found = share(units)
        expected[cell] = {
            "n": found["n"],
            "n_episodes": found["n_episodes"],
            "n_correct": sum(float(np.mean(unit)) for unit in units.values()),
            "estimate": found["estimate"],
            "chance": rows[0]["chance"],
            "p_above": above,
            "p_below": below,
        }
    run.agrees("metric.flipset_chance", CELL, expected)
    models = {}
    for condition in MORE:
        cells = [row for key, row in expected.items() if key[0] == condition]
        told, chance = [row["estimate"] for row in cells], cells[0]["chance"]
        models[(condition,)] = {
            "n": len(cells),
            "chance": chance,
            "n_below": sum(value < chance for value in told),
            "n_below_p05": sum(row["p_below"] < 0.05 for row in cells),
            "n_above": sum(value > chance for value in told),
            "n_above_p05": sum(row["p_above"] < 0.05 for row in cells),
            "median_accuracy": float(np.median(told)),
            "mean_accuracy": float(np.mean(told)),
        }
    run.agrees(
        "metric.flipset_chance_models", ("condition",), models, trivial=("n_below", "n_below_p05")
    )


def test_the_compositional_deficit(run: RecordedRun, scores: Rows) -> None:
    expected = {}
    for (model,), rows in groups(scores, "model").items():
        by = {
            task: units_of(some, "accuracy") for (task,), some in groups(rows, "condition").items()
        }
        tasks = ("L2", "ToM", "MR")
        items = sorted(set.intersection(*(set(by[task]) for task in tasks)))
        parts = {task: {item: by[task][item] for item in items} for task in tasks}
        for task in tasks:
            found = share(parts[task])
            expected[model, task.lower()] = {
                "n": len(items),
                **{name: found[name] for name in ("estimate", "se", "ci_low", "ci_high")},
            }
        m = {task: expected[model, task.lower()]["estimate"] for task in tasks}
        # The delta method: gradient and covariance of the three shares over strings.
        pulls = np.array(
            [
                [
                    (sum(parts[task][item]) - m[task] * len(parts[task][item]))
                    / sum(len(unit) for unit in parts[task].values())
                    for item in items
                ]
                for task in tasks
            ]
        )
        covariance = pulls @ pulls.T * len(items) / (len(items) - 1)
        for metric, estimate, gradient, least in (
            ("product", m["ToM"] * m["MR"], (0, m["MR"], m["ToM"]), 0),
            ("deficit", m["L2"] - m["ToM"] * m["MR"], (1, -m["MR"], -m["ToM"]), -1),
        ):
            se = sqrt(np.array(gradient) @ covariance @ np.array(gradient))
            low, high = t_interval(estimate, se, len(items) - 1)
            expected[model, metric] = {
                "n": len(items),
                "estimate": estimate,
                "se": se,
                "ci_low": max(low, least),
                "ci_high": min(high, 1),
            }
    run.agrees("metric.flipset_composition", ("model", "metric"), expected)
    deficits = [row for key, row in expected.items() if key[1] == "deficit"]
    told = [row["estimate"] for row in deficits]
    lower, middle, upper = (float(np.quantile(told, at)) for at in (0.25, 0.5, 0.75))
    run.agrees(
        "metric.flipset_composition_models",
        ("family",),
        {
            ("flipset",): {
                "n": len(told),
                "median_deficit": middle,
                "lower_quartile": lower,
                "upper_quartile": upper,
                "n_negative": sum(value < 0 for value in told),
                "n_negative_p05": sum(row["ci_high"] < 0 for row in deficits),
            }
        },
        trivial=("n_negative_p05", "n_negative"),
    )


def test_correlations_and_families_over_models(run: RecordedRun, scores: Rows) -> None:
    cells = cells_of(scores)
    told = {task: [cells[task, model, "accuracy"]["estimate"] for model in SHARES] for task in MORE}
    expected = {}
    for condition, control in (*product(["L2"], ["ToM", "MR", "L1"]), ("ToM", "MR")):
        found = stats.pearsonr(told[condition], told[control])
        low, high = found.confidence_interval(0.95)
        expected[condition, control] = {
            "n": len(SHARES),
            "estimate": float(found.statistic),
            "p": float(found.pvalue),
            "ci_low": float(low),
            "ci_high": float(high),
        }
    run.agrees("metric.flipset_correlations", ("condition", "control"), expected)

    families: dict[tuple[Any, ...], dict[str, Any]] = {}
    for condition, (family, sizes), metric in product(MORE, FAMILIES.items(), METRICS):
        values = [
            cells[condition, model, metric]["estimate"]
            for model in SHARES
            if family.lower() in model.split("/")[-1] + model.split("/")[0]
            and (condition, model, metric) in cells
        ]
        if not values:
            continue
        n, estimate = len(values), float(np.mean(values))
        se = float(np.std(values, ddof=1)) / sqrt(n) if n > 1 else None
        low, high = t_interval(estimate, se, n - 1) if se else (None, None)
        families[condition, family, metric] = {
            "n": n,
            "estimate": estimate,
            "se": se,
            "ci_low": None if low is None else max(low, 0),
            "ci_high": None if high is None else min(high, 1),
            "lowest": min(values),
            "highest": max(values),
            "smallest_b": sizes[0],
            "largest_b": sizes[1],
        }
    run.agrees("metric.flipset_families", ("condition", "model_family", "metric"), families)
