"""FlipSet's tables (arXiv 2602.15892), recomputed from answers drawn at random."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from support.analysis.flipset_runs import write_flipset_run
from support.recomputed.agreement import RecordedRun
from support.recomputed.drawn_flipset import (
    CELL,
    DRAWS,
    KINDS,
    METRICS,
    Rows,
    cells_of,
    drawn_answers,
    drawn_flipset,
    scored_flipset,
    scores_of,
)
from support.recomputed.formulas import bca_of_mean, groups, mean, share, units_of, wilson

LAYOUTS = (
    "CEFR", "CERF", "CFER", "ECFR", "ECRF", "EFCR", "EFRC", "ERCF", "ERFC", "FCER", "FECR", "FERC"
)  # fmt: skip


DRAWN, SCORED = drawn_flipset, scored_flipset


def test_every_metric_and_its_interval(run: RecordedRun, scores: Rows) -> None:
    expected = cells_of(scores)
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


def test_unread_replies_bound_an_estimate(run: RecordedRun, scores: Rows) -> None:
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
        for key, row in cells_of(scores).items()
    }
    run.agrees("metric.estimates", (*CELL, "metric"), estimates, where="n > 0")


def test_stored_intervals_are_bca_over_strings(run: RecordedRun, scores: Rows) -> None:
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
def test_shares_by_class_and_by_layout(run: RecordedRun, scores: Rows, view: str, by: str) -> None:
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


def _positions(scores: Rows) -> dict[tuple[Any, ...], dict[str, Any]]:
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


def test_shares_by_position(run: RecordedRun, scores: Rows) -> None:
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


def test_the_design_counts_what_was_played(run: RecordedRun, scores: Rows) -> None:
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
    once = [one for one in drawn_answers(np.random.default_rng(3)) if one.condition == "L2"]
    run = RecordedRun.opened(
        write_flipset_run(tmp_path, [replace(one, run=again) for one in once for again in range(3)])
    )
    units = [
        share(units_of(some, "accuracy"))
        for some in groups(
            [
                {**episode, **scores_of(episode, step)}
                for episode, step in zip(run.raw("episodes"), run.raw("steps"), strict=True)
            ],
            "model",
        ).values()
    ]
    told = run.connection.execute(
        "select ci_low from metric.flipset where metric = 'accuracy' order by ci_low"
    ).fetchall()
    assert [low for (low,) in told] == pytest.approx(sorted(unit["ci_low"] for unit in units))
