"""A figure as a function of a setting: one line per model with its intervals, in panels.

Knows values over numbers or words; does not know what is varied.
"""

from collections.abc import Sequence
from typing import Any, Literal

import altair as alt

from analysis.plots.names import short_names
from analysis.plots.panels import lined_up
from analysis.plots.style import HAIRLINE, INK

MOST_WITH_INTERVALS = 4
"""Models of a figure whose intervals are drawn: those of more could not be told apart."""

_PANEL_PX = (200, 150)
_SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down")


def curves(
    rows: Sequence[dict[str, Any]],
    *,
    title: str,
    values: Sequence[Any],
    spacing: Literal["linear", "log", "ordinal"],
    across: int = 4,
    most: float | None = 1.0,
) -> alt.ConcatChart:
    """One panel per `panel`, one line per model.

    Args:
        rows: with `model`, `panel`, `value`, `estimate` (None: undefined), `low`, `high` (None: no
            interval) and `description`.
        title: of the horizontal axis.
        values: of the setting, in their order.
        spacing: of the horizontal axis; ``ordinal`` for words, or numbers spread unevenly.
        across: panels in a line.
        most: the upper end of the vertical axis, which begins at 0; None: where the data end.
    """
    names = short_names(row["model"] for row in rows)
    x = _horizontal(title, values, spacing)
    y_scale = alt.Scale(domain=[0, most]) if most is not None else alt.Scale(zero=True)
    shown = list(names.values())
    legend = alt.Legend(title=None, columns=4, symbolOpacity=1)
    panels = []
    for panel in dict.fromkeys(row["panel"] for row in rows):
        members = [
            {**row, "name": names[row["model"]]}
            for row in rows
            if row["panel"] == panel and row["estimate"] is not None
        ]
        base = alt.Chart(alt.InlineData(values=members)).encode(
            x=x,
            color=alt.Color("name:N", scale=alt.Scale(domain=shown), legend=legend),
        )
        lines = base.mark_line(strokeWidth=2).encode(y=_vertical("estimate", y_scale))
        known = "isValid(datum.low)" if len(names) <= MOST_WITH_INTERVALS else "false"
        intervals = base.transform_filter(known).mark_rule(strokeWidth=1.5, opacity=0.45)
        dots = base.mark_point(filled=True, size=55, opacity=1, stroke="white", strokeWidth=1)
        chart = (
            intervals.encode(y=_vertical("low", y_scale), y2="high:Q")
            + lines
            + dots.encode(
                y=_vertical("estimate", y_scale),
                shape=alt.Shape(
                    "name:N",
                    scale=alt.Scale(domain=shown, range=list(_SHAPES)),
                    legend=legend,
                ),
                description="description:N",
            )
        )
        panels.append(
            chart.properties(
                title=alt.TitleParams(panel, anchor="middle", color=INK),
                width=_PANEL_PX[0],
                height=_PANEL_PX[1],
                view=alt.ViewBackground(stroke=HAIRLINE),
            )
        )
    return lined_up(panels, across=across)


def _horizontal(title: str, values: Sequence[Any], spacing: str) -> alt.X:
    if spacing == "ordinal":
        axis = alt.Axis(title=title, labelAngle=0, grid=True)
        return alt.X("value:O", sort=list(values), axis=axis)
    kind: Literal["linear", "log"] = "log" if spacing == "log" else "linear"
    return alt.X(
        "value:Q",
        scale=alt.Scale(type=kind, domain=[values[0], values[-1]], nice=False, padding=12),
        axis=alt.Axis(title=title, values=list(values), format="~g", labelOverlap=True),
    )


def _vertical(key: str, scale: alt.Scale) -> alt.Y:
    return alt.Y(f"{key}:Q", scale=scale, axis=alt.Axis(title=None, tickCount=5))
