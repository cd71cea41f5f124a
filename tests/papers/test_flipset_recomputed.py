"""FlipSet's tables (arXiv 2602.15892), recomputed from answers drawn at random."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

from mirror_ray.analysis.bootstrap import bootstrap_run
from support.analysis.flipset_runs import Answered, write_flipset_run
from support.recomputed.agreement import RecordedRun
from support.recomputed.formulas import (
    bca_of_mean,
    binomial_above,
    groups,
    mean,
    share,
    t_interval,
    units_of,
    wilson,
)
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
LAYOUTS = (
    "CEFR", "CERF", "CFER", "ECFR", "ECRF", "EFCR", "EFRC", "ERCF", "ERFC", "FCER", "FECR", "FERC"
)  # fmt: skip


def _answers(rng: np.random.Generator) -> Iterator[Answered]:
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


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RecordedRun]:
    rng = np.random.default_rng(41)
    directory = write_flipset_run(tmp_path_factory.mktemp("flipset"), list(_answers(rng)))

    def with_reading(row: dict[str, Any]) -> dict[str, Any]:
        unread = {"fail": "failed", None: None}.get(row["chosen_kind"], "ok")
        return row | {"parse_status": unread}

    change_rows(Path(directory, "steps"), with_reading)
    bootstrap_run(directory, draws=DRAWS)
    opened = RecordedRun.opened(directory)
    yield opened
    opened.connection.close()


@pytest.fixture(scope="module")
def scores(run: RecordedRun) -> list[dict[str, Any]]:
    steps = {step["episode_id"]: step for step in run.raw("steps")}
    return [
        {**episode, **_scores(episode, steps[episode["episode_id"]])}
        for episode in run.raw("episodes")
    ]


def _scores(episode: dict[str, Any], step: dict[str, Any]) -> dict[str, Any]:
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


METRICS = ("accuracy", *KINDS[1:], *(f"{kind}_of_errors" for kind in KINDS[1:]))


def _cells(scores: list[Any]) -> dict[tuple[Any, ...], dict[str, Any]]:
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


def test_every_metric_and_its_interval(run: RecordedRun, scores: list[Any]) -> None:
    expected = _cells(scores)
    for key, row in expected.items():
        # Few replies are no option, and L1 has few questions.
        assert row["estimate"] not in (0, 1) or key[-1].startswith("fail") or key[0] == "L1", key
    run.agrees("metric.flipset", (*CELL, "metric"), expected, where="n > 0")
    shown = ("n", "estimate", "se", "ci_low", "ci_high", "chance")
    run.agrees(
        "paper.flipset",
        (*CELL, "metric"),
        {
            key: {name: row[name] for name in shown}
            for key, row in expected.items()
            if not key[-1].endswith("of_errors")
        },
        where="n > 0 and not starts_with(metric, 'always')",
        given=("reference",),
    )


def test_unread_replies_bound_an_estimate(run: RecordedRun, scores: list[Any]) -> None:
    read, bounds = {}, {}
    for cell, rows in groups(scores, *CELL).items():
        replies = [row for row in rows if row["parse_status"] is not None]
        n_read = sum(row["parse_status"] == "ok" for row in replies)
        read[cell] = {"n_replies": len(replies), "n_read": n_read}
        whole = [row for row in rows if row["error_kind"] == "none"]
        unread = sum(row["parse_status"] == "failed" for row in whole)
        for metric in METRICS:
            told = [row[metric] for row in whole if row["parse_status"] == "ok"]
            counted = [score for score in told if score is not None]
            if not counted:
                continue
            bounds[*cell, metric] = {
                "n_episodes": len(whole),
                "n_unread": unread,
                "estimate": mean(row[metric] for row in whole),
                "low_if_unread": sum(counted) / (len(counted) + unread),
                "high_if_unread": (sum(counted) + unread) / (len(counted) + unread),
            }
    run.agrees("metric.flipset_read", CELL, read)
    run.agrees("metric.replies", CELL, read)
    # fail is unread by definition, so that no readable reply scores in it.
    scored = "not (condition = 'L1' and starts_with(metric, 'confusable'))"
    trivial = ("fail_of_errors", "fail")
    run.agrees("metric.flipset_bounds", (*CELL, "metric"), bounds, where=scored, trivial=trivial)
    estimates = {
        key: {
            **row,
            **{name: read[key[:2]][name] for name in ("n_replies", "n_read")},
            **{name: bounds[key][name] for name in ("low_if_unread", "high_if_unread")},
        }
        for key, row in _cells(scores).items()
    }
    run.agrees("metric.estimates", (*CELL, "metric"), estimates, where="n > 0")


def test_stored_intervals_are_bca_over_strings(run: RecordedRun, scores: list[Any]) -> None:
    expected = {}
    for cell, rows in groups(scores, *CELL).items():
        for metric in METRICS:
            units = units_of(rows, metric)
            if not units or len({float(np.mean(unit)) for unit in units.values()}) == 1:
                continue
            found: dict[str, Any] = dict(bca_of_mean(units, DRAWS, 0))
            if all(len(set(unit)) == 1 for unit in units.values()):
                low, high = wilson(found["estimate"], len(units))
                found |= {"ci_low": low, "ci_high": high}
            n = sum(len(unit) for unit in units.values())
            expected[*cell, metric] = {**found, "n": n, "n_scenes": len(units)}
    where = "reason is null and se > 0"
    given = ("draws", "seed")
    run.agrees("metric.flipset_bca", (*CELL, "metric"), expected, where=where, given=given)


@pytest.mark.parametrize(("view", "by"), [("classes", "item_class"), ("layouts", "layout")])
def test_shares_by_class_and_by_layout(
    run: RecordedRun, scores: list[Any], view: str, by: str
) -> None:
    expected = {
        (*cell, metric): {
            **share(units),
            **(
                {"layout_number": LAYOUTS.index(cell[2]) + 1 if cell[2] in LAYOUTS else None}
                if by == "layout"
                else {}
            ),
        }
        for cell, rows in groups(scores, *CELL, by).items()
        for metric in ("accuracy", *KINDS[1:])
        if (units := units_of(rows, metric))
    }
    run.agrees(f"metric.flipset_{view}", (*CELL, by, "metric"), expected)


def _positions(scores: list[Any]) -> dict[tuple[Any, ...], dict[str, Any]]:
    expected = {}
    for cell, rows in groups(scores, *CELL).items():
        for place, label in enumerate("ABCD"[: len(rows[0]["option_kinds"])]):
            told = [
                {
                    "cluster": row["item"],
                    "answered": row["answer"] == label,
                    "accuracy_when": row["accuracy"] if row["gold"] == label else None,
                    "always_accuracy": row["gold"] == label,
                    "always_egocentric": row["option_kinds"][place] == "egocentric",
                }
                for row in rows
                if row["error_kind"] == "none"
            ]
            for metric in ("answered", "accuracy_when", "always_accuracy", "always_egocentric"):
                expected[*cell, label, metric] = share(units_of(told, metric))
    return expected


def test_shares_by_position(run: RecordedRun, scores: list[Any]) -> None:
    expected = _positions(scores)
    run.agrees("metric.flipset_positions", (*CELL, "label", "metric"), expected)
    run.agrees(
        "paper.flipset",
        (*CELL, "metric"),
        {
            (*key[:2], f"{key[3]} {key[2]}"): {
                name: row[name] for name in ("n", "estimate", "se", "ci_low", "ci_high")
            }
            for key, row in expected.items()
            if key[3].startswith("always") and key[0] != "L1"
        },
        where="starts_with(metric, 'always')",
        given=("reference",),
        trivial=("always_egocentric D",),  # the paper's layouts never have it there
    )


def test_accuracy_against_chance(run: RecordedRun, scores: list[Any]) -> None:
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


def test_the_compositional_deficit(run: RecordedRun, scores: list[Any]) -> None:
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


def test_correlations_and_families_over_models(run: RecordedRun, scores: list[Any]) -> None:
    cells = _cells(scores)
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


def test_the_design_counts_what_was_played(run: RecordedRun, scores: list[Any]) -> None:
    own = [row for row in scores if row["condition"] == "L2"]
    told = {
        "strings": len({row["item"] for row in own}),
        "orders of options": len({row["layout"] for row in own}),
        "instances": len({(row["item"], row["layout"]) for row in own}),
        "chance": 1 / 4,
        **{
            f"strings: {kind}": len({row["item"] for row in rows})
            for (kind,), rows in groups(own, "item_class").items()
        },
    }
    run.agrees(
        "paper.flipset_design",
        ("quantity",),
        {(name,): {"estimate": value} for name, value in told.items()},
        given=("reference",),
    )


def test_repetitions_are_no_further_evidence(tmp_path: Path) -> None:
    once = [one for one in _answers(np.random.default_rng(3)) if one.condition == "L2"]
    run = RecordedRun.opened(
        write_flipset_run(tmp_path, [replace(one, run=again) for one in once for again in range(3)])
    )
    units = [
        share(units_of(some, "accuracy"))
        for some in groups(
            [
                {**episode, **_scores(episode, step)}
                for episode, step in zip(run.raw("episodes"), run.raw("steps"), strict=True)
            ],
            "model",
        ).values()
    ]
    told = run.connection.execute(
        "select ci_low from metric.flipset where metric = 'accuracy' order by ci_low"
    ).fetchall()
    assert [low for (low,) in told] == pytest.approx(sorted(unit["ci_low"] for unit in units))
