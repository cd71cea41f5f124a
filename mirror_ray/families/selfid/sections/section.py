"""selfid's first section: the figures of arXiv 2605.08816 for this run."""

from mirror_ray.analysis.plots.heat_map import heat_map
from mirror_ray.analysis.reading import Reading, Row
from mirror_ray.analysis.report.cells import interval_text, metric_text, share_text
from mirror_ray.analysis.report.defined_panels import defined_panels
from mirror_ray.analysis.report.section import Section
from mirror_ray.analysis.report.section_file import family_file
from mirror_ray.analysis.undefined_metrics import Conditions, is_here, without_mirror
from mirror_ray.contract.metrics import METRICS

_FIRST_PANELS = ("tsa", "tsa_c")
_PANELS = {
    metric.name: metric.panel
    for metric in sorted(METRICS["selfid"].metrics, key=lambda one: one.name not in _FIRST_PANELS)
    if metric.is_shown and metric.kind == "share"
}


def section(run: Reading) -> Section | None:
    """Return selfid's figures and tables; None without its episodes."""
    file = family_file(__name__, run, protocol=_protocol(run))
    if file is None:
        return None
    squares, undefined = defined_panels(
        _squares(file.rows("selfid_heat_map"), without_mirror(run.connection)), "value"
    )
    columns = sorted({square["column"] for square in squares})
    chart = heat_map(squares, columns=columns, title="share of episodes")
    every = file.drawn("selfid_heat_map", chart, also=undefined)
    return file.section(*file.parts(selfid_heat_map=every))


def _protocol(run: Reading) -> str:
    found = run.rows(
        "select distinct value from metric.settings "
        "where family = 'selfid' and axis = 'structured' order by value"
    )
    forms = ", ".join(row["value"] for row in found)
    return f"The form of replies that providers were asked to enforce (structured): {forms}."


def _squares(rows: list[Row], no_mirror: Conditions) -> list[Row]:
    return [
        _square(metric, row, is_here=is_here("selfid", metric, row["condition"], no_mirror))
        for metric in _PANELS
        for row in rows
        if row["metric"] == metric
    ]


def _square(metric: str, row: Row, *, is_here: bool) -> Row:
    """Return one cell of the map, which is empty if the condition lacks the metric."""
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
