"""Psychometric functions: measurements as dots, the fitted curve, and its threshold."""

from collections.abc import Sequence
from typing import Any, Literal

import altair as alt

from mirror_ray.analysis.plots.few_models import few_models
from mirror_ray.analysis.plots.panels import axis_title, framed, legend, lined_up
from mirror_ray.analysis.plots.rows import DESCRIPTION, chart_of
from mirror_ray.analysis.plots.style import APART

_PANEL_PX = (280, 170)
_ACROSS = 2
_SHARE = alt.Scale(domain=[0, 1])


def psychometric(
    dots: Sequence[dict[str, Any]],
    lines: Sequence[dict[str, Any]],
    thresholds: Sequence[dict[str, Any]],
    *,
    spacings: dict[str, Literal["linear", "log"]],
) -> alt.ConcatChart:
    """Draw one panel per axis, one colour per model.

    Args:
        dots: with `model`, `panel`, `value`, `estimate`, `low`, `high`, `description`.
        lines: points of the curves, with `model`, `panel`, `value`, `estimate`.
        thresholds: with `model`, `panel`, `value`, `low`, `high`, and `height`, the success there.
        spacings: panel → the spacing of its horizontal axis.
    """
    few = few_models(dots, lambda row: [((row["panel"], row["value"]), row["estimate"])])
    names = few.names
    shown = list(names.values())

    def of(rows: Sequence[dict[str, Any]], panel: str) -> list[dict[str, Any]]:
        return [
            {**row, "name": names[row["model"]]}
            for row in rows
            if row["panel"] == panel and row["model"] in names
        ]

    keys = legend(shown, panel_px=_PANEL_PX[0], n_panels=len(spacings), across=_ACROSS)
    color = alt.Color("name:N", scale=alt.Scale(domain=shown), legend=keys)
    panels = []
    for panel, spacing in spacings.items():
        members = of(dots, panel)
        values = sorted({row["value"] for row in members})
        domain = [values[0], values[-1]]
        along = alt.Scale(type=spacing, domain=domain, nice=False, padding=12)
        title = axis_title(panel, _PANEL_PX[0])
        axis = alt.Axis(title=title, values=values, labelExpr="format(datum.value, '~g')", **APART)
        x = alt.X("value:Q", scale=along, axis=axis)

        def base(rows: list[dict[str, Any]], x: alt.X = x) -> alt.Chart:
            return chart_of(rows).encode(x=x, color=color)

        y = alt.Y("estimate:Q", scale=_SHARE, axis=alt.Axis(title=None, tickCount=5))
        chart = (
            base(of(lines, panel)).mark_line(strokeWidth=2).encode(y=y)
            + base(members)
            .mark_rule(opacity=0.35)
            .encode(y=alt.Y("low:Q", scale=_SHARE), y2=alt.Y2("high:Q"))
            + base(of(thresholds, panel))
            .mark_rule(strokeWidth=4, opacity=0.6)
            .encode(
                x=alt.X("low:Q", scale=along),
                x2=alt.X2("high:Q"),
                y=alt.Y("height:Q", scale=_SHARE),
            )
            + base(members)
            .mark_point(filled=True, size=45, opacity=1, stroke="white", strokeWidth=1)
            .encode(y=y, description=DESCRIPTION)
        )
        panels.append(framed(chart, panel, width_px=_PANEL_PX[0], height_px=_PANEL_PX[1]))
    return lined_up(panels, across=_ACROSS, note=few.note)
