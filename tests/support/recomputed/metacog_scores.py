"""MIRROR's scores and its experiments 1 to 6, recomputed from rows (arXiv 2604.19809)."""

from itertools import combinations
from typing import Any

import numpy as np

from support.recomputed.drawn_metacog import CHANNELS, DOMAINS
from support.recomputed.formulas import groups, mean, share, spearman, units_of

Rows = list[dict[str, Any]]
MODEL = ("model", "temperature")


def scores_of(episode: dict[str, Any], steps: list[Any]) -> dict[str, Any]:
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


def rows_in(rows: Any, **facts: Any) -> Rows:
    return [row for row in rows if all(row[name] == value for name, value in facts.items())]


def domains_of(rows: Any) -> dict[str, dict[str, float]]:
    """Natural and wagering accuracy of experiment 1, and their distance, by domain."""
    found = {}
    for domain in DOMAINS:
        some = rows_in(rows, experiment="exp1", domain=domain)
        natural, wagering = (
            [row for row in rows_in(some, channel=channel) if row["accuracy"] is not None]
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


def weak_in(domains: dict[str, dict[str, float]]) -> dict[str, set[str]]:
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


def channel_pairs(rows: Any) -> dict[tuple[str, str], tuple[int, list[float], list[float]]]:
    """The signals of two channels on the same question."""
    told = {
        channel: {
            (row["scene_seed"], row["run"]): row["signal"]
            for row in rows_in(rows, experiment="exp1", channel=channel)
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


def transfers_of(rows: Any) -> dict[str, tuple[int, float | None]]:
    domains, found = domains_of(rows), {}
    for channel in ("wagering", "tools"):
        some = rows_in(rows, experiment="exp2", channel=channel)
        some = [row for row in some if row["signal"] is not None]
        known = [domains[row["domain"]]["natural_accuracy"] for row in some]
        n = len({row["cluster"] for row in some})
        found[channel] = (n, spearman(known, [row["signal"] for row in some]))
    return found


def bins_of(rows: Any) -> dict[int, Rows]:
    found: dict[int, Rows] = {}
    for row in rows_in(rows, experiment="exp1", channel="wagering"):
        if row["bet_share"] is not None and row["accuracy"] is not None:
            found.setdefault(min(9, int(row["bet_share"] * 10)), []).append(row)
    return found


def compositions_of(rows: Any) -> Rows:
    """The distance of prediction and outcome; minus that in the primary domain alone (Eq. 1)."""
    natural = {
        (row["scene_seed"], row["run"]): row
        for row in rows_in(rows, experiment="exp1", channel="natural")
        if row["accuracy"] is not None
    }
    alone: dict[str, list[float]] = {}
    for row in rows_in(rows, experiment="exp1", channel="prediction"):
        met = natural.get((row["scene_seed"], row["run"]))
        if met is not None:
            distance = abs(row["self_prediction"] / 100 - met["accuracy"])
            alone.setdefault(row["domain"], []).append(distance)
    found = []
    for row in rows_in(rows, experiment="exp3"):
        code = (
            None if row["accuracy"] is None else abs(row["self_prediction"] / 100 - row["accuracy"])
        )
        printed = None if code is None else code - float(np.mean(alone[row["domain_a"]]))
        found.append({**row, "cce_code": code, "cce_printed": printed})
    return found


def adaptations_of(rows: Any, feedback: str, said: str) -> dict[object, list[float]]:
    found = []
    for row in rows_in(rows, experiment="exp4", feedback=feedback):
        one, two = (row["phases"][phase][said] for phase in ("related", "unrelated"))
        moved = None if one is None or two is None else one - two
        found.append({"cluster": row["cluster"], "moved": moved})
    return units_of(found, "moved")


def robustness_of(rows: Any) -> dict[tuple[str, str], dict[str, Any]]:
    found = {}
    means = {
        key: (
            len({row["cluster"] for row in some if row["signal_share"] is not None}),
            mean(row["signal_share"] for row in some),
            mean(row["accuracy"] for row in some),
        )
        for key, some in groups(rows_in(rows, experiment="exp5"), "channel", "attack").items()
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


def ecosystem_of(rows: Any) -> dict[str, Any]:
    some = rows_in(rows, experiment="exp6a")
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
            {"cluster": row["cluster"], "flagged": row["steps"][0]["premise_reply"] != "execution"}
            for row in rows_in(rows, experiment="exp6b", premise_flawed=flawed)
        ]
        told[flawed] = units_of(flagged, "flagged")
    pressed = []
    for row in rows_in(rows, experiment="exp6c"):
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
