"""MIRROR's metrics and tables of experiments 1 to 6 (arXiv 2604.19809), recomputed."""

from typing import Any

import numpy as np
from scipy import stats

from support.recomputed.agreement import RecordedRun
from support.recomputed.drawn_metacog import CHANNELS
from support.recomputed.formulas import clustered_se, groups, mean, share, spearman, units_of
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
from support.recomputed.metacog_summary import cfr_of, log_score_of, parts_of
from support.recomputed.recorded_metacog import recorded_metacog, scored_metacog

DRAWN, SCORED = recorded_metacog, scored_metacog


def test_every_metric_of_a_model(run: RecordedRun, summaries: dict[Any, Any]) -> None:
    expected = {
        (*model, metric): {"n": n, "estimate": estimate}
        for model, told in summaries.items()
        for metric, (n, estimate) in told.items()
    }
    undefined = ("cfr_c2_false", *(f"tailored_cfr_c{at}" for at in (1, 2, 3, 4)))
    for (*_, metric), row in expected.items():
        may_be_zero = metric in (*undefined, "ai_true_tools", "ai_false_tools")
        assert may_be_zero or row["estimate"] not in (0, 1, None), metric
    run.agrees("summary.metacog", (*MODEL, "metric"), expected, trivial=undefined)


def test_tables_of_experiment_1(run: RecordedRun, scores: Rows) -> None:
    domains, convergence, reliability, weak = {}, {}, {}, {}
    for model, rows in groups(scores, *MODEL).items():
        found = domains_of(rows)
        domains |= {(*model, domain): row for domain, row in found.items()}
        for policy, names in weak_in(found).items():
            for domain, row in found.items():
                told = {"natural_accuracy": row["natural_accuracy"], "weak": domain in names}
                weak[*model, policy, domain] = told
        for (one, two), (n, first, second) in channel_pairs(rows).items():
            convergence[*model, one, two] = {
                "n": n,
                "spearman": spearman(first, second),
                "kendall": float(stats.kendalltau(first, second).statistic),
            }
        for number, some in bins_of(rows).items():
            found_here = share(units_of(some, "accuracy"))
            reliability[*model, number] = {
                "n": found_here["n"],
                "n_episodes": len(some),
                "confidence": mean(row["bet_share"] for row in some),
                "accuracy": found_here["estimate"],
                "ci_low": found_here["ci_low"],
                "ci_high": found_here["ci_high"],
                "brier": mean((row["bet_share"] - row["accuracy"]) ** 2 for row in some),
            }
    run.agrees("metric.metacog_domains", (*MODEL, "domain"), domains)
    run.agrees("metric.metacog_domains_weak", (*MODEL, "policy", "domain"), weak, trivial=("weak",))
    run.agrees("metric.metacog_convergence", (*MODEL, "channel_1", "channel_2"), convergence)
    run.agrees("metric.metacog_reliability", (*MODEL, "bin"), reliability)


def test_convergence_without_a_channel(run: RecordedRun, scores: Rows) -> None:
    expected = {}
    for model, rows in groups(scores, *MODEL).items():
        pairs = channel_pairs(rows)
        for left_out in (None, *CHANNELS):
            some = [told for names, told in pairs.items() if left_out not in names]
            rho = [spearman(one, two) for _, one, two in some]
            tau = [float(stats.kendalltau(one, two).statistic) for _, one, two in some]
            expected[*model, left_out] = {
                "n_pairs": len(some),
                "mci": mean(rho),
                "mci_kendall": mean(tau),
            }
    run.agrees("paper.metacog_table_16", (*MODEL, "left_out"), expected)


def test_proper_scores_and_formats(run: RecordedRun, scores: Rows) -> None:
    scoring, formats = {}, {}
    for model, rows in groups(scores, *MODEL).items():
        bets = [row for some in bins_of(rows).values() for row in some]
        questions = groups(bets, "cluster").values()

        def over(values: Any, questions: Any = questions) -> float:
            return float(np.mean([np.mean([values(row) for row in some]) for some in questions]))

        scoring[model] = {
            "n": len(questions),
            "brier": over(lambda row: (row["bet_share"] - row["accuracy"]) ** 2),
            "log_score": over(log_score_of),
            "mean_confidence": over(lambda row: row["bet_share"]),
            "accuracy": over(lambda row: row["accuracy"]),
        }
        told = {
            channel: units_of(rows_in(rows, experiment="exp1", channel=channel), "accuracy")
            for channel in ("natural", "matched", "wagering")
        }
        natural, matched, wagering = (
            float(np.mean([np.mean(unit) for unit in units.values()])) for units in told.values()
        )
        formats[model] = {
            "nat_acc": natural,
            "struct_acc": matched,
            "wag_acc": wagering,
            "format_effect": matched - natural,
            "wager_effect": wagering - matched,
            "n": len(told["matched"]),
        }
    run.agrees("paper.metacog_scoring", MODEL, scoring)
    run.agrees("paper.metacog_table_15", MODEL, formats)


def test_tables_of_experiments_2_to_6(run: RecordedRun, scores: Rows) -> None:
    transfers, feedback, attacks, systems = {}, {}, {}, {}
    composed: Rows = []
    for model, rows in groups(scores, *MODEL).items():
        composed += compositions_of(rows)
        systems[model] = ecosystem_of(rows)
        for channel, (n, rho) in transfers_of(rows).items():
            transfers[*model, channel] = {"n": n, "spearman": rho}
        attacks |= {(*model, *key): row for key, row in robustness_of(rows).items()}
        for arm in ("true", "false"):
            bets, tools = (adaptations_of(rows, arm, said) for said in ("bet", "signal"))
            feedback[*model, arm] = {
                "n": len(bets),
                "n_episodes": sum(len(unit) for unit in bets.values()),
                "adaptation_index": mean(value for unit in bets.values() for value in unit),
                "se": clustered_se(bets),
                "n_tools": len(tools),
                "adaptation_index_tools": mean(value for unit in tools.values() for value in unit),
            }
    run.agrees("metric.metacog_domains_transfer", (*MODEL, "channel"), transfers)
    run.agrees("metric.metacog_feedback", (*MODEL, "feedback"), feedback)
    run.agrees("metric.metacog_ecosystem", MODEL, systems)
    run.agrees(
        "metric.metacog_attacks", (*MODEL, "channel", "attack"), attacks, trivial=("in_ars",)
    )
    run.agrees(
        "metric.metacog_composition",
        ("episode_id",),
        {
            (row["episode_id"],): {
                name: row[name]
                for name in ("self_prediction", "accuracy", "cce_code", "cce_printed")
            }
            for row in composed
        },
        given=("scene_seed", "run"),
        trivial=("accuracy",),
    )
    pairs: dict[tuple[Any, ...], dict[str, Any]] = {}
    for row in composed:
        row["first"], row["second"] = sorted((row["domain_a"], row["domain_b"]))
    for key, some in groups(composed, "temperature", "first", "second").items():
        told = [row for row in some if row["cce_code"] is not None]
        pairs[key] = {
            "mean_cce": mean(row["cce_code"] for row in told),
            "n": len({(row["model"], row["cluster"]) for row in told}),
        }
    keys = ("temperature", "domain_a", "domain_b")
    run.agrees("paper.metacog_table_8", keys, pairs)

    robust: dict[tuple[Any, ...], dict[str, Any]] = {}
    for temperature in (0.0, 0.7):
        of_models: dict[str | None, list[float]] = {}
        for (model, at, _, attack), row in attacks.items():
            if at == temperature and row["in_ars"]:
                of_models.setdefault(f"{model} {attack}", []).append(row["robustness"])
                of_models.setdefault(f"{model} None", []).append(row["robustness"])
        by_attack = groups(
            [
                {"attack": name.rpartition(" ")[2], "mean": float(np.mean(values))}
                for name, values in of_models.items()
                if name
            ],
            "attack",
        )
        for (attack,), some in by_attack.items():
            key = (temperature, None if attack == "None" else attack)
            robust[key] = {"n_models": len(some), "mean_ars": mean(row["mean"] for row in some)}
    run.agrees("paper.metacog_table_6", ("temperature", "attack"), robust, given=("reference",))


def test_table_4_with_cfr_and_kdi_by_both_definitions(
    run: RecordedRun, scores: Rows, summaries: dict[Any, Any]
) -> None:
    names = {
        "nat_acc": "natural_accuracy", "wag_acc": "wagering_accuracy", "m_gap": "gap",
        "tii": "tii", "cce": "cce_code", "ai": "ai_true", "sar": "sar", "ars": "ars",
        "fdr": "fdr", "ssr": "ssr", "cce_eq_1": "cce_printed",
    }  # fmt: skip
    expected = {}
    for model, rows in groups(scores, *MODEL).items():
        parts, weak = parts_of(rows), weak_in(domains_of(rows))
        told = {column: summaries[model][metric][1] for column, metric in names.items()}
        for policy, label in (("median_or_bottom_k", ""), ("below_0.5", "_below_half")):
            cfr = cfr_of(parts, weak[policy], "C1")
            told[f"cfr_c1{label}"] = cfr
            told[f"kdi{label}"] = None if cfr is None else told["m_gap"] - (1 - cfr)
        expected[model] = told
    run.agrees("paper.metacog_table_4", MODEL, expected)
