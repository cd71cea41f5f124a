"""metacog's third section: how its findings depend on assumptions and on the way of asking."""

from collections.abc import Mapping

import altair as alt

from mirror_ray.analysis.plots.curves import curves
from mirror_ray.analysis.plots.heat_map import heat_map
from mirror_ray.analysis.reading import Reading, Row
from mirror_ray.analysis.report.cells import number_text, share_text
from mirror_ray.analysis.report.section import Section
from mirror_ray.analysis.report.section_file import section_file, text_column
from mirror_ray.families.metacog.sections.section import (
    paradigm_text,
    row_setting_text,
    summary_text,
    tasks_text,
)

_BASELINES: Mapping[str, str] = {
    "none": "nothing",
    "domain": "domains",
    "confidence": "wagers",
    "self_consistency": "agreement",
    "platt": "Platt",
    "conformal": "conformal",
}
"""Baseline → how it separates answers, in a word."""


def section(run: Reading) -> Section | None:
    """Return baselines, resolvers, missing answers, sizes and temperatures; None if none were
    played.
    """
    if "metacog" not in run.families():
        return None
    file = section_file(
        __name__,
        run,
        columns={
            "baseline": text_column(lambda row: _BASELINES[row["baseline"]]),
            "metric": text_column(lambda row: summary_text(row["metric"])),
            "paradigm": text_column(paradigm_text),
        },
        groups={"place": row_setting_text, "tasks": tasks_text, "temperatures": _temperatures},
    )
    return file.section(
        file.figure("metacog_escalating", _escalation),
        file.figure("metacog_resolver", _resolver),
        *file.tables(),
    )


def _escalation(rows: list[Row]) -> alt.ConcatChart:
    several = len({row_setting_text(row) for row in rows}) > 1
    return heat_map(
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
    )


def _resolver(rows: list[Row]) -> alt.ConcatChart:
    several = len({row_setting_text(row) for row in rows}) > 1
    return curves(
        [
            {
                "model": row["model"],
                "panel": row["information"] + (f", {row_setting_text(row)}" if several else ""),
                "value": row["q"],
                "estimate": row["success"],
                "low": None,
                "high": None,
                "description": f"{row['model']}, {row['information']}: "
                f"{share_text(row['success'])} where they are right in "
                f"{share_text(row['q'])}",
            }
            for row in rows
        ],
        title="those who take over are right",
        values=[0, 0.2, 0.4, 0.6, 0.8, 1],
        spacing="linear",
    )


def _temperatures(row: Row) -> str:
    lower, higher = number_text(row["temperature"]), number_text(row["other_temperature"])
    return f"{lower} → {higher}, {row['setting']}"
