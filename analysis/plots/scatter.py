"""Points in panels: one number against another, with a line where both are equal."""

from collections.abc import Sequence
from typing import Any

import altair as alt

from mirror_ray.analysis.plots.few_models import few_models, room_for
from mirror_ray.analysis.plots.panels import axis_title, framed, lined_up
from mirror_ray.analysis.plots.rows import DESCRIPTION, chart_of
from mirror_ray.analysis.plots.style import CATEGORIES, FAINT, INK

_LINE_PX = 80
"""The height of the titles and the axis of a line of panels."""


def scatter(
    rows: Sequence[dict[str, Any]],
    *,
    across: int,
    titles: tuple[str, str],
    diagonal: bool,
    side_px: int = 150,
) -> alt.ConcatChart:
    """Draw one square panel per `panel`.

    Args:
        rows: with `panel`, `x`, `y` (None: left out), `low`, `high` (None: no interval), `n` (the
            area of the point), `label` ("": none) and `description`.
        titles: of the horizontal and of the vertical axis.
        diagonal: draw the line on which both are equal.
    """
    both = [row for row in rows if row["x"] is not None and row["y"] is not None]
    # Many models have one panel each.
    few = few_models(
        both,
        lambda row: [(round(row["x"], 1), row["y"] - row["x"])],
        most=across * room_for(1, across=1, row_px=side_px + _LINE_PX),
        key="panel",
        noun="panels",
    )
    shown = few.of(both, "panel") if few.note else both
    most_n = max((row["n"] for row in shown), default=1)
    unit = alt.Scale(domain=[0, 1], nice=False, padding=14)

    def vertical(key: str) -> alt.Y:
        axis = alt.Axis(title=axis_title(titles[1], side_px), tickCount=3, format="~g")
        return alt.Y(f"{key}:Q", scale=unit, axis=axis)

    across_axis = alt.Axis(title=axis_title(titles[0], side_px), tickCount=3, format="~g")
    x = alt.X("x:Q", scale=unit, axis=across_axis)
    area = alt.Size(
        "n:Q", scale=alt.Scale(type="linear", domain=[0, most_n], range=[15, 110]), legend=None
    )
    panels: list[alt.LayerChart] = []
    for panel in dict.fromkeys(row["panel"] for row in shown):
        base = chart_of([row for row in shown if row["panel"] == panel]).encode(x=x)
        layers = [
            base.transform_filter("isValid(datum.low)")
            .mark_rule(color=CATEGORIES[0], strokeWidth=1.5, opacity=0.45)
            .encode(y=vertical("low"), y2=alt.Y2("high:Q")),
            base.mark_point(
                filled=True, color=CATEGORIES[0], opacity=0.9, stroke="white", strokeWidth=1
            ).encode(y=vertical("y"), size=area, description=DESCRIPTION),
            base.mark_text(align="left", dx=7, dy=-8, fontSize=11, color=INK).encode(
                y=vertical("y"), text=alt.Text("label:N")
            ),
        ]
        if diagonal:
            corners = chart_of([{"x": 0, "y": 0}, {"x": 1, "y": 1}])
            even = corners.mark_line(color=FAINT, strokeDash=[4, 3], strokeWidth=1)
            layers.insert(0, even.encode(x=x, y=vertical("y")))
        chart = alt.LayerChart(layer=layers)
        panels.append(framed(chart, panel, width_px=side_px, height_px=side_px))
    return lined_up(panels, across=across, note=few.note)
