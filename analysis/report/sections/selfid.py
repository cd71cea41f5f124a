"""selfid's section: the figures of arXiv 2605.08816 for this run, and every metric as a table.

Knows selfid's views and what the paper asks of them; computes no metric.
"""

import altair as alt

from analysis.plots.dumbbell import dumbbell
from analysis.plots.heat_map import heat_map
from analysis.plots.stacked_shares import stacked_shares
from analysis.plots.style import BAD, GOOD, NEUTRAL, WORSE
from analysis.reading import Reading, Row
from analysis.report.cells import (
    estimate,
    interval_text,
    number_text,
    setting_text,
    share_text,
    words,
)
from analysis.report.section import Figure, Section, Table
from analysis.report.setting import main_setting
from analysis.summary import HEADLINES

_COUNTS = ("ttd", "mgd")
_PANELS = {
    "tsa": "TSA · right selection",
    "tsa_c": "TSA-C · right, if done",
    "mcr": "MCR · looked",
    "mtato": "MTATO · right and looked",
    "caal": "CAAL · stated the truth",
    "cr": "CR · guessed before looking",
    "arsc": "ARSC · first claim wrong",
    "sc": "SC · corrected itself",
}
_OUTCOMES = {
    "right attribution": GOOD,
    "wrong attribution": WORSE,
    "no commitment": BAD,
    "never done": NEUTRAL,
}
_SUMMARY = """\
pivot (
    select condition, temperature, variant, model, metric, n, estimate, ci_low, ci_high
    from metric.selfid
)
on metric using
    first(estimate) as estimate, first(ci_low) as ci_low, first(ci_high) as ci_high, first(n) as n
group by condition, temperature, variant, model
order by condition, temperature, variant, model"""
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
    stated = _TWO.format(left="caal", right="tsa", setting=setting.where)
    finished = _TWO.format(left="tsa", right="tsa_c", setting=setting.where)
    open_ended = _OPEN_ENDED.format(setting=setting.where)
    parts: list[Figure | Table] = [
        Figure(
            "selfid_heat_map",
            "Every metric by model and condition",
            "Each panel is a share of episodes from 0 (light) to 1 (dark); – is undefined, as no "
            "episode defines it. E2 has no mirror: what is right there is right by chance.",
            shares,
            _heat_map(run.rows(shares)),
        ),
        Figure(
            "selfid_action_attribution_gap",
            "Stating the own colour and acting on it",
            "CAAL, the share of episodes in which the true colour was stated before the end, "
            "against TSA, the share in which it was selected. A ring far right of its dot knew and "
            "did not act on it; a dot far right of its ring selected what it never stated.",
            stated,
            dumbbell(
                _gaps(run.rows(stated), "CAAL", "TSA"),
                left="CAAL (stated)",
                right="TSA (selected)",
                title="share of episodes",
            ),
        ),
        Figure(
            "selfid_completion_gap",
            "What is lost by never finishing",
            "TSA counts an episode without done as wrong, TSA-C leaves it out: the line between "
            "them is what an agent loses by not coming to an end.",
            finished,
            dumbbell(
                _gaps(run.rows(finished), "TSA", "TSA-C"),
                left="TSA (all episodes)",
                right="TSA-C (finished ones)",
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
                "failures.",
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
        f"an open-ended task. Figures show {setting.text}; tables show every setting.",
        (*parts, _summary(run)),
    )


def _summary(run: Reading) -> Table:
    return Table(
        "selfid_summary",
        "All metrics with their intervals",
        "95 % intervals: Wilson's for shares, Student's t for counts of steps (TTD, MGD). n is the "
        "number of episodes that define the metric; failed episodes are not among them.",
        _SUMMARY,
        run.table(_SUMMARY),
        (
            words("model", "model"),
            *(
                estimate(
                    _name(metric),
                    key=f"{metric}_estimate",
                    low=f"{metric}_ci_low",
                    high=f"{metric}_ci_high",
                    n=f"{metric}_n",
                    show=number_text if metric in _COUNTS else share_text,
                )
                for metric in HEADLINES["selfid"]
            ),
        ),
        group=lambda row: f"{row['condition']} · {setting_text(row)}",
    )


def _heat_map(rows: list[Row]) -> alt.ConcatChart:
    by_metric = {metric: [row for row in rows if row["metric"] == metric] for metric in _PANELS}
    return heat_map(
        [
            {
                "model": row["model"],
                "column": row["condition"],
                "panel": _PANELS[metric],
                "value": row["estimate"],
                "label": share_text(row["estimate"]),
                "description": f"{row['model']} in {row['condition']}: {_name(metric)} "
                f"{share_text(row['estimate'])}, n = {row['n']}, 95 % "
                + interval_text(row["ci_low"], row["ci_high"], share_text),
            }
            for metric, members in by_metric.items()
            for row in members
        ],
        columns=sorted({row["condition"] for row in rows}),
        title="share of episodes",
    )


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


def _name(metric: str) -> str:
    return metric.upper().replace("_", "-")
