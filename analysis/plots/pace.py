"""How fast a run went: asks per minute over its time, one area per model.

Knows counts in equal spans of time; does not know what slowed them.
"""

from collections.abc import Sequence
from typing import Any

import altair as alt

from analysis.plots.names import short_names

_WIDTH_PX, _HEIGHT_PX = 700, 170


def pace(rows: Sequence[dict[str, Any]]) -> alt.Chart:
    """Stacked bars over the minutes of the run.

    Args:
        rows: with `minute` (a span's beginning), `width_s` (a span's length), `model` and
            `per_minute`.
    """
    names = short_names(row["model"] for row in rows)
    described = [
        {
            **row,
            "name": names[row["model"]],
            "until": row["minute"] + row["width_s"] / 60,
            "description": f"{row['model']}, from minute {row['minute']:.3g}: "
            f"{row['per_minute']:,.0f} asks per minute",
        }
        for row in rows
    ]
    chart: alt.Chart = (
        alt.Chart(alt.InlineData(values=described))
        .mark_bar(stroke="white", strokeWidth=0.3)
        .encode(
            x=alt.X(
                "minute:Q",
                bin="binned",
                axis=alt.Axis(title="minutes since the first ask", grid=False),
            ),
            x2="until:Q",
            y=alt.Y(
                "per_minute:Q", stack=True, axis=alt.Axis(title="asks per minute", tickCount=4)
            ),
            color=alt.Color(
                "name:N", sort=list(names.values()), legend=alt.Legend(title=None, columns=4)
            ),
            description="description:N",
        )
    )
    return chart.properties(width=_WIDTH_PX, height=_HEIGHT_PX)
