"""The effect of each varied setting: a curve per model, in panels by condition."""

import re

from mirror_ray.analysis.plots.curves import MOST_WITH_INTERVALS, curves
from mirror_ray.analysis.quoting import literal
from mirror_ray.analysis.reading import Reading, Row
from mirror_ray.analysis.report.cells import (
    estimate_column,
    held_text,
    interval_text,
    metric_text,
    p_value,
    share_text,
    words,
)
from mirror_ray.analysis.report.section import Figure, ReportTable, Section
from mirror_ray.contract.metrics import METRICS

_AXIS = re.compile(r"[a-z][a-z0-9_]{0,39}")
# If other settings were varied too, the curves under the setting of most episodes.
_CURVES = """\
with held as (
    select temperature, label
    from ablation.curves
    where family = '{family}' and axis = {axis} and metric = '{metric}'
    group by temperature, label
    order by sum(n) desc, label, temperature
    limit 1
)

select
    condition, model, value, number, is_default, n, estimate, ci_low, ci_high, baseline, difference,
    p_holm
from ablation.curves
where
    family = '{family}' and axis = {axis} and metric = '{metric}'
    and (temperature, label) is not distinct from (from held select (temperature, label))
order by condition, model, number, value"""
_ALL = """\
select *
from ablation.curves
where family = '{family}' and metric = '{metric}'
order by axis, curve, number, not is_default, value"""


def section(run: Reading) -> Section | None:
    """The curves of each family and axis; None if nothing was varied."""
    parts: list[Figure | ReportTable] = []
    for family in run.families():
        if family not in METRICS:
            continue
        metric = METRICS[family].leading
        name = metric_text(family, metric)
        if not _is_varied(run, family):
            continue
        axes = run.rows(
            f"select distinct axis from ablation.curves where family = '{family}' order by axis"  # noqa: S608 - a family's name
        )
        for axis in (row["axis"] for row in axes):
            # A value may be the name of a file: such values are in the table alone.
            sql = _CURVES.format(family=family, axis=literal(axis), metric=metric)
            if _AXIS.fullmatch(axis) and (rows := run.rows(sql)):
                parts.append(_figure(family, axis, name, sql, rows))
        if axes:
            every = _ALL.format(family=family, metric=metric)
            parts.append(_table(family, name, every, run))
    if not parts:
        return None
    return Section(
        "ablations",
        "Ablations",
        "One setting is varied, everything else stays: the same models, scenes and prompts.",
        tuple(parts),
    )


def _is_varied(run: Reading, family: str) -> bool:
    """Whether there are several settings. Checked first, because the curves need all comparisons of
    models.
    """
    (found,) = run.rows(
        f"select count(distinct (temperature, variant)) as n from episode.{family}"  # noqa: S608 - a family's name
    )
    return bool(found["n"] > 1)


def _figure(family: str, axis: str, name: str, sql: str, rows: list[Row]) -> Figure:
    is_numeric = all(_is_number(row["value"]) for row in rows)
    # Words have no order: the default comes first, and the dots are not joined.
    is_ordered = all(row["number"] is not None for row in rows)
    by_place = sorted(
        rows,
        key=lambda row: (row["number"],) if is_ordered else (not row["is_default"], row["value"]),
    )
    values = dict.fromkeys(float(r["value"]) if is_numeric else r["value"] for r in by_place)
    return Figure(
        f"ablation_{family}_{axis}",
        f"{family}: {name} by {axis}",
        f"The same scenes at each value of {axis}; 95 % intervals are drawn for up to "
        f"{MOST_WITH_INTERVALS} models, and are in the table.",
        sql,
        curves(
            [
                {
                    "model": row["model"],
                    "panel": row["condition"],
                    "value": float(row["value"]) if is_numeric else row["value"],
                    "estimate": row["estimate"],
                    "low": row["ci_low"],
                    "high": row["ci_high"],
                    "description": f"{row['model']} in {row['condition']}, {axis} {row['value']}: "
                    f"{share_text(row['estimate'])} "
                    f"({interval_text(row['ci_low'], row['ci_high'], share_text)}), n = {row['n']}",
                }
                for row in rows
            ],
            title=axis,
            values=tuple(values),
            spacing="linear" if is_numeric else "ordinal" if is_ordered else "nominal",
        ),
    )


def _table(family: str, name: str, sql: str, run: Reading) -> ReportTable:
    return ReportTable(
        f"ablations_{family}",
        f"{family}: {name} at every value",
        "Differences are from the curve's first value, on the same scenes, with their test. Other "
        "metrics: ablation.curves.",
        sql,
        run.table(sql),
        (
            words("value", "value"),
            estimate_column(name),
            estimate_column(
                "difference",
                key="difference",
                low="difference_low",
                high="difference_high",
                n="n_shared",
            ),
            p_value("p_holm", "p, Holm"),
        ),
        group=lambda row: held_text(str(row["curve"]), row["temperature"]),
    )


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
