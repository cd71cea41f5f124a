"""selfid's first section: the figures of arXiv 2605.08816 for this run."""

from collections.abc import Iterator

import altair as alt

from mirror_ray.analysis.plots.dumbbell import dumbbell
from mirror_ray.analysis.plots.heat_map import heat_map
from mirror_ray.analysis.plots.marked_shares import marked_shares
from mirror_ray.analysis.plots.stacked_shares import stacked_shares
from mirror_ray.analysis.plots.style import BAD, GOOD, NEUTRAL, WORSE
from mirror_ray.analysis.reading import Reading, Row
from mirror_ray.analysis.report.cells import interval_text, metric_text, share_text
from mirror_ray.analysis.report.defined_panels import defined_panels
from mirror_ray.analysis.report.section import Figure, Section
from mirror_ray.analysis.report.setting import Setting, main_setting
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
_SUCCESS = """\
select model, condition, estimate, ci_low, ci_high, chance, n
from metric.selfid
where metric = 'tsa' and n > 0 and {setting}
order by condition, model"""
_TWO = """\
select
    condition,
    model,
    max(estimate) filter (where metric = '{left}') as left_share,
    max(n) filter (where metric = '{left}') as left_n,
    max(estimate) filter (where metric = '{right}') as right_share,
    max(n) filter (where metric = '{right}') as right_n
from metric.selfid
where {setting}
group by condition, model
order by condition, model"""
_OPEN_ENDED = """\
select
    model,
    '' as panel,
    case
        when not done then 'never done'
        when final_claim is null then 'no commitment'
        when tsa = 1 then 'right attribution'
        else 'wrong attribution'
    end as kind,
    count(*) as n
from episode.selfid
where condition = 'E5' and not failed and {setting}
group by all
order by all"""


def section(run: Reading) -> Section | None:
    """selfid's figures and tables; None without its episodes."""
    setting = main_setting(run, "selfid")
    if setting is None:
        return None
    shares = f"from metric.selfid where {setting.where} order by metric, condition, model"
    squares, undefined = defined_panels(
        _squares(run.rows(shares), without_mirror(run.connection)), "value"
    )
    finished = _TWO.format(left="tsa", right="tsa_c", setting=setting.where)
    open_ended = _OPEN_ENDED.format(setting=setting.where)
    parts: list[Figure] = [
        *_task_success(run, setting),
        Figure(
            "selfid_heat_map",
            "Every metric by model and condition",
            "Each panel is a share of episodes from 0 (light) to 1 (dark); – is undefined, as no "
            "episode defines it, and empty where the condition has no mirror, which the metric "
            "needs: what is right there is right by chance." + undefined,
            shares,
            _heat_map(squares),
        ),
        *_attribution_gap(run, setting),
        Figure(
            "selfid_completion_gap",
            "What is lost by never saying done",
            "TSA counts an episode without done as wrong, TSA-C leaves it out: the line between "
            "them is what an agent loses by not coming to an end.",
            finished,
            dumbbell(
                _gaps(run.rows(finished), "TSA", "TSA-C"),
                left="TSA (all episodes)",
                right="TSA-C (those that said done)",
                title="share of episodes",
            ),
        ),
    ]
    if outcomes := run.rows(open_ended):
        parts.append(
            Figure(
                "selfid_open_ended_outcomes",
                "How open-ended episodes (E5) end",
                "A wrong attribution, none at all, and never saying done are three different "
                "ways to be wrong.",
                open_ended,
                stacked_shares(outcomes, kinds=_OUTCOMES, title="share of E5's episodes"),
            )
        )
    return Section(
        "selfid",
        "selfid: does the agent know its own colour?",
        "An agent sees a room through its own eyes, must find its own body colour in an "
        "unlabelled mirror, and walk to the cube of that colour (arXiv 2605.08816). E1 has the "
        "mirror, E2 none, E3 a prompt that lies about the colour, E4 look-alikes, E5 clutter and "
        f"an open-ended task. Figures show the setting {setting.text}. " + _protocol(run),
        tuple(parts),
    )


def _protocol(run: Reading) -> str:
    found = run.rows(
        "select distinct value from metric.settings "
        "where family = 'selfid' and axis = 'structured' order by value"
    )
    forms = ", ".join(row["value"] for row in found)
    return f"The form of replies that providers were asked to enforce (structured): {forms}."


def _task_success(run: Reading, setting: Setting) -> Iterator[Figure]:
    """The paper's Fig. 3; nothing where an error ended all episodes."""
    sql = _SUCCESS.format(setting=setting.where)
    rows = [
        {
            "model": row["model"],
            "panel": row["condition"],
            "estimate": row["estimate"],
            "low": row["ci_low"],
            "high": row["ci_high"],
            "mark": row["chance"],
            "description": f"{row['model']} in {row['condition']}: TSA "
            f"{share_text(row['estimate'])} "
            f"({interval_text(row['ci_low'], row['ci_high'], share_text)}), n = {row['n']}",
        }
        for row in run.rows(sql)
    ]
    if rows:
        yield Figure(
            "selfid_task_success",
            "Task success and chance",
            "TSA, the share of episodes that select the right cube (E5: that end naming the own "
            "colour), with 95 % intervals. The dashed line is chance: one cube of three. E5 has "
            "none, as its answer is free text.",
            sql,
            marked_shares(rows, title="TSA, share of episodes"),
        )


def _attribution_gap(run: Reading, setting: Setting) -> Iterator[Figure]:
    """Nothing where no condition has a mirror."""
    sql = _TWO.format(left="caal", right="tsa", setting=setting.where)
    rows = [row for row in _gaps(run.rows(sql), "CAAL", "TSA") if row["left"] is not None]
    if rows:
        yield Figure(
            "selfid_action_attribution_gap",
            "Stating the own colour and acting on it",
            "CAAL, the share of episodes in which the true colour was stated before the end, "
            "against TSA, the share in which it was selected. A ring far right of its dot knew and "
            "did not act on it; a dot far right of its ring selected what it never stated.",
            sql,
            dumbbell(rows, left="CAAL (stated)", right="TSA (selected)", title="share of episodes"),
        )


def _squares(rows: list[Row], no_mirror: Conditions) -> list[Row]:
    return [
        _square(metric, row, is_here=is_here("selfid", metric, row["condition"], no_mirror))
        for metric in _PANELS
        for row in rows
        if row["metric"] == metric
    ]


def _heat_map(squares: list[Row]) -> alt.ConcatChart:
    return heat_map(
        squares,
        columns=sorted({square["column"] for square in squares}),
        title="share of episodes",
    )


def _square(metric: str, row: Row, *, is_here: bool) -> Row:
    """One of the map; empty where the condition does not have the metric."""
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


def _gaps(rows: list[Row], left: str, right: str) -> list[Row]:
    return [
        {
            "model": row["model"],
            "condition": row["condition"],
            "left": row["left_share"],
            "right": row["right_share"],
            "description": f"{row['model']} in {row['condition']}: "
            f"{left} {share_text(row['left_share'])} (n = {row['left_n']}), "
            f"{right} {share_text(row['right_share'])} (n = {row['right_n']})",
        }
        for row in rows
    ]
