"""selfid's section: the figures of arXiv 2605.08816 for this run, and every metric as a table.

Knows selfid's views and what the paper asks of them; computes no metric.
"""

from typing import Any

from analysis.plots.dumbbell import dumbbell
from analysis.plots.heat_map import heat_map
from analysis.plots.stacked_shares import stacked_shares
from analysis.plots.style import BAD, GOOD, NEUTRAL, WORSE
from analysis.report.cells import estimate, number_text, share_text, words
from analysis.report.reading import Reading
from analysis.report.section import UNDEFINED, Figure, Row, Section, Table

_SHARES = ("tsa", "tsa_c", "mcr", "mtato", "caal", "cr", "arsc", "sc")
_NAMES = {
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

_MAIN = """\
select temperature, variant
from episode.selfid
group by temperature, variant
order by count(*) desc, variant = 'paper' desc, temperature, variant
limit 1"""
_SUMMARY = """\
pivot (
    select condition, temperature, variant, model, metric, n, estimate, ci_low, ci_high
    from metric.selfid
)
on metric using
    first(estimate) as estimate, first(ci_low) as ci_low, first(ci_high) as ci_high, first(n) as n
group by condition, temperature, variant, model
order by condition, temperature, variant, model"""
_OPEN = """\
select
    model,
    case
        when not done then 'never done'
        when final_claim is null then 'no commitment'
        when tsa = 1 then 'right attribution'
        else 'wrong attribution'
    end as kind,
    count(*) as n
from episode.selfid
where condition = 'E5' and not failed
group by all
order by all"""


def section(run: Reading) -> Section | None:
    """selfid's figures and tables; None without its episodes."""
    main = run.rows(_MAIN)
    if not main:
        return None
    at = (
        f"temperature is not distinct from {_literal(main[0]['temperature'])} "
        f"and variant = {_literal(main[0]['variant'])}"
    )
    shares = f"from metric.selfid where {at}"
    gap = (
        "select shown.condition, shown.model, stated.estimate as stated, shown.estimate as acted, "
        "stated.n as n_stated, shown.n as n_acted\n"
        "from metric.selfid as shown inner join metric.selfid as stated "
        "using (condition, model, temperature, variant)\n"
        f"where shown.metric = 'tsa' and stated.metric = 'caal' and {at}"
    )
    parts: list[Figure | Table] = [
        Figure(
            "selfid_heat_map",
            "Every metric by model and condition",
            "Each panel is a share of episodes from 0 (light) to 1 (dark); – is undefined, as no "
            "episode defines it. E2 has no mirror: what is right there is right by chance.",
            shares,
            heat_map(
                _heat_rows(run.rows(shares)),
                panels=[_NAMES[metric] for metric in _SHARES],
                title="share of episodes",
            ),
        ),
        Figure(
            "selfid_action_attribution_gap",
            "Stating the own colour and acting on it",
            "CAAL, the share of episodes in which the true colour was stated before the end, "
            "against TSA, the share in which it was selected: a long line is knowledge that "
            "actions do not follow, or a choice without a statement.",
            gap,
            dumbbell(
                _gap_rows(run.rows(gap)),
                left="CAAL (stated)",
                right="TSA (selected)",
                title="share of episodes",
            ),
        ),
    ]
    if outcomes := run.rows(_OPEN):
        parts.append(
            Figure(
                "selfid_open_ended_outcomes",
                "How open-ended episodes (E5) end",
                "A wrong attribution, none at all, and never saying done are three different "
                "failures; the paper splits them.",
                _OPEN,
                stacked_shares(outcomes, kinds=_OUTCOMES, title="share of E5's episodes"),
            )
        )
    parts.append(_summary(run))
    return Section(
        "selfid",
        "selfid: does the agent know its own colour?",
        "An agent sees a room through its own eyes, must find its own body colour in an "
        "unlabelled mirror, and walk to the cube of that colour (arXiv 2605.08816). E1 has the "
        "mirror, E2 none, E3 a prompt that lies about the colour, E4 look-alikes, E5 clutter and "
        "an open-ended task. "
        f"Figures show {_setting(main[0])}; tables show all settings.",
        tuple(parts),
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
                    metric.upper().replace("_", "-"),
                    key=f"{metric}_estimate",
                    low=f"{metric}_ci_low",
                    high=f"{metric}_ci_high",
                    n=f"{metric}_n",
                    show=number_text if metric in ("ttd", "mgd") else share_text,
                )
                for metric in (
                    "tsa",
                    "ttd",
                    "mcr",
                    "mtato",
                    "caal",
                    "cr",
                    "tsa_c",
                    "mgd",
                    "arsc",
                    "sc",
                )
            ),
        ),
        group=lambda row: f"{row['condition']} · {_setting(row)}",
    )


def _heat_rows(rows: list[Row]) -> list[Row]:
    return [
        {
            "model": row["model"],
            "condition": row["condition"],
            "panel": _NAMES[row["metric"]],
            "value": row["estimate"],
            "label": share_text(row["estimate"]),
            "description": f"{row['model']} in {row['condition']}: {row['metric'].upper()} "
            f"{share_text(row['estimate'])}, n = {row['n']}"
            + (
                ""
                if row["ci_low"] is None
                else f", 95 % {share_text(row['ci_low'])}–{share_text(row['ci_high'])}"
            ),
        }
        for row in rows
        if row["metric"] in _NAMES
    ]


def _gap_rows(rows: list[Row]) -> list[Row]:
    return [
        {
            "model": row["model"],
            "condition": row["condition"],
            "left": row["stated"],
            "right": row["acted"],
            "description": f"{row['model']} in {row['condition']}: CAAL {share_text(row['stated'])}"
            f" (n = {row['n_stated']}), TSA {share_text(row['acted'])} (n = {row['n_acted']})",
        }
        for row in rows
    ]


def _setting(row: Row) -> str:
    at = UNDEFINED if row["temperature"] is None else f"{row['temperature']:g}"
    return f"temperature {at}, {row['variant']}"


def _literal(value: Any) -> str:
    """A value of the run as an SQL literal: variants are text of the sweep file."""
    if value is None:
        return "null"
    return repr(value) if isinstance(value, float) else "'" + str(value).replace("'", "''") + "'"
