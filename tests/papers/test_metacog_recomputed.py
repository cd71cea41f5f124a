"""MIRROR's tables (arXiv 2604.19809), recomputed from replies drawn at random."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from scipy import stats

from mirror_ray.families.metacog.intervals import write_intervals
from support.analysis.metacog_runs import write_metacog_run
from support.recomputed.agreement import RecordedRun
from support.recomputed.drawn_metacog import CHANNELS, LABS, SIZES_B, drawn_metacog
from support.recomputed.formulas import (
    clustered_se,
    groups,
    mean,
    share,
    spearman,
    units_of,
)
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
    scores_of,
    transfers_of,
    weak_in,
)
from support.recomputed.metacog_summary import (
    DRAWS,
    by_part,
    cfr_of,
    interval_of,
    log_score_of,
    outcome_of,
    parts_of,
    summary_of,
)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RecordedRun]:
    directory = write_metacog_run(tmp_path_factory.mktemp("metacog"), drawn_metacog(56))
    write_intervals(directory, draws=DRAWS)
    opened = RecordedRun.opened(directory)
    yield opened
    opened.connection.close()


@pytest.fixture(scope="module")
def scores(run: RecordedRun) -> Rows:
    steps = groups(run.raw("steps"), "episode_id")
    return [
        {**episode, **scores_of(episode, steps[key])}
        for episode in run.raw("episodes")
        for key in [(episode["episode_id"],)]
        if episode["error_kind"] == "none"
    ]


@pytest.fixture(scope="module")
def summaries(scores: Rows) -> dict[tuple[Any, ...], dict[str, Any]]:
    return {model: summary_of(rows) for model, rows in groups(scores, *MODEL).items()}


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


def test_labs_and_figure_6(run: RecordedRun, scores: Rows) -> None:
    cfrs: dict[float, dict[str, float]] = {}
    cells: dict[tuple[float, str], list[tuple[float, float, float]]] = {}
    for (model, temperature), rows in groups(scores, *MODEL).items():
        parts, domains = parts_of(rows), domains_of(rows)
        weak = weak_in(domains)["median_or_bottom_k"]
        found = cfr_of(parts, weak, "C1")
        assert found is not None
        cfrs.setdefault(temperature, {})[model] = found
        told = [
            part
            for part in rows_in(parts, information="C1", decided=True)
            if part["domain"] in weak
        ]
        for paradigm in ("all", "autonomous", "checkpoint", "no_tools"):
            some = [part for part in told if paradigm in ("all", part["paradigm"])]
            for (domain, _), of_cell in groups(some, "domain", "subcategory").items():
                cfr = mean(by_part(of_cell, "failure"))
                assert cfr is not None
                row = domains[domain]
                cell = (row["gap"], row["natural_accuracy"], cfr)
                cells.setdefault((temperature, paradigm), []).append(cell)
    labs = {}
    for temperature, by_model in cfrs.items():
        for lab in {LABS[model] for model in by_model}:
            own = [value for model, value in by_model.items() if LABS[model] == lab]
            others = [value for model, value in by_model.items() if LABS[model] != lab]
            u, p = None, None
            if own and others:
                test = stats.mannwhitneyu(own, others, method="asymptotic")
                u, p = float(test.statistic), float(test.pvalue)
            labs[temperature, lab] = {
                "n_models": len(own),
                "n_others": len(others),
                "cfr": mean(own),
                "cfr_others": mean(others),
                "u": 0.0 if u is None else u,
                "p": p if min(len(own), len(others)) > 1 else None,
            }
    run.agrees("paper.metacog_labs", ("temperature", "lab"), labs)
    figure = {}
    for (temperature, paradigm), some in cells.items():
        gap, natural, cfr = np.array(some).T
        one, two, both = (
            float(stats.pearsonr(*pair).statistic)
            for pair in ((gap, cfr), (natural, cfr), (gap, natural))
        )
        partial = (one - two * both) / np.sqrt((1 - two**2) * (1 - both**2))
        for predictor, r, df in (
            ("gap", one, len(some) - 2),
            ("natural_accuracy", two, len(some) - 2),
            ("partial", float(partial), len(some) - 3),
        ):
            t = r * np.sqrt(df / (1 - r**2))
            p = float(2 * stats.t.sf(abs(t), df))
            figure[temperature, paradigm, predictor] = {"n": len(some), "r": r, "p": p}
    run.agrees("paper.metacog_figure_6", ("temperature", "paradigm", "predictor"), figure)


def test_scaling_and_temperature(run: RecordedRun, summaries: dict[Any, Any]) -> None:
    fits, pairs = {}, {}
    metrics = list(next(iter(summaries.values())))
    for temperature in (0.0, 0.7):
        for metric in metrics:
            told = [
                (np.log10(SIZES_B[model] * 1e9), summary[metric][1])
                for (model, at), summary in summaries.items()
                if at == temperature and summary[metric][1] is not None
            ]
            blank = dict.fromkeys(("slope", "intercept", "r", "se", "ci_low", "ci_high"))
            row: dict[str, Any] = {"n_models": len(told), **blank}
            if len(told) >= 3:
                fit = stats.linregress(*zip(*told, strict=True))
                width = float(stats.t.ppf(0.975, len(told) - 2)) * fit.stderr
                row |= {
                    "slope": fit.slope,
                    "intercept": fit.intercept,
                    "r": fit.rvalue,
                    "se": fit.stderr,
                    "ci_low": fit.slope - width,
                    "ci_high": fit.slope + width,
                }
            fits[temperature, metric] = row
    for (model, temperature), summary in summaries.items():
        if temperature == 0.7:
            for metric, (n, estimate) in summary.items():
                cold_n, cold = summaries[model, 0.0][metric]
                moved = None if cold is None or estimate is None else estimate - cold
                pairs[model, metric] = {
                    "n": cold_n,
                    "other_n": n,
                    "estimate": cold,
                    "other_estimate": estimate,
                    "difference": moved,
                    "other_temperature": 0.7,
                }
    run.agrees("summary.metacog_scaling", ("temperature", "metric"), fits)
    run.agrees(
        "summary.metacog_temperature",
        ("model", "metric"),
        pairs,
        trivial=("cfr_c2_false", *(f"tailored_cfr_c{at}" for at in (1, 2, 3, 4))),
    )


def test_stored_intervals_and_table_7(
    run: RecordedRun, scores: Rows, summaries: dict[Any, Any]
) -> None:
    experiments: dict[str, list[object]] = {}
    for name in ("exp1", "exp3", "exp4"):
        some = sorted(rows_in(scores, experiment=name), key=lambda row: row["scene_seed"])
        experiments[name] = list(dict.fromkeys(row["cluster"] for row in some))
    expected = {}
    for model, rows in groups(scores, *MODEL).items():
        units = {
            ("exp1", "natural_accuracy"): units_of(
                rows_in(rows, experiment="exp1", channel="natural"), "accuracy"
            ),
            ("exp1", "wagering_accuracy"): units_of(
                rows_in(rows, experiment="exp1", channel="wagering"), "accuracy"
            ),
            ("exp3", "cce_code"): units_of(compositions_of(rows), "cce_code"),
            ("exp3", "cce_printed"): units_of(compositions_of(rows), "cce_printed"),
            ("exp4", "ai_true"): adaptations_of(rows, "true", "bet"),
            ("exp4", "ai_false"): adaptations_of(rows, "false", "bet"),
        }
        for (name, metric), some in units.items():
            expected[*model, metric] = interval_of(some, experiments[name], name)
    names = ", ".join(f"'{metric}'" for metric in {key[-1] for key in expected})
    run.agrees(
        "summary.metacog_intervals",
        (*MODEL, "metric"),
        expected,
        where=f"metric in ({names})",
        given=("draws", "seed"),
    )
    table = {
        key[:2]: {
            "cce": row["estimate"],
            "ci_low": row["ci_low"],
            "ci_high": row["ci_high"],
            "n": summaries[key[:2]]["cce_code"][0],
        }
        for key, row in expected.items()
        if key[-1] == "cce_code"
    }
    run.agrees("paper.metacog_table_7", MODEL, table)


def test_staircases(run: RecordedRun, scores: Rows) -> None:
    expected = {}
    rows = rows_in(scores, experiment="staircase")
    for (*cell, domain), some in groups(rows, *MODEL, "domain").items():
        told = [
            {"level": step["level"], "cluster": step["item_id"], "right": bool(step["correct"])}
            for row in some
            for step in row["steps"]
        ]
        for (level,), of_level in groups(told, "level").items():
            found = share(units_of(of_level, "right"))
            expected[*cell, domain, level] = {
                "n": found["n"],
                "n_episodes": found["n_episodes"],
                "accuracy": found["estimate"],
                "ci_low": found["ci_low"],
                "ci_high": found["ci_high"],
            }
    run.agrees("metric.metacog_staircase", (*MODEL, "domain", "level"), expected)
