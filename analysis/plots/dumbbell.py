"""Two shares of each model joined by a line: the gap between them is what one sees.

Knows rows with two values; does not know what they are shares of.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt

from analysis.plots.style import CATEGORIES, FAINT, HAIRLINE

_ROW_PX, _PANEL_PX = 24, 200


def dumbbell(
    rows: Sequence[dict[str, Any]], *, left: str, right: str, title: str, across: int = 3
) -> alt.ConcatChart:
    """One panel per condition, models as rows, both values on one axis from 0 to 1.

    Args:
        rows: with `model`, `condition`, `left`, `right` (None: undefined) and `description`.
        left, right: what the two values are, for the legend.
        title: of the axis.
        across: panels in a row.
    """
    models = sorted({row["model"] for row in rows})
    ends = {"left": left, "right": right}
    charts = []
    for position, condition in enumerate(sorted({row["condition"] for row in rows})):
        members = [row for row in rows if row["condition"] == condition]
        points = [
            {
                "model": row["model"],
                "value": row[end],
                "end": name,
                "description": row["description"],
            }
            for row in members
            for end, name in ends.items()
            if row[end] is not None
        ]
        y = alt.Y(
            "model:N",
            sort=models,
            scale=alt.Scale(domain=models),
            axis=alt.Axis(title=None, grid=True)
            if position % across == 0
            else alt.Axis(title=None, labels=False, grid=True),
        )
        x_axis = alt.Axis(
            title=title, values=[0, 0.25, 0.5, 0.75, 1], format=".2~f", labelFlush=False
        )
        links = (
            alt.Chart(alt.InlineData(values=[row for row in members if None not in _ends(row)]))
            .mark_rule(stroke=FAINT, strokeWidth=2.5)
            .encode(x=alt.X("left:Q", axis=x_axis), x2="right:Q", y=y, description="description:N")
        )
        dots = (
            alt.Chart(alt.InlineData(values=points))
            .mark_point(opacity=1, strokeWidth=2)
            .encode(
                x=alt.X("value:Q", scale=alt.Scale(domain=[0, 1]), axis=x_axis),
                y=y,
                # A ring around a dot: both are seen where the values are the same.
                color=alt.Color(
                    "end:N", title=None, scale=_scale(ends, CATEGORIES[5], CATEGORIES[0])
                ),
                fill=alt.Fill("end:N", title=None, scale=_scale(ends, "white", CATEGORIES[0])),
                size=alt.Size("end:N", title=None, scale=_scale(ends, 150, 45)),
                description="description:N",
            )
        )
        charts.append(
            (links + dots).properties(
                title=alt.TitleParams(condition, anchor="middle"),
                width=_PANEL_PX,
                height=_ROW_PX * len(models),
                view=alt.ViewBackground(stroke=HAIRLINE),
            )
        )
    together: alt.ConcatChart = alt.concat(*charts, columns=across).resolve_scale(
        color="shared", fill="shared", size="shared"
    )
    return together


def _scale(ends: Mapping[str, str], left: str | int, right: str | int) -> alt.Scale:
    return alt.Scale(domain=list(ends.values()), range=[left, right])


def _ends(row: dict[str, Any]) -> tuple[float | None, float | None]:
    return row["left"], row["right"]
