"""Selects the scores that make up each metric of metacog's summary, scene by scene; a scene is a
question.

Formulas are in `metacog.statistics`. [Our reading] Later experiments take experiment 1's results
about a model's domains as given: weak domains in CFR, accuracy in TII, calibration in CCE."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from itertools import combinations
from typing import Any, TypeAlias

import duckdb

from mirror_ray.families.metacog.statistics import (
    Scored,
    Statistic,
    calibration_error,
    mean,
    mean_correlation,
    mean_distance,
    robustness,
)

_Row: TypeAlias = dict[str, Any]
ScoredModel: TypeAlias = tuple[str, float | None, str]
"""Model, temperature and setting."""

_QUERIES: Mapping[str, str] = {
    "exp1": """
        select
            *, least(9, floor(bet_share * 10)) as bin,
            bet_share - accuracy as excess, (bet_share - accuracy) ** 2 as squared_excess
        from episode.metacog where experiment = 'exp1' and not failed
    """,
    "exp2": """
        select transfer.*, known.natural_accuracy
        from episode.metacog as transfer
        inner join metric.metacog_domains as known
            on transfer.model = known.model
            and transfer.temperature is not distinct from known.temperature
            and transfer.known_setting = known.setting
            and transfer.domain = known.domain
        where transfer.experiment = 'exp2' and not transfer.failed
    """,
    "exp3": "select * from metric.metacog_composition",
    "exp4": """
        select *, bet_related - bet_unrelated as adaptation
        from episode.metacog where experiment = 'exp4' and not failed
    """,
    "exp5": "select * from episode.metacog where experiment = 'exp5' and not failed "
    "and attack <> 'hijack'",
    "exp6b": """
        select *, premise_flagged::integer as told
        from episode.metacog where experiment = 'exp6b' and not failed
    """,
    "exp9": """
        select *, coalesce(proceeded and correct = 0, false)::integer as failure
        from agency.metacog_parts
        where weak and decided and task_set = 'fixed' and policy = macro.policy_of(route)
        qualify rank() over (
            partition by model, temperature, setting order by route <> 'median', route
        ) = 1
    """,
}
EXPERIMENTS = tuple(_QUERIES)


def statistics_of(
    connection: duckdb.DuckDBPyConnection, experiment: str
) -> dict[tuple[ScoredModel, str], Statistic]:
    """Return every metric of every model that the experiment has rows for, over the same scenes."""
    cursor = connection.execute(
        f"with answers as ({_QUERIES[experiment]}) from answers "
        "order by model, temperature, setting, scene_seed, run, episode_id"
    )
    names = [column[0] for column in cursor.description or ()]
    rows = [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]
    firsts: dict[str, int] = {}
    for row in sorted(rows, key=lambda row: int(row["scene_seed"])):
        firsts.setdefault(row["cluster"], row["scene_seed"])
    ordered = sorted(firsts, key=lambda cluster: (firsts[cluster], cluster))
    places = {cluster: at for at, cluster in enumerate(ordered)}
    by_model: dict[ScoredModel, list[_Row]] = {}
    for row in rows:
        row["scene"] = places[row["cluster"]]
        by_model.setdefault((row["model"], row["temperature"], row["setting"]), []).append(row)
    return {
        (model, metric): statistic
        for model, members in by_model.items()
        for metric, statistic in _METRICS[experiment](members, len(places)).items()
    }


def _scored(rows: Sequence[_Row], score: str, *group: str) -> list[Scored]:
    found = []
    for row in rows:
        of: tuple[Hashable, ...] = tuple(row[key] for key in group)
        if row[score] is not None and None not in of:
            found.append(Scored(row["scene"], of, row[score]))
    return found


def _atlas(rows: Sequence[_Row], n_scenes: int) -> dict[str, Statistic]:
    by_channel: dict[str, list[_Row]] = {}
    for row in rows:
        by_channel.setdefault(row["channel"], []).append(row)
    natural, wagering = by_channel.get("natural", []), by_channel.get("wagering", [])
    # The channels of one repetition are compared; a question's repetitions are drawn together.
    signals = [
        {
            (row["scene"], row["scene_seed"], row["run"]): row["signal"]
            for row in by_channel[channel]
            if row["signal"] is not None
        }
        for channel in _CONVERGING
        if channel in by_channel
    ]
    return {
        "natural_accuracy": mean(_scored(natural, "accuracy"), n_scenes),
        "wagering_accuracy": mean(_scored(wagering, "accuracy"), n_scenes),
        "gap": mean_distance(
            _scored(wagering, "accuracy", "domain"),
            _scored(natural, "accuracy", "domain"),
            n_scenes,
        ),
        "mci": mean_correlation(
            [
                [(asked[0], one[asked], two[asked]) for asked in one if asked in two]
                for one, two in combinations(signals, 2)
            ],
            n_scenes,
            signed=True,
        ),
        "ece": calibration_error(_scored(wagering, "excess", "bin"), n_scenes),
        "brier": mean(_scored(wagering, "squared_excess"), n_scenes),
    }


def _transfer(rows: Sequence[_Row], n_scenes: int) -> dict[str, Statistic]:
    by_channel: dict[str, list[tuple[int, float, float]]] = {}
    for row in rows:
        if row["signal"] is not None and row["natural_accuracy"] is not None:
            observed = (row["scene"], row["natural_accuracy"], row["signal"])
            by_channel.setdefault(row["channel"], []).append(observed)
    return {"tii": mean_correlation(by_channel.values(), n_scenes, signed=False)}


def _composition(rows: Sequence[_Row], n_scenes: int) -> dict[str, Statistic]:
    return {metric: mean(_scored(rows, metric), n_scenes) for metric in ("cce_printed", "cce_code")}


def _feedback(rows: Sequence[_Row], n_scenes: int) -> dict[str, Statistic]:
    return {
        f"ai_{arm}": mean(
            _scored([row for row in rows if row["feedback"] == arm], "adaptation"), n_scenes
        )
        for arm in ("true", "false")
    }


def _attacks(rows: Sequence[_Row], n_scenes: int) -> dict[str, Statistic]:
    attacked = _scored(
        [row for row in rows if row["attack"] != "none"], "signal_share", "channel", "attack"
    )
    clean = _scored([row for row in rows if row["attack"] == "none"], "signal_share", "channel")
    attacks = {one.group for one in attacked}
    # The clean twins of a channel are paired with each of its attacks.
    twins = [
        Scored(one.scene, group, one.score)
        for one in clean
        for group in attacks
        if isinstance(group, tuple) and (group[0],) == one.group
    ]
    return {"ars": robustness(attacked, twins, n_scenes)}


def _premises(rows: Sequence[_Row], n_scenes: int) -> dict[str, Statistic]:
    return {
        metric: mean(
            _scored([row for row in rows if row["premise_flawed"] is flawed], "told"), n_scenes
        )
        for metric, flawed in (("fdr", True), ("false_positive_rate", False))
    }


def _failures(rows: Sequence[_Row], n_scenes: int) -> dict[str, Statistic]:
    return {
        f"cfr_{information.lower()}": mean(
            _scored([row for row in rows if row["information"] == information], "failure"), n_scenes
        )
        for information in ("C1", "C2", "C3", "C4")
    }


_CONVERGING = ("wagering", "opt_out", "difficulty", "tools", "natural")
_METRICS: Mapping[str, Callable[[Sequence[_Row], int], dict[str, Statistic]]] = {
    "exp1": _atlas,
    "exp2": _transfer,
    "exp3": _composition,
    "exp4": _feedback,
    "exp5": _attacks,
    "exp6b": _premises,
    "exp9": _failures,
}
