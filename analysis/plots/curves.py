"""A figure as a function of a setting: one line per model with its intervals, in panels."""

from collections.abc import Sequence
from typing import Any, Literal

import altair as alt

from mirror_ray.analysis.plots.few_models import few_models
from mirror_ray.analysis.plots.panels import axis_title, legend, lined_up, panel_title
from mirror_ray.analysis.plots.rows import DESCRIPTION, Rows
from mirror_ray.analysis.plots.style import APART, HAIRLINE
from mirror_ray.analysis.plots.text import wrapped

MOST_WITH_INTERVALS = 4
"""Most models of a figure whose intervals are drawn: more intervals would be indistinguishable."""

_PANEL_PX = (200, 150)
_SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down")


def curves(
    rows: Sequence[dict[str, Any]],
    *,
    title: str,
    values: Sequence[Any],
    spacing: Literal["linear", "log", "ordinal", "nominal"],
    across: int = 4,
    most: float | None = 1.0,
) -> alt.ConcatChart:
    """One panel per `panel`, one line per model.

    Args:
        rows: with `model`, `panel`, `value`, `estimate` (None: undefined), `low`, `high` (None: no
            interval) and `description`.
        title: of the horizontal axis.
        values: of the setting, in their order.
        spacing: of the horizontal axis; ``ordinal`` for words in an order, or numbers spread
            unevenly; ``nominal`` for words without one, whose dots stand side by side, without a
            line.
        across: panels in a line.
        most: the upper end of the vertical axis, which begins at 0; None: where the data end.
    """
    few = few_models(rows, lambda row: [((row["panel"], row["value"]), row["estimate"])])
    names, rows = few.names, few.of(rows)
    worded = {
        value: wrapped(value, _word_px(values)) if isinstance(value, str) else value
        for value in values
    }
    is_worded = spacing in ("ordinal", "nominal")
    x = _horizontal(title, [worded[v] for v in values] if is_worded else values, spacing)
    y_scale = alt.Scale(domain=[0, most]) if most is not None else alt.Scale(zero=True)
    shown = list(names.values())
    titles = tuple(dict.fromkeys(row["panel"] for row in rows))
    keys = legend(shown, panel_px=_PANEL_PX[0], n_panels=len(titles), across=across)
    panels = []
    for panel in titles:
        members = [
            {
                **row,
                "name": names[row["model"]],
                "value": worded[row["value"]] if is_worded else row["value"],
            }
            for row in rows
            if row["panel"] == panel and row["estimate"] is not None
        ]
        base = alt.Chart(Rows(values=members)).encode(
            x=x,
            color=alt.Color("name:N", scale=alt.Scale(domain=shown), legend=keys),
        )
        if spacing == "nominal":
            base = base.encode(xOffset=alt.XOffset("name:N", sort=shown))
        lines = base.mark_line(strokeWidth=2).encode(y=_vertical("estimate", y_scale))
        known = "isValid(datum.low)" if len(names) <= MOST_WITH_INTERVALS else "false"
        intervals = base.transform_filter(known).mark_rule(strokeWidth=1.5, opacity=0.45)
        dots = base.mark_point(filled=True, size=55, opacity=1, stroke="white", strokeWidth=1)
        chart = (
            intervals.encode(y=_vertical("low", y_scale), y2=alt.Y2("high:Q"))
            + (dots if spacing == "nominal" else lines).encode(y=_vertical("estimate", y_scale))
            + dots.encode(
                y=_vertical("estimate", y_scale),
                shape=alt.Shape(
                    "name:N",
                    scale=alt.Scale(domain=shown, range=list(_SHAPES)),
                    legend=keys,
                ),
                description=DESCRIPTION,
            )
        )
        panels.append(
            chart.properties(
                title=panel_title(panel, _PANEL_PX[0]),
                width=_PANEL_PX[0],
                height=_PANEL_PX[1],
                view=alt.ViewBackground(stroke=HAIRLINE),
            )
        )
    return lined_up(panels, across=across, note=few.note)


def _horizontal(title: str, values: Sequence[Any], spacing: str) -> alt.X:
    if spacing in ("ordinal", "nominal"):
        axis = alt.Axis(title=axis_title(title, _PANEL_PX[0]), labelAngle=0, grid=True)
        return alt.X("value:O", sort=list(values), axis=axis)
    kind: Literal["linear", "log"] = "log" if spacing == "log" else "linear"
    return alt.X(
        "value:Q",
        scale=alt.Scale(type=kind, domain=[values[0], values[-1]], nice=False, padding=12),
        axis=alt.Axis(
            title=axis_title(title, _PANEL_PX[0]), values=list(values), format="~g", **APART
        ),
    )


def _word_px(values: Sequence[Any]) -> float:
    """How wide a word under the axis may be, where words stand in even spaces."""
    return max(30.0, _PANEL_PX[0] / max(len(values), 1) - 6)


def _vertical(key: str, scale: alt.Scale) -> alt.Y:
    return alt.Y(f"{key}:Q", scale=scale, axis=alt.Axis(title=None, tickCount=5))
