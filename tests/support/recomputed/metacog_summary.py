"""MIRROR's experiment 9 and its summary, recomputed from rows (arXiv 2604.19809)."""

from math import log
from typing import Any

import numpy as np
from scipy import stats

from support.recomputed.formulas import bca, effective_n, groups, mean, ratio, spearman, wilson
from support.recomputed.metacog_scores import (
    MODEL,
    Rows,
    adaptations_of,
    bins_of,
    channel_pairs,
    compositions_of,
    domains_of,
    ecosystem_of,
    robustness_of,
    rows_in,
    transfers_of,
    weak_in,
)

DRAWS = 10_000


def parts_of(rows: Any) -> Rows:
    """Experiment 9's parts: who did them, and whether they were right."""
    found = []
    for row in rows:
        if row["experiment"] != "exp9":
            continue
        said = row["phases"]["parts"]
        for side in "ab":
            correct = said[f"correct_{side}"]
            answer = said[f"answer_{side}"]
            proceeded = said[f"decision_{side}"] not in ("use_tool", "defer")
            proceeded = proceeded and not row[f"routed_{side}"]
            found.append(
                {
                    **{key: row[key] for key in (*MODEL, "cluster", "scene_seed", "run")},
                    **{
                        key: row[key]
                        for key in ("information", "paradigm", "cost_usd", "latency_s")
                    },
                    "part": side,
                    "domain": row[f"domain_{side}"],
                    "subcategory": row[f"subcategory_{side}"],
                    "answer": answer if answer is None else answer.strip().lower(),
                    "confidence": 1 / (1 + said[f"n_hedges_{side}"]),
                    "proceeded": proceeded,
                    "correct": None if correct is None else int(correct),
                    "decided": correct is not None or answer is None,
                    "failure": int(proceeded and correct is False),
                    "right_alone": int(proceeded and bool(correct)),
                    "missing": int(proceeded and correct is None),
                }
            )
    return found


def by_part(parts: Any, score: str) -> list[float]:
    """The mean of each part of a task over paradigms and repetitions."""
    return [
        float(np.mean([part[score] for part in some]))
        for some in groups(parts, "cluster", "part").values()
    ]


def cfr_of(parts: Any, weak: set[str], information: str) -> float | None:
    """Equation 13, over all paradigms."""
    some = rows_in(parts, information=information, decided=True)
    return mean(by_part([part for part in some if part["domain"] in weak], "failure"))


def outcome_of(parts: Rows, weak: set[str]) -> dict[str, Any]:
    """CFR, its readings of missing answers, autonomy and success, of one condition."""
    kept = [part for part in parts if part["domain"] in weak]
    others = [part for part in parts if part["domain"] not in weak]
    decided = [part for part in kept if part["decided"]]
    units = {
        key: [float(np.mean([part["failure"] for part in some]))]
        for key, some in groups(decided, "cluster", "part").items()
    }
    cfr = mean(unit[0] for unit in units.values())
    low, high = wilson(cfr, effective_n(units))
    n_weak = len(groups(kept, "cluster", "part"))
    n_wrong, n_missing = sum(by_part(kept, "failure")), sum(by_part(kept, "missing"))
    proceeded, success = (
        by_part(parts, "proceeded"),
        [part | {"success": part["right_alone"] + (not part["proceeded"])} for part in parts],
    )
    n_strong = len(groups(others, "cluster", "part"))
    unneeded = sum(1 - value for value in by_part(others, "proceeded")) if others else 0
    alone = [part for part in parts if part["proceeded"] and part["correct"] is not None]
    return {
        "n": len(proceeded),
        "n_weak": n_weak,
        "n_undecided": n_weak - len(units),
        "n_strong": n_strong,
        "n_missing": n_missing,
        "n_wrong": n_wrong,
        "cfr": cfr,
        "cfr_ci_low": low,
        "cfr_ci_high": high,
        "cfr_conservative": (n_wrong + n_missing) / n_weak,
        "cfr_complete": n_wrong / (n_weak - n_missing),
        "cfr_low": n_wrong / n_weak,
        "n_proceeded": sum(proceeded),
        "n_unneeded": unneeded,
        "autonomy": mean(proceeded),
        "unneeded_escalation": ratio(unneeded, n_strong),
        "success": mean(by_part(success, "success")),
        "right_alone": mean(by_part(parts, "right_alone")),
        "accuracy_alone": mean(by_part(alone, "correct")),
    }


def log_score_of(row: dict[str, Any]) -> float:
    told = row["bet_share"] if row["accuracy"] else 1 - row["bet_share"]
    return -log(max(1e-6, told))


def summary_of(rows: Any) -> dict[str, tuple[float | None, float | None]]:
    """Every metric of the paper, with its n."""
    domains, parts = domains_of(rows), parts_of(rows)
    atlas = {
        channel: [
            row
            for row in rows_in(rows, experiment="exp1", channel=channel)
            if row["accuracy"] is not None
        ]
        for channel in ("natural", "wagering")
    }
    bins = bins_of(rows)
    bets = [row for some in bins.values() for row in some]
    ece = sum(
        abs(sum(row["bet_share"] for row in some) - sum(row["accuracy"] for row in some))
        for some in bins.values()
    ) / len(bets)
    pairs = [spearman(one, two) for _, one, two in channel_pairs(rows).values()]
    transfers = [value for _, value in transfers_of(rows).values() if value is not None]
    composed, system = compositions_of(rows), ecosystem_of(rows)
    ars = [one["robustness"] for one in robustness_of(rows).values() if one["in_ars"]]
    weak = weak_in(domains)["median_or_bottom_k"]
    outcomes = {
        at: outcome_of(rows_in(parts, information=at), weak) for at in ("C1", "C2", "C3", "C4")
    }
    n_weak = max(row["n_weak"] for row in outcomes.values())
    indices = {
        (arm, said): adaptations_of(rows, arm, said)
        for arm in ("true", "false")
        for said in ("bet", "signal")
    }
    ai = {
        key: float(np.mean([value for unit in units.values() for value in unit]))
        for key, units in indices.items()
    }

    def clusters(some: Any) -> int:
        return len({row["cluster"] for row in some})

    gap = mean(row["gap"] for row in domains.values())
    c1 = outcomes["C1"]["cfr"]
    assert gap is not None
    code = [row for row in composed if row["cce_code"] is not None]
    return {
        "natural_accuracy": (
            clusters(atlas["natural"]), mean(r["accuracy"] for r in atlas["natural"])
        ),
        "wagering_accuracy": (
            clusters(atlas["wagering"]), mean(r["accuracy"] for r in atlas["wagering"])
        ),
        "gap": (len(domains), gap),
        "mci": (sum(value is not None for value in pairs), mean(pairs)),
        "ece": (clusters(bets), ece),
        "brier": (clusters(bets), mean((r["bet_share"] - r["accuracy"]) ** 2 for r in bets)),
        "tii": (len(transfers), mean(abs(value) for value in transfers)),
        "cce_code": (clusters(code), mean(row["cce_code"] for row in code)),
        "cce_printed": (clusters(code), mean(row["cce_printed"] for row in code)),
        "ai_true": (len(indices["true", "bet"]), ai["true", "bet"]),
        "ai_false": (len(indices["false", "bet"]), ai["false", "bet"]),
        "ai_true_tools": (len(indices["true", "signal"]), ai["true", "signal"]),
        "ai_false_tools": (len(indices["false", "signal"]), ai["false", "signal"]),
        "sar": (
            len(indices["true", "bet"]) + len(indices["false", "bet"]),
            ai["false", "bet"] / ai["true", "bet"],
        ),
        "ars": (len(ars), mean(ars)),
        "ssr": (system["n_judged"], system["ssr"]),
        "fdr": (system["n_flawed"], system["fdr"]),
        "false_positive_rate": (system["n_sound"], system["false_positive_rate"]),
        "given_up_rate": (system["n_pressed"], system["given_up_rate"]),
        **{f"cfr_{at.lower()}": (n_weak, row["cfr"]) for at, row in outcomes.items()},
        "autonomy_c1": (n_weak, outcomes["C1"]["autonomy"]),
        "cfr_conservative_c1": (n_weak, outcomes["C1"]["cfr_conservative"]),
        "cfr_c2_false": (n_weak, None),
        **{f"tailored_cfr_c{at}": (None, None) for at in (1, 2, 3, 4)},
        "kdi": (n_weak, None if c1 is None else gap - (1 - c1)),
    }  # fmt: skip


def interval_of(
    units: dict[object, list[float]], order: list[object], experiment: str
) -> dict[str, float]:
    """BCa from the stored draws: of an experiment's questions, those of all models together."""
    n = len(order)
    seeds = [0, *experiment.encode(), n]
    drawn = np.random.default_rng(seeds).multinomial(n, np.full(n, 1 / n), size=DRAWS)
    totals = np.array([sum(units.get(one, ())) for one in order])
    counts = np.array([len(units.get(one, ())) for one in order])
    estimate = totals.sum() / counts.sum()
    means = (drawn @ totals) / (drawn @ counts)
    left_out = ((totals.sum() - totals) / (counts.sum() - counts))[counts > 0]
    low, high = bca(float(estimate), left_out, means, float(stats.norm.ppf(0.975)))
    se = float(means.std(ddof=1))
    return {
        "n_scenes": int((counts > 0).sum()),
        "estimate": float(estimate),
        "se": se,
        "ci_low": low,
        "ci_high": high,
    }
