"""FlipSet's section: the answers by class of string and by position of the option.

The figures follow arXiv 2602.15892.
"""

import altair as alt

from mirror_ray.analysis.plots.heat_map import heat_map
from mirror_ray.analysis.plots.stacked_shares import stacked_shares
from mirror_ray.analysis.plots.style import BAD, FAINT, GOOD, NEUTRAL, WORSE
from mirror_ray.analysis.reading import Reading, Row
from mirror_ray.analysis.report.cells import share_text
from mirror_ray.analysis.report.pivots import pivoted
from mirror_ray.analysis.report.section import Column, Section, TableCell
from mirror_ray.analysis.report.section_file import section_file
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


def section(run: Reading) -> Section | None:
    """FlipSet's figures and tables; None without its episodes."""
    setting = main_setting(run, "flipset")
    if setting is None:
        return None
    file = section_file(
        __name__,
        run,
        columns={
            "shares": tuple(pivoted(metric, name) for metric, name in _METRICS.items()),
            "layout_number": lambda key, heading: Column(
                heading, lambda row: TableCell(str(row[key] or "–"))
            ),
        },
        where=setting.where,
        setting=setting.text,
    )
    return file.section(
        file.figure(
            "flipset_answers",
            lambda rows: stacked_shares(
                rows, kinds=_KINDS, title="share of answers", across=2, width_px=300
            ),
        ),
        file.figure("flipset_classes", _heat_map),
        *file.tables(),
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
