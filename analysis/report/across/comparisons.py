"""Comparisons of models and of conditions: paired on the same scenes."""

from dataclasses import replace

import pyarrow as pa

from mirror_ray.analysis.plots.forest import forest
from mirror_ray.analysis.reading import Reading, Row
from mirror_ray.analysis.report.across.discordant import Comparisons
from mirror_ray.analysis.report.cells import (
    chance_text,
    condition_text,
    estimate_column,
    held_text,
    metric_text,
    number_column,
    p_text,
    p_value,
    share_text,
    three_digits_text,
    words,
)
from mirror_ray.analysis.report.replies import replies_of
from mirror_ray.analysis.report.section import (
    UNDEFINED_CELL,
    Column,
    Figure,
    ReportTable,
    Section,
    TableCell,
)
from mirror_ray.analysis.report.setting import main_setting
from mirror_ray.contract.metrics import METRICS

_MODELS = """\
select
    tied.condition as panel,
    tied.model,
    'behind ' || tied.best_model as against,
    if(tied.model = tied.best_model, 0, -tied.behind_best) as difference,
    tied.model = tied.best_model as is_best,
    if(pairs.baseline = tied.model, -pairs.ci_high, pairs.ci_low) as low,
    if(pairs.baseline = tied.model, -pairs.ci_low, pairs.ci_high) as high,
    tied.n_shared as n,
    tied.p_holm,
    pairs.told_apart,
    pairs.probability
from contrast.pairs_tied as tied
left join contrast.pairs as pairs
    on
        pairs.axis = 'model'
        and tied.family = pairs.family
        and tied.condition = pairs.condition
        and tied.temperature is not distinct from pairs.temperature
        and tied.variant = pairs.variant
        and tied.metric = pairs.metric
        and least(tied.model, tied.best_model) = pairs.baseline
        and greatest(tied.model, tied.best_model) = pairs.value
where
    tied.family = '{family}' and tied.metric = '{metric}' and {setting}
    and (tied.model = tied.best_model or pairs.axis is not null)
qualify count(*) over (partition by tied.condition) > 1
order by panel, tied.model"""
_CONDITIONS = """\
select
    baseline || ' → ' || value as panel,
    model,
    'from ' || baseline || ' to ' || value as against,
    difference,
    ci_low as low,
    ci_high as high,
    n,
    p_holm,
    told_apart,
    probability
from contrast.pairs
where
    family = '{family}' and metric = '{metric}' and axis = 'condition' and {setting}
    and baseline = (
        select min(baseline) from contrast.pairs
        where family = '{family}' and metric = '{metric}' and axis = 'condition' and {setting}
    )
order by panel, model"""
_RANKS = """\
select *, count(*) over (partition by condition, temperature, variant) as n_models
from contrast.pairs_tied
where family = '{family}' and metric = '{metric}'
order by condition, temperature, variant, rank, model"""
_ALL = """\
select *
from contrast.pairs
where family = '{family}' and metric = '{metric}'
order by axis, question, baseline, value"""


def section(run: Reading) -> Section | None:
    """For each family its models against the best, and its conditions; None without pairs."""
    parts: list[Figure | ReportTable] = []
    for family in run.families():
        setting = main_setting(run, family) if family in METRICS else None
        if setting is None:
            continue
        said = replies_of(run, family).sentence
        metric = METRICS[family].leading
        name = metric_text(family, metric)
        where = setting.where_of("tied.")
        models = _MODELS.format(family=family, metric=metric, setting=where)
        if rows := run.rows(run.leading(models)):
            parts.append(
                Figure(
                    f"models_{family}",
                    f"{family}: {name} against the best model",
                    "Each model's difference from its condition's best, on the scenes both have "
                    f"played ({setting.text}). Hollow: not told apart from the best.",
                    models,
                    forest(_shown(rows), title=f"difference in {name}"),
                    replies=said,
                )
            )
        conditions = _CONDITIONS.format(family=family, metric=metric, setting=setting.where)
        if rows := run.rows(run.leading(conditions)):
            parts.append(
                Figure(
                    f"conditions_{family}",
                    f"{family}: what a condition does to {name}",
                    "The same scenes under two conditions, the second minus the first "
                    f"({setting.text}).",
                    conditions,
                    forest(_shown(rows), title=f"difference in {name}"),
                    replies=said,
                )
            )
        ranks = _RANKS.format(family=family, metric=metric)
        if len((data := run.table(run.leading(ranks))).column("model").unique()) > 1:
            parts.append(replace(_ranking(family, name, ranks, data), replies=said))
        every = _ALL.format(family=family, metric=metric)
        if (data := run.table(run.leading(every))).num_rows:
            parts.append(
                ReportTable(
                    f"pairs_{family}",
                    f"{family}: all paired differences in {name}",
                    "Exact McNemar test for shares, sign flips over scenes else; p is adjusted "
                    "by Holm's method over the comparisons that ask one question. What was settled "
                    "early has a verdict, with its probability for all planned scenes. Other "
                    "metrics: contrast.pairs.",
                    every,
                    data,
                    (
                        Column("change", _change, is_number=False),
                        estimate_column("first", key="baseline_estimate", low="", high="", n=""),
                        estimate_column("second", low="", high="", n=""),
                        estimate_column("difference", key="difference"),
                        p_value(),
                        Column("p, Holm", _p),
                        Column("effect", _effect),
                        Column(
                            "scenes that differ",
                            Comparisons(run, family).cell,
                            meaning="Scenes in which only the first, and only the second is right.",
                        ),
                    ),
                    group=lambda row: held_text(str(row["question"]), row["temperature"]),
                    replies=said,
                )
            )
    if not parts:
        return None
    return Section(
        "comparisons",
        "Paired comparisons",
        "All models play the same scenes, and so do conditions of one scene: differences are "
        "taken scene by scene.",
        tuple(parts),
    )


def _ranking(family: str, name: str, sql: str, data: pa.Table) -> ReportTable:
    return ReportTable(
        f"ranking_{family}",
        f"{family}: who is as good as whom in {name}",
        "Models that share a letter are not told apart by their paired test (Holm, p ≥ .05); those "
        "that share none are. Best first; the difference and p are those from the best. Models of "
        "which fewer than half of the replies were read are left out.",
        sql,
        data,
        (
            words("model", "model"),
            number_column("rank", "rank"),
            words("letters", "tied"),
            estimate_column(name, low="", high=""),
            estimate_column("behind the best", key="behind_best", low="", high="", n="n_shared"),
            p_value("p_holm", "p, Holm"),
        ),
        group=condition_text,
        tells=lambda row: row["n_models"] > 1,
        silence="one model alone was played",
    )


def _p(row: Row) -> TableCell:
    """The p, or the verdict of what was settled early, which has no p."""
    if row["p_holm"] is not None or row["probability"] is None:
        return TableCell(p_text(row["p_holm"]))
    return TableCell("apart" if row["told_apart"] else "not apart", chance_text(row["probability"]))


def _change(row: Row) -> TableCell:
    return TableCell(f"{row['baseline']} → {row['value']}")


def _effect(row: Row) -> TableCell:
    if row["cohens_g"] is not None:
        odds = three_digits_text(row["odds_ratio"])
        return TableCell(f"g {share_text(row['cohens_g'])}", f"odds ratio {odds}")
    if row["hedges_g_av"] is not None:
        return TableCell(f"g {share_text(row['hedges_g_av'])}")
    return TableCell(UNDEFINED_CELL)


def _told(row: Row) -> str:
    cell = _p(row)
    return f"{cell.text} with {cell.small}" if cell.small else f"p (Holm) {cell.text}"


def _shown(rows: list[Row]) -> list[Row]:
    return [
        {
            **row,
            "is_clear": bool(row["told_apart"]),
            "description": f"{row['model']}: the best"
            if row.get("is_best")
            else f"{row['model']} {row['against']}: {share_text(row['difference'])}, {_told(row)}, "
            f"{row['n']} scenes",
        }
        for row in rows
        if row["difference"] is not None
    ]
