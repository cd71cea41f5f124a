"""A heat map in panels: one cell per model and condition, one panel per metric.

Knows rows of a long metric view; does not know what a metric means.
"""

from collections.abc import Sequence
from typing import Any

import altair as alt

from analysis.plots.style import FAINT, INK, SEQUENTIAL, UNDEFINED_FILL

_CELL_PX = (44, 26)


def heat_map(
    rows: Sequence[dict[str, Any]],
    *,
    panels: Sequence[str],
    most: float = 1.0,
    title: str,
    across: int = 4,
) -> alt.ConcatChart:
    """The panels of several metrics that share one scale.

    Args:
        rows: with `model`, `condition`, `panel`, `value` (None: undefined), `label` (the text in
            the cell) and `description` (shown when pointed at).
        panels: the names of the panels, in their order.
        most: the value of the darkest colour; the lightest is 0.
        title: of the scale.
        across: panels in a row.
    """
    models = sorted({row["model"] for row in rows})
    conditions = sorted({row["condition"] for row in rows})
    color = alt.Color(
        "value:Q",
        scale=alt.Scale(domain=[0, most], range=list(SEQUENTIAL), clamp=True),
        legend=alt.Legend(
            title=title, gradientLength=180, gradientThickness=10, orient="top", titleLimit=400
        ),
    )
    charts = []
    for position, panel in enumerate(panels):
        base = alt.Chart(
            alt.InlineData(values=[row for row in rows if row["panel"] == panel]),
            title=alt.TitleParams(panel, anchor="middle"),
            width=_CELL_PX[0] * len(conditions),
            height=_CELL_PX[1] * len(models),
        ).encode(
            x=alt.X(
                "condition:N",
                sort=conditions,
                scale=alt.Scale(domain=conditions),
                axis=alt.Axis(title=None, labelAngle=0, orient="bottom"),
            ),
            y=alt.Y(
                "model:N",
                sort=models,
                scale=alt.Scale(domain=models),
                axis=alt.Axis(title=None) if position % across == 0 else None,
            ),
            description="description:N",
        )
        undefined = base.transform_filter("datum.value === null").mark_rect(fill=UNDEFINED_FILL)
        defined = (
            base.transform_filter("datum.value !== null")
            .mark_rect(stroke="white", strokeWidth=1.5)
            .encode(color=color)
        )
        text = base.mark_text(fontSize=11).encode(
            text="label:N",
            color=alt.when("datum.value === null")
            .then(alt.value(FAINT))
            .when(f"datum.value > {0.55 * most}")
            .then(alt.value("white"))
            .otherwise(alt.value(INK)),
        )
        charts.append(undefined + defined + text)
    together: alt.ConcatChart = alt.concat(*charts, columns=across).resolve_scale(color="shared")
    return together
