"""MIRROR's outcomes of experiment 9 and their tables (arXiv 2604.19809), recomputed."""

from typing import Any

import numpy as np
from scipy import stats

from support.recomputed.agreement import RecordedRun
from support.recomputed.formulas import groups, mean
from support.recomputed.metacog_scores import MODEL, Rows, domains_of, rows_in, weak_in
from support.recomputed.metacog_summary import by_part, cfr_of, outcome_of, parts_of
from support.recomputed.recorded_metacog import recorded_metacog, scored_metacog

DRAWN, SCORED = recorded_metacog, scored_metacog


def test_outcomes_of_experiment_9(run: RecordedRun, scores: Rows) -> None:
    expected, effects = {}, {}
    for model, rows in groups(scores, *MODEL).items():
        parts, weak = parts_of(rows), weak_in(domains_of(rows))
        for (information,), some in groups(parts, "information").items():
            for policy in ("median_or_bottom_k", "bottom_k", "below_0.5"):
                expected[*model, information, policy] = outcome_of(some, weak[policy])
    where = "paradigm = 'all' and policy in ('median_or_bottom_k', 'bottom_k', 'below_0.5')"
    run.agrees(
        "agency.metacog_parts_outcomes",
        (*MODEL, "information", "policy"),
        expected,
        where=where,
        trivial=("n_undecided",),
    )
    policy = "median_or_bottom_k"
    models = [model for *model, at, of in expected if (at, of) == ("C1", policy)]
    for baseline, other in (("C1", "C2"), ("C1", "C3"), ("C1", "C4"), ("C2", "C3"), ("C3", "C4")):
        one, two = (
            np.array([
                expected[*model, at, policy]["cfr"] for model in models if model[1] == 0.0
            ])
            for at in (baseline, other)
        )  # fmt: skip
        moved = two - one
        test = stats.ttest_rel(two, one)
        low, high = test.confidence_interval(0.95)
        effects[baseline, other] = {
            "n_models": len(one),
            "cfr_baseline": float(one.mean()),
            "cfr": float(two.mean()),
            "difference": float(moved.mean()),
            "sd": float(moved.std(ddof=1)),
            "cohens_d": -float(moved.mean() / moved.std(ddof=1)),
            "ci_low": max(float(low), -1),
            "ci_high": min(float(high), 1),
            "p": float(test.pvalue),
        }
    run.agrees(
        "agency.metacog_parts_outcomes_effects",
        ("baseline", "information"),
        effects,
        where=f"paradigm = 'all' and temperature = 0 and policy = '{policy}'",
    )


def test_tables_9_and_12(run: RecordedRun, scores: Rows) -> None:
    definitions: dict[tuple[Any, ...], dict[str, Any]] = {}
    missing = {}
    labels = {
        "median_or_bottom_k": "Primary (median split)",
        "bottom_3": "Bottom-3 domains",
        "below_0.4": "Absolute (< 0.40)",
    }
    by_model = {
        model: (parts_of(rows), weak_in(domains_of(rows)))
        for model, rows in groups(scores, *MODEL).items()
    }
    for temperature in (0.0, 0.7):
        for policy, label in labels.items():
            told: dict[str, Rows] = {}
            for at in ("C1", "C4"):
                told[at] = [
                    part
                    for (_, of), (parts, weak) in by_model.items()
                    if of == temperature
                    for part in rows_in(parts, information=at, decided=True)
                    if part["domain"] in weak[policy]
                ]
            c1, c4 = (mean(part["failure"] for part in told[at]) for at in ("C1", "C4"))
            assert c1 is not None
            assert c4 is not None
            definitions[temperature, label] = {
                "c1_cfr": c1,
                "c4_cfr": c4,
                "reduction": 1 - c4 / c1,
                "n_weak": len(groups(told["C1"], "model", "paradigm", "cluster", "part")),
            }
    run.agrees("paper.metacog_table_9", ("temperature", "definition"), definitions)
    for model, (parts, weak) in by_model.items():
        for (information,), some in groups(parts, "information").items():
            for policy in ("median_or_bottom_k", "below_0.5"):
                kept = [part for part in some if part["domain"] in weak[policy]]
                wrong, lost = (sum(by_part(kept, name)) for name in ("failure", "missing"))
                n = len(groups(kept, "cluster", "part"))
                for alpha in (0, 0.25, 0.5, 0.75, 1):
                    missing[*model, information, policy, alpha] = {
                        "n_weak": n,
                        "n_missing": lost,
                        "cfr": (wrong + alpha * lost) / n,
                    }
    run.agrees(
        "paper.metacog_table_12",
        (*MODEL, "information", "policy", "alpha"),
        missing,
        where="policy in ('median_or_bottom_k', 'below_0.5')",
    )


def test_tables_14_and_17_to_19(run: RecordedRun, scores: Rows) -> None:
    hot, whole, resolved, costs = {}, {}, {}, {}
    means: dict[tuple[float, str], list[dict[str, Any]]] = {}
    for model, rows in groups(scores, *MODEL).items():
        domains, parts = domains_of(rows), parts_of(rows)
        weak = weak_in(domains)["median_or_bottom_k"]
        c1, c4 = (cfr_of(parts, weak, at) for at in ("C1", "C4"))
        assert c1 is not None
        assert c4 is not None
        gap = mean(row["gap"] for row in domains.values())
        hot[model] = {"m_gap": gap, "cfr_c1": c1, "reduction": 1 - c4 / c1}
        for (information,), some in groups(parts, "information").items():
            found = outcome_of(some, weak)
            found["of_replies"] = {
                "right": mean(part["right_alone"] for part in some),
                "escalated": mean(not part["proceeded"] for part in some),
                "cost_usd": mean(part["cost_usd"] for part in some),
                "latency_s": mean(part["latency_s"] for part in some),
            }
            means.setdefault((model[1], information), []).append(found)
    for (temperature, information), some in means.items():
        autonomy = mean(row["autonomy"] for row in some)
        assert autonomy is not None
        whole[temperature, information] = {
            "n_models": len(some),
            "autonomy": autonomy,
            "auto_correct": mean(row["right_alone"] for row in some),
            "escalated": 1 - autonomy,
            "sys_success": mean(row["success"] for row in some),
        }
    for temperature in (0.0, 0.7):
        told = {}
        for at in ("C1", "C4"):
            some = [row["of_replies"] for row in means[temperature, at]]
            told[at] = {name: mean(row[name] for row in some) or 0.0 for name in some[0]}
            told[at]["n"] = len(some)
        for tenth in range(11):
            one, two = (
                told["C1"]["right"],
                told["C4"]["right"] + told["C4"]["escalated"] * tenth / 10,
            )
            resolved[temperature, tenth / 10] = {
                "c1_success": one,
                "c4_success": two,
                "delta": two - one,
                "n_models": told["C4"]["n"],
            }
        for point, at, q in (
            ("C1 baseline", "C1", 0), ("C4 (q=0.50)", "C4", 0.5),
            ("C4 (q=0.80)", "C4", 0.8), ("C4 (q=1.00)", "C4", 1),
        ):  # fmt: skip
            row = told[at]
            n_handed = 2 * row["escalated"] if at == "C4" else 0
            costs[temperature, point] = {
                "sys_success": row["right"] + row["escalated"] * q,
                "autonomy": 1 - row["escalated"],
                "escalation": row["escalated"],
                "expected_cost_usd": row["cost_usd"] + n_handed * 0.008,
                "expected_latency_ms": row["latency_s"] * 1000 + n_handed * 360,
                "n_models": row["n"],
            }
    run.agrees("paper.metacog_table_14", MODEL, hot)
    run.agrees("paper.metacog_table_17", ("temperature", "information"), whole)
    run.agrees("paper.metacog_table_18", ("temperature", "q"), resolved)
    run.connection.execute("set variable resolver_usd = 0.008; set variable resolver_ms = 360")
    try:
        run.agrees("paper.metacog_table_19", ("temperature", "operating_point"), costs)
    finally:
        run.connection.execute("reset variable resolver_usd; reset variable resolver_ms")
