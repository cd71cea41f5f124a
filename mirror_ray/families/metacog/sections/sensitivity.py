"""metacog's third section: the sensitivity of its findings to assumptions and to the way of
asking."""

from collections.abc import Mapping

from mirror_ray.analysis.plots.curves import curves
from mirror_ray.analysis.plots.heat_map import heat_map
from mirror_ray.analysis.reading import Reading, Row
from mirror_ray.analysis.report.cells import (
    estimate_column,
    number_column,
    number_text,
    share_column,
    share_text,
    words,
)
from mirror_ray.analysis.report.section import (
    Column,
    Figure,
    Section,
    TableCell,
    TableQuery,
    with_rows,
)
from mirror_ray.families.metacog.sections.section import (
    paradigm_text,
    row_setting_text,
    summary_text,
)
from mirror_ray.families.metacog.sections.texts import NO_INTERVAL, section_texts

_BASELINES: Mapping[str, str] = {
    "none": "nothing",
    "domain": "domains",
    "confidence": "wagers",
    "self_consistency": "agreement",
    "platt": "Platt",
    "conformal": "conformal",
}
"""Baseline → what it separates, in a word."""

_ESCALATED = """\
from agency.metacog_baselines
order by
    temperature, setting, model,
    list_position(
        ['none', 'domain', 'confidence', 'self_consistency', 'platt', 'conformal'], baseline
    )"""
_RESOLVER = """\
from agency.metacog_parts_resolver
where
    policy = 'median_or_bottom_k' and paradigm = 'autonomous' and task_set = 'fixed'
    and (q * 10)::integer % 2 = 0
order by temperature, setting, information, model, q"""
_MISSING = """\
from agency.metacog_parts_missing
where policy = 'median_or_bottom_k' and n_missing > 0
order by temperature, setting, task_set, paradigm, information, model"""
_SCALING = """\
from summary.metacog_scaling
where slope is not null
order by temperature, setting, metric"""
_TEMPERATURE = """\
from summary.metacog_temperature
where difference is not null
order by setting, temperature, other_temperature, model, metric"""


_METRIC = Column("metric", lambda row: TableCell(summary_text(row["metric"])), is_number=False)


def section(run: Reading) -> Section | None:
    """Baselines, resolvers, missing answers, sizes, temperatures; None where none were played."""
    if "metacog" not in run.families():
        return None
    escalated, resolved = run.rows(_ESCALATED), run.rows(_RESOLVER)
    parts = with_rows(
        _escalation(escalated) if escalated else None,
        _resolver(resolved) if resolved else None,
        *(one.of(run) for one in _TABLES),
    )
    if not parts:
        return None
    return Section(
        *section_texts("metacog_sensitivity"),
        parts,
    )


def _escalation(rows: list[Row]) -> Figure:
    several = len({row_setting_text(row) for row in rows}) > 1
    return Figure(
        *section_texts("metacog_escalating"),
        _ESCALATED,
        heat_map(
            [
                {
                    "model": row["model"],
                    "panel": what + (f", {row_setting_text(row)}" if several else ""),
                    "column": _BASELINES[row["baseline"]],
                    "value": row[key],
                    "label": share_text(row[key]),
                    "description": f"{row['model']}, by {_BASELINES[row['baseline']]}: "
                    f"{share_text(row[key])} {what}, n={row['n']}",
                }
                for row in rows
                for key, what in (
                    ("failure_rate", "neither escalated nor right"),
                    ("escalation", "escalated"),
                )
            ],
            columns=list(_BASELINES.values()),
            title="share of questions",
            across=2,
            cell_px=60,
        ),
    )


def _resolver(rows: list[Row]) -> Figure:
    several = len({row_setting_text(row) for row in rows}) > 1
    return Figure(
        *section_texts("metacog_resolver"),
        _RESOLVER,
        curves(
            [
                {
                    "model": row["model"],
                    "panel": row["information"] + (f", {row_setting_text(row)}" if several else ""),
                    "value": row["q"],
                    "estimate": row["success"],
                    **NO_INTERVAL,
                    "description": f"{row['model']}, {row['information']}: "
                    f"{share_text(row['success'])} where they are right in "
                    f"{share_text(row['q'])}",
                }
                for row in rows
            ],
            title="those who take over are right",
            values=[0, 0.2, 0.4, 0.6, 0.8, 1],
            spacing="linear",
        ),
    )


_TABLES = (
    TableQuery(
        *section_texts("metacog_baselines"),
        _ESCALATED,
        (
            words("model", "model"),
            Column("by", lambda row: TableCell(_BASELINES[row["baseline"]]), is_number=False),
            share_column("escalation", "escalated"),
            share_column("failure_rate", "neither escalated nor right"),
            number_column("n", "n"),
        ),
        group=row_setting_text,
    ),
    TableQuery(
        *section_texts("metacog_missing"),
        _MISSING,
        (
            words("model", "model"),
            words("information", "under"),
            Column("paradigm", lambda row: TableCell(paradigm_text(row)), is_number=False),
            number_column("n_weak", "weak parts"),
            number_column("n_missing", "missing"),
            share_column("cfr_low", "as right"),
            share_column("cfr_complete", "left out"),
            share_column("cfr_weighted", "weighted"),
            share_column("cfr_high", "as wrong"),
        ),
        group=lambda row: f"{row['task_set']} tasks, {row_setting_text(row)}",
    ),
    TableQuery(
        *section_texts("metacog_scaling"),
        _SCALING,
        (
            _METRIC,
            estimate_column("slope", key="slope", n="n_models"),
            share_column("r", "r"),
        ),
        group=row_setting_text,
    ),
    TableQuery(
        *section_texts("metacog_temperature"),
        _TEMPERATURE,
        (
            words("model", "model"),
            _METRIC,
            share_column("estimate", "lower"),
            share_column("other_estimate", "higher"),
            share_column("difference", "difference"),
            number_column("n", "n"),
        ),
        group=lambda row: (
            f"{number_text(row['temperature'])} → {number_text(row['other_temperature'])}, "
            f"{row['setting']}"
        ),
    ),
)
