"""MIRROR's comparisons of models, intervals and staircases (arXiv 2604.19809), recomputed."""

from typing import Any

import numpy as np
from scipy import stats

from support.recomputed.agreement import RecordedRun
from support.recomputed.drawn_metacog import LABS, SIZES_B
from support.recomputed.formulas import groups, mean, share, units_of
from support.recomputed.metacog_scores import (
    MODEL,
    Rows,
    adaptations_of,
    compositions_of,
    domains_of,
    rows_in,
    weak_in,
)
from support.recomputed.metacog_summary import by_part, cfr_of, interval_of, parts_of
from support.recomputed.recorded_metacog import recorded_metacog, scored_metacog

DRAWN, SCORED = recorded_metacog, scored_metacog


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
