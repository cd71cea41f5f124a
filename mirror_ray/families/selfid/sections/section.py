"""selfid's first section: the figures of arXiv 2605.08816 for this run."""

from functools import partial

import altair as alt

from mirror_ray.analysis.plots.dumbbell import dumbbell
from mirror_ray.analysis.plots.heat_map import heat_map
from mirror_ray.analysis.plots.marked_shares import marked_shares
from mirror_ray.analysis.plots.stacked_shares import stacked_shares
from mirror_ray.analysis.plots.style import BAD, GOOD, NEUTRAL, WORSE
from mirror_ray.analysis.reading import Reading, Row
from mirror_ray.analysis.report.cells import estimate_text, interval_text, metric_text, share_text
from mirror_ray.analysis.report.defined_panels import defined_panels
from mirror_ray.analysis.report.section import Section
from mirror_ray.analysis.report.section_file import section_file
from mirror_ray.analysis.report.setting import main_setting
from mirror_ray.analysis.undefined_metrics import Conditions, is_here, without_mirror
from mirror_ray.contract.metrics import METRICS

_FIRST_PANELS = ("tsa", "tsa_c")
_PANELS = {
    metric.name: metric.panel
    for metric in sorted(METRICS["selfid"].metrics, key=lambda one: one.name not in _FIRST_PANELS)
    if metric.is_shown and metric.kind == "share"
}
_OUTCOMES = {
    "right attribution": GOOD,
    "wrong attribution": WORSE,
    "no commitment": BAD,
    "never done": NEUTRAL,
}


def section(run: Reading) -> Section | None:
    """selfid's figures and tables; None without its episodes."""
    setting = main_setting(run, "selfid")
    if setting is None:
        return None
    file = section_file(
        __name__, run, where=setting.where, setting=setting.text, protocol=_protocol(run)
    )
    squares, undefined = defined_panels(
        _squares(file.rows("selfid_heat_map"), without_mirror(run.connection)), "value"
    )
    columns = sorted({square["column"] for square in squares})
    return file.section(
        file.figure("selfid_task_success", _task_success),
        file.drawn(
            "selfid_heat_map",
            heat_map(squares, columns=columns, title="share of episodes"),
            also=undefined,
        ),
        file.figure(
            "selfid_action_attribution_gap",
            partial(_gaps, left="CAAL (stated)", right="TSA (selected)"),
        ),
        file.figure(
            "selfid_completion_gap",
            partial(_gaps, left="TSA (all episodes)", right="TSA-C (those that said done)"),
        ),
        file.figure(
            "selfid_open_ended_outcomes",
            lambda rows: stacked_shares(rows, kinds=_OUTCOMES, title="share of E5's episodes"),
        ),
    )


def _protocol(run: Reading) -> str:
    found = run.rows(
        "select distinct value from metric.settings "
        "where family = 'selfid' and axis = 'structured' order by value"
    )
    forms = ", ".join(row["value"] for row in found)
    return f"The form of replies that providers were asked to enforce (structured): {forms}."


def _task_success(rows: list[Row]) -> alt.ConcatChart:
    """Draw the paper's Fig. 3."""
    return marked_shares(
        [
            {
                "model": row["model"],
                "panel": row["condition"],
                "estimate": row["estimate"],
                "low": row["ci_low"],
                "high": row["ci_high"],
                "mark": row["chance"],
                "description": f"{row['model']} in {row['condition']}: TSA {estimate_text(row)}",
            }
            for row in rows
        ],
        title="TSA, share of episodes",
    )


def _gaps(rows: list[Row], left: str, right: str) -> alt.ConcatChart | None:
    one, other = left.split(maxsplit=1)[0], right.split(maxsplit=1)[0]
    gaps = [
        {
            "model": row["model"],
            "condition": row["condition"],
            "left": row["left_share"],
            "right": row["right_share"],
            "description": f"{row['model']} in {row['condition']}: "
            f"{one} {share_text(row['left_share'])} (n = {row['left_n']}), "
            f"{other} {share_text(row['right_share'])} (n = {row['right_n']})",
        }
        for row in rows
        if row["left_share"] is not None
    ]
    if not gaps:
        return None
    return dumbbell(gaps, left=left, right=right, title="share of episodes")


def _squares(rows: list[Row], no_mirror: Conditions) -> list[Row]:
    return [
        _square(metric, row, is_here=is_here("selfid", metric, row["condition"], no_mirror))
        for metric in _PANELS
        for row in rows
        if row["metric"] == metric
    ]


def _square(metric: str, row: Row, *, is_here: bool) -> Row:
    """Return one cell of the map; it is empty if the condition does not have the metric."""
    name, shown = metric_text("selfid", metric), share_text(row["estimate"])
    interval = interval_text(row["ci_low"], row["ci_high"], share_text)
    return {
        "model": row["model"],
        "column": row["condition"],
        "panel": _PANELS[metric],
        "value": row["estimate"] if is_here else None,
        "label": shown if is_here else "",
        "description": f"{row['model']} in {row['condition']}: {name} {shown}, n = {row['n']}, "
        f"95 % {interval}"
        if is_here
        else f"{row['condition']} has no mirror: {name} is not defined here",
    }
