"""FlipSet's section: the answers by class of string and by position of the option.

The figures follow arXiv 2602.15892.
"""

import altair as alt

from mirror_ray.analysis.plots.heat_map import heat_map
from mirror_ray.analysis.plots.stacked_shares import stacked_shares
from mirror_ray.analysis.plots.style import BAD, FAINT, GOOD, NEUTRAL, WORSE
from mirror_ray.analysis.reading import Reading, Row
from mirror_ray.analysis.report.cells import (
    condition_text,
    estimate_column,
    share_text,
    words,
)
from mirror_ray.analysis.report.pivots import pivot_sql, pivoted
from mirror_ray.analysis.report.section import (
    Column,
    Figure,
    ReportTable,
    Section,
    TableCell,
    TableQuery,
)
from mirror_ray.analysis.report.setting import main_setting
from mirror_ray.contract.metrics import METRICS

_KINDS = {
    "correct": GOOD,
    "egocentric": WORSE,
    "confusable": BAD,
    "random": NEUTRAL,
    "no option": FAINT,
}
_CLASSES = {
    "two digits": "81",
    "two digits mixed": "89",
    "three digits mixed": "168",
    "single letter": "d",
    "two letters": "dd",
    "two letters mixed": "do",
    "three letters mixed": "nod",
    "four letters mixed": "pond",
    "four combo mixed": "W819",
    "quarter turn": "v<^>",
    "5 generated": "5 ch.",
    "6 generated": "6 ch.",
    "8 generated": "8 ch.",
}
"""Class of string → one of its strings, short enough for a column's heading."""
_METRICS = {
    **{name: METRICS["flipset"].heading(name) for name in METRICS["flipset"].shown},
    "accuracy": "correct",
    "egocentric_of_errors": METRICS["flipset"].heading("egocentric_of_errors"),
}
_ANSWERS = """\
select
    model,
    condition as panel,
    if(chosen_kind = 'fail', 'no option', chosen_kind) as kind,
    count(*) as n
from episode.flipset
where not failed and {setting}
group by all
order by condition, model, kind"""
_BY_CLASS = """\
select model, item_class, metric, n, estimate, ci_low, ci_high
from metric.flipset_classes
where condition = 'L2' and metric in ('accuracy', 'egocentric') and {setting}
order by metric, model, item_class"""
_SUMMARY = pivot_sql("metric.flipset", "condition, temperature, variant, model")
_POSITIONS = pivot_sql("metric.flipset_positions", "condition, temperature, variant, model, label")
_LAYOUTS = """\
from metric.flipset_layouts
where metric in ('accuracy', 'egocentric')
order by condition, temperature, variant, model, metric, layout_number, layout"""


def section(run: Reading) -> Section | None:
    """FlipSet's figures and tables; None without its episodes."""
    setting = main_setting(run, "flipset")
    if setting is None:
        return None
    answers = _ANSWERS.format(setting=setting.where)
    by_class = _BY_CLASS.format(setting=setting.where)
    parts: list[Figure | ReportTable] = [
        Figure(
            "flipset_answers",
            "What was answered",
            "Correct, egocentric (what the card says to the viewer), confusable (turned without "
            "being reversed, or mirrored), random, or no readable answer. By chance the options "
            "are chosen alike, one in four; in L1 there are two. n counts answers, in tables "
            "strings.",
            answers,
            stacked_shares(
                run.rows(answers),
                kinds=_KINDS,
                title="share of answers",
                across=2,
                width_px=300,
            ),
        )
    ]
    if rows := run.rows(by_class):
        parts.append(
            Figure(
                "flipset_classes",
                "L2 by class of string",
                "Light is 0, dark is 1. Each column is a class, under one of its strings: digits "
                "that look the same upside down, single letters and words are missed for "
                "different reasons.",
                by_class,
                _heat_map(rows),
            )
        )
    parts += [_SUMMARY_TABLE.of(run), _POSITIONS_TABLE.of(run), _LAYOUTS_TABLE.of(run)]
    return Section(
        "flipset",
        "flipset: does it see what the monkey sees?",
        "A card lies on the floor or is upright (scene=upright), a monkey sits opposite, looks at "
        "it. L2 asks what the monkey "
        "sees on the card: the text turned by 180° (arXiv 2602.15892). ToM asks whether it sees "
        "something else than the viewer, MR what the same card reads when it is turned, L1 whether "
        f"the monkey can see the card at all. Figures show the setting {setting.text}; tables show "
        "every setting.",
        tuple(parts),
    )


def _heat_map(rows: list[Row]) -> alt.ConcatChart:
    return heat_map(
        [
            {
                "model": row["model"],
                "column": _CLASSES[row["item_class"]],
                "panel": _METRICS[row["metric"]],
                "value": row["estimate"],
                "label": share_text(row["estimate"]),
                "description": f"{row['model']}, {row['item_class']}: {_METRICS[row['metric']]} "
                f"{share_text(row['estimate'])}, n = {row['n']}",
            }
            for row in rows
        ],
        columns=[
            heading
            for item_class, heading in _CLASSES.items()
            if any(row["item_class"] == item_class for row in rows)
        ],
        title="share of answers",
        across=2,
    )


_SUMMARY_TABLE = TableQuery(
    "flipset_summary",
    "All shares with their intervals",
    "95 % intervals by Wilson, on the effective number of the n strings. The last column is "
    "a share of the wrong answers, no option among them; the others are shares of all answers.",
    _SUMMARY,
    (words("model", "model"), *(pivoted(metric, name) for metric, name in _METRICS.items())),
    group=condition_text,
)
_POSITIONS_TABLE = TableQuery(
    "flipset_positions",
    "By the place of an option",
    "How often each letter was answered, how often rightly where it is right, and what "
    "answering it always would score: the published orders do not balance places.",
    _POSITIONS,
    (
        words("model", "model"),
        words("label", "letter"),
        pivoted("answered", "answered"),
        pivoted("accuracy_when", "correct where right"),
        pivoted("always_accuracy", "always: correct"),
        pivoted("always_egocentric", "always: egocentric"),
    ),
    group=condition_text,
)
_LAYOUTS_TABLE = TableQuery(
    "flipset_layouts",
    "By the order of the options",
    "C correct, E egocentric, F confusable, R random, from A to D; the published twelve are "
    "numbered in the alphabet's order.",
    _LAYOUTS,
    (
        words("model", "model"),
        words("metric", "share"),
        Column("no.", lambda row: TableCell(str(row["layout_number"] or "–"))),
        words("layout", "order"),
        estimate_column("share of answers"),
    ),
    group=condition_text,
)
