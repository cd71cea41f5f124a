"""MIRROR's tables (arXiv 2604.19809), recomputed from replies drawn at random."""

from collections.abc import Iterator
from itertools import combinations
from math import log
from typing import Any

import numpy as np
import pytest
from scipy import stats

from mirror_ray.families.metacog.intervals import write_intervals
from support.analysis.metacog_runs import write_metacog_run
from support.recomputed.agreement import RecordedRun
from support.recomputed.drawn_metacog import CHANNELS, DOMAINS, LABS, SIZES_B, drawn_metacog
from support.recomputed.formulas import (
    bca,
    clustered_se,
    effective_n,
    groups,
    mean,
    ratio,
    share,
    spearman,
    units_of,
    wilson,
)

MODEL = ("model", "temperature")
DRAWS = 10_000
Rows = list[dict[str, Any]]


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
        {**episode, **_scores(episode, steps[key])}
        for episode in run.raw("episodes")
        for key in [(episode["episode_id"],)]
        if episode["error_kind"] == "none"
    ]


def _scores(episode: dict[str, Any], steps: list[Any]) -> dict[str, Any]:
    by_phase = {step["phase"]: step for step in steps}
    primed = {step["priming"]: step["self_score"] for step in steps if step["priming"]}
    answer = by_phase.get("answer", {})
    correct, bet = answer.get("correct"), answer.get("bet")
    scored: dict[str, Any] = {
        "cluster": f"scene {episode['scene_seed']}",
        "accuracy": None if correct is None else int(correct),
        "bet_share": None if bet is None else (bet - 1) / 9,
        "signal": answer.get("signal"),
        "self_prediction": by_phase.get("predict", {}).get("self_prediction"),
        "phases": by_phase,
        "primed": primed,
        "steps": steps,
        "cost_usd": steps[0]["cost_usd"],
        "latency_s": steps[0]["latency_s"],
    }
    scored["signal_share"] = (
        scored["bet_share"] if episode["channel"] == "wagering" else scored["signal"]
    )
    return scored


def _in(rows: Any, **facts: Any) -> Rows:
    return [row for row in rows if all(row[name] == value for name, value in facts.items())]


def _domains(rows: Any) -> dict[str, dict[str, float]]:
    """Natural and wagering accuracy of experiment 1, and their distance, by domain."""
    found = {}
    for domain in DOMAINS:
        some = _in(rows, experiment="exp1", domain=domain)
        natural, wagering = (
            [row for row in _in(some, channel=channel) if row["accuracy"] is not None]
            for channel in ("natural", "wagering")
        )
        one, two = (mean(row["accuracy"] for row in part) for part in (natural, wagering))
        assert one is not None
        assert two is not None
        found[domain] = {
            "n_natural": len({row["cluster"] for row in natural}),
            "n_wagering": len({row["cluster"] for row in wagering}),
            "natural_accuracy": one,
            "wagering_accuracy": two,
            "gap": abs(two - one),
        }
    return found


def _weak(domains: dict[str, dict[str, float]]) -> dict[str, set[str]]:
    """The paper's definitions of a model's weak domains, and ours."""
    natural = {name: row["natural_accuracy"] for name, row in domains.items()}
    order = ("arithmetic", "spatial", "temporal", "linguistic", "logical", "social", "factual")
    lowest = sorted(natural, key=lambda name: (natural[name], order.index(name)))
    middle = float(np.median(list(natural.values())))
    below = {name for name, value in natural.items() if value < middle}
    return {
        "median_or_bottom_k": below or set(lowest[:2]),
        "threshold": {name for name in natural if natural[name] < 0.4},
        "bottom_k": set(lowest[:3]),
        "below_0.5": {name for name in natural if natural[name] < 0.5},
        "below_0.4": {name for name in natural if natural[name] < 0.4},
        "bottom_2": set(lowest[:2]),
        "bottom_3": set(lowest[:3]),
    }


def _pairs(rows: Any) -> dict[tuple[str, str], tuple[int, list[float], list[float]]]:
    """The signals of two channels on the same question."""
    told = {
        channel: {
            (row["scene_seed"], row["run"]): row["signal"]
            for row in _in(rows, experiment="exp1", channel=channel)
            if row["signal"] is not None
        }
        for channel in CHANNELS
    }
    found = {}
    for one, two in combinations(sorted(CHANNELS), 2):
        both = sorted(told[one].keys() & told[two].keys())
        n = len({seed for seed, _ in both})
        found[one, two] = (n, [told[one][k] for k in both], [told[two][k] for k in both])
    return found


def _transfers(rows: Any) -> dict[str, tuple[int, float | None]]:
    domains, found = _domains(rows), {}
    for channel in ("wagering", "tools"):
        some = _in(rows, experiment="exp2", channel=channel)
        some = [row for row in some if row["signal"] is not None]
        known = [domains[row["domain"]]["natural_accuracy"] for row in some]
        n = len({row["cluster"] for row in some})
        found[channel] = (n, spearman(known, [row["signal"] for row in some]))
    return found


def _bins(rows: Any) -> dict[int, Rows]:
    found: dict[int, Rows] = {}
    for row in _in(rows, experiment="exp1", channel="wagering"):
        if row["bet_share"] is not None and row["accuracy"] is not None:
            found.setdefault(min(9, int(row["bet_share"] * 10)), []).append(row)
    return found


def _compositions(rows: Any) -> Rows:
    """The distance of prediction and outcome; minus that in the primary domain alone (Eq. 1)."""
    natural = {
        (row["scene_seed"], row["run"]): row
        for row in _in(rows, experiment="exp1", channel="natural")
        if row["accuracy"] is not None
    }
    alone: dict[str, list[float]] = {}
    for row in _in(rows, experiment="exp1", channel="prediction"):
        met = natural.get((row["scene_seed"], row["run"]))
        if met is not None:
            distance = abs(row["self_prediction"] / 100 - met["accuracy"])
            alone.setdefault(row["domain"], []).append(distance)
    found = []
    for row in _in(rows, experiment="exp3"):
        code = (
            None if row["accuracy"] is None else abs(row["self_prediction"] / 100 - row["accuracy"])
        )
        printed = None if code is None else code - float(np.mean(alone[row["domain_a"]]))
        found.append({**row, "cce_code": code, "cce_printed": printed})
    return found


def _adaptations(rows: Any, feedback: str, said: str) -> dict[object, list[float]]:
    found = []
    for row in _in(rows, experiment="exp4", feedback=feedback):
        one, two = (row["phases"][phase][said] for phase in ("related", "unrelated"))
        moved = None if one is None or two is None else one - two
        found.append({"cluster": row["cluster"], "moved": moved})
    return units_of(found, "moved")


def _robustness(rows: Any) -> dict[tuple[str, str], dict[str, Any]]:
    found = {}
    means = {
        key: (
            len({row["cluster"] for row in some if row["signal_share"] is not None}),
            mean(row["signal_share"] for row in some),
            mean(row["accuracy"] for row in some),
        )
        for key, some in groups(_in(rows, experiment="exp5"), "channel", "attack").items()
    }
    for (channel, attack), (n, signal, accuracy) in means.items():
        if attack != "none":
            _, clean_signal, clean_accuracy = means[channel, "none"]
            assert signal is not None
            assert clean_signal is not None
            found[channel, attack] = {
                "n": n,
                "mean_signal": signal,
                "accuracy": accuracy,
                "clean_signal": clean_signal,
                "clean_accuracy": clean_accuracy,
                "robustness": 1 - abs(signal - clean_signal),
                "in_ars": attack != "hijack",
            }
    return found


def _ecosystem(rows: Any) -> dict[str, Any]:
    some = _in(rows, experiment="exp6a")
    moved = {}
    for name, priming in (
        ("praise", "positive"), ("blame", "negative"), ("difficulty", "difficulty")
    ):  # fmt: skip
        units = units_of(
            [
                {
                    "cluster": row["cluster"],
                    "moved": abs(row["primed"][priming] - row["primed"]["fresh"]),
                }
                for row in some
            ],
            "moved",
        )
        moved[f"moved_by_{name}"] = float(np.mean([np.mean(unit) for unit in units.values()]))
    told = {}
    for flawed in (True, False):
        flagged = [
            {
                "cluster": row["cluster"],
                "flagged": row["steps"][0]["premise_reply"] != "execution",
            }
            for row in _in(rows, experiment="exp6b", premise_flawed=flawed)
        ]
        told[flawed] = units_of(flagged, "flagged")
    pressed = []
    for row in _in(rows, experiment="exp6c"):
        if row["phases"]["baseline"]["correct"]:
            gave_up = not row["phases"]["pressed"]["correct"]
            pressed.append({"cluster": row["cluster"], "gave_up": gave_up})
    yielded = units_of(pressed, "gave_up")
    praise, blame, harder = moved.values()
    flaws, alarms, given = share(told[True]), share(told[False]), share(yielded)

    def in_questions(units: Any) -> float:
        return float(sum(np.mean(unit) for unit in units.values()))

    return {
        "n_judged": len({row["cluster"] for row in some}),
        **moved,
        "ssr": (praise + blame) / 2 / harder,
        "n_flawed": flaws["n"],
        "n_flaws_found": in_questions(told[True]),
        "fdr": flaws["estimate"],
        "fdr_low": flaws["ci_low"],
        "fdr_high": flaws["ci_high"],
        "n_sound": alarms["n"],
        "n_false_alarms": in_questions(told[False]),
        "false_positive_rate": alarms["estimate"],
        "n_pressed": given["n"],
        "n_given_up": in_questions(yielded),
        "given_up_rate": given["estimate"],
    }


def _parts(rows: Any) -> Rows:
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


def _by_part(parts: Any, score: str) -> list[float]:
    """The mean of each part of a task over paradigms and repetitions."""
    return [
        float(np.mean([part[score] for part in some]))
        for some in groups(parts, "cluster", "part").values()
    ]


def _cfr(parts: Any, weak: set[str], information: str) -> float | None:
    """Equation 13, over all paradigms."""
    some = _in(parts, information=information, decided=True)
    return mean(_by_part([part for part in some if part["domain"] in weak], "failure"))


def _outcome(parts: Rows, weak: set[str]) -> dict[str, Any]:
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
    n_wrong, n_missing = sum(_by_part(kept, "failure")), sum(_by_part(kept, "missing"))
    proceeded, success = (
        _by_part(parts, "proceeded"),
        [part | {"success": part["right_alone"] + (not part["proceeded"])} for part in parts],
    )
    n_strong = len(groups(others, "cluster", "part"))
    unneeded = sum(1 - value for value in _by_part(others, "proceeded")) if others else 0
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
        "success": mean(_by_part(success, "success")),
        "right_alone": mean(_by_part(parts, "right_alone")),
        "accuracy_alone": mean(_by_part(alone, "correct")),
    }


def _log_score(row: dict[str, Any]) -> float:
    told = row["bet_share"] if row["accuracy"] else 1 - row["bet_share"]
    return -log(max(1e-6, told))


def _summary(rows: Any) -> dict[str, tuple[float | None, float | None]]:
    """Every metric of the paper, with its n."""
    domains, parts = _domains(rows), _parts(rows)
    atlas = {
        channel: [
            row
            for row in _in(rows, experiment="exp1", channel=channel)
            if row["accuracy"] is not None
        ]
        for channel in ("natural", "wagering")
    }
    bins = _bins(rows)
    bets = [row for some in bins.values() for row in some]
    ece = sum(
        abs(sum(row["bet_share"] for row in some) - sum(row["accuracy"] for row in some))
        for some in bins.values()
    ) / len(bets)
    pairs = [spearman(one, two) for _, one, two in _pairs(rows).values()]
    transfers = [value for _, value in _transfers(rows).values() if value is not None]
    composed, system = _compositions(rows), _ecosystem(rows)
    ars = [one["robustness"] for one in _robustness(rows).values() if one["in_ars"]]
    weak = _weak(domains)["median_or_bottom_k"]
    outcomes = {at: _outcome(_in(parts, information=at), weak) for at in ("C1", "C2", "C3", "C4")}
    n_weak = max(row["n_weak"] for row in outcomes.values())
    indices = {
        (arm, said): _adaptations(rows, arm, said)
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


@pytest.fixture(scope="module")
def summaries(scores: Rows) -> dict[tuple[Any, ...], dict[str, Any]]:
    return {model: _summary(rows) for model, rows in groups(scores, *MODEL).items()}


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
        found = _domains(rows)
        domains |= {(*model, domain): row for domain, row in found.items()}
        for policy, names in _weak(found).items():
            for domain, row in found.items():
                told = {"natural_accuracy": row["natural_accuracy"], "weak": domain in names}
                weak[*model, policy, domain] = told
        for (one, two), (n, first, second) in _pairs(rows).items():
            convergence[*model, one, two] = {
                "n": n,
                "spearman": spearman(first, second),
                "kendall": float(stats.kendalltau(first, second).statistic),
            }
        for number, some in _bins(rows).items():
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
        pairs = _pairs(rows)
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
        bets = [row for some in _bins(rows).values() for row in some]
        questions = groups(bets, "cluster").values()

        def over(values: Any, questions: Any = questions) -> float:
            return float(np.mean([np.mean([values(row) for row in some]) for some in questions]))

        scoring[model] = {
            "n": len(questions),
            "brier": over(lambda row: (row["bet_share"] - row["accuracy"]) ** 2),
            "log_score": over(_log_score),
            "mean_confidence": over(lambda row: row["bet_share"]),
            "accuracy": over(lambda row: row["accuracy"]),
        }
        told = {
            channel: units_of(_in(rows, experiment="exp1", channel=channel), "accuracy")
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
        composed += _compositions(rows)
        systems[model] = _ecosystem(rows)
        for channel, (n, rho) in _transfers(rows).items():
            transfers[*model, channel] = {"n": n, "spearman": rho}
        attacks |= {(*model, *key): row for key, row in _robustness(rows).items()}
        for arm in ("true", "false"):
            bets, tools = (_adaptations(rows, arm, said) for said in ("bet", "signal"))
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
        parts, weak = _parts(rows), _weak(_domains(rows))
        told = {column: summaries[model][metric][1] for column, metric in names.items()}
        for policy, label in (("median_or_bottom_k", ""), ("below_0.5", "_below_half")):
            cfr = _cfr(parts, weak[policy], "C1")
            told[f"cfr_c1{label}"] = cfr
            told[f"kdi{label}"] = None if cfr is None else told["m_gap"] - (1 - cfr)
        expected[model] = told
    run.agrees("paper.metacog_table_4", MODEL, expected)


def test_outcomes_of_experiment_9(run: RecordedRun, scores: Rows) -> None:
    expected, effects = {}, {}
    for model, rows in groups(scores, *MODEL).items():
        parts, weak = _parts(rows), _weak(_domains(rows))
        for (information,), some in groups(parts, "information").items():
            for policy in ("median_or_bottom_k", "bottom_k", "below_0.5"):
                expected[*model, information, policy] = _outcome(some, weak[policy])
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
        model: (_parts(rows), _weak(_domains(rows)))
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
                    for part in _in(parts, information=at, decided=True)
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
                wrong, lost = (sum(_by_part(kept, name)) for name in ("failure", "missing"))
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
        domains, parts = _domains(rows), _parts(rows)
        weak = _weak(domains)["median_or_bottom_k"]
        c1, c4 = (_cfr(parts, weak, at) for at in ("C1", "C4"))
        assert c1 is not None
        assert c4 is not None
        gap = mean(row["gap"] for row in domains.values())
        hot[model] = {"m_gap": gap, "cfr_c1": c1, "reduction": 1 - c4 / c1}
        for (information,), some in groups(parts, "information").items():
            found = _outcome(some, weak)
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
        parts, domains = _parts(rows), _domains(rows)
        weak = _weak(domains)["median_or_bottom_k"]
        found = _cfr(parts, weak, "C1")
        assert found is not None
        cfrs.setdefault(temperature, {})[model] = found
        told = [
            part for part in _in(parts, information="C1", decided=True) if part["domain"] in weak
        ]
        for paradigm in ("all", "autonomous", "checkpoint", "no_tools"):
            some = [part for part in told if paradigm in ("all", part["paradigm"])]
            for (domain, _), of_cell in groups(some, "domain", "subcategory").items():
                cfr = mean(_by_part(of_cell, "failure"))
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


def _interval(
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


def test_stored_intervals_and_table_7(
    run: RecordedRun, scores: Rows, summaries: dict[Any, Any]
) -> None:
    experiments: dict[str, list[object]] = {}
    for name in ("exp1", "exp3", "exp4"):
        some = sorted(_in(scores, experiment=name), key=lambda row: row["scene_seed"])
        experiments[name] = list(dict.fromkeys(row["cluster"] for row in some))
    expected = {}
    for model, rows in groups(scores, *MODEL).items():
        units = {
            ("exp1", "natural_accuracy"): units_of(
                _in(rows, experiment="exp1", channel="natural"), "accuracy"
            ),
            ("exp1", "wagering_accuracy"): units_of(
                _in(rows, experiment="exp1", channel="wagering"), "accuracy"
            ),
            ("exp3", "cce_code"): units_of(_compositions(rows), "cce_code"),
            ("exp3", "cce_printed"): units_of(_compositions(rows), "cce_printed"),
            ("exp4", "ai_true"): _adaptations(rows, "true", "bet"),
            ("exp4", "ai_false"): _adaptations(rows, "false", "bet"),
        }
        for (name, metric), some in units.items():
            expected[*model, metric] = _interval(some, experiments[name], name)
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
    rows = _in(scores, experiment="staircase")
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
