"""The pace of a run: asks per minute over its time, one area per model."""

from collections.abc import Sequence
from typing import Any

import altair as alt

from mirror_ray.analysis.plots.names import short_names
from mirror_ray.analysis.plots.panels import legend
from mirror_ray.analysis.plots.style import APART

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
    keys = legend(tuple(names.values()), panel_px=_WIDTH_PX, n_panels=1, across=1)
    chart: alt.Chart = (
        alt.Chart(alt.InlineData(values=described))
        .mark_bar(stroke="white", strokeWidth=0.3)
        .encode(
            x=alt.X(
                "minute:Q",
                bin="binned",
                axis=alt.Axis(title="minutes since the first ask", grid=False, **APART),
            ),
            x2="until:Q",
            y=alt.Y(
                "per_minute:Q", stack=True, axis=alt.Axis(title="asks per minute", tickCount=4)
            ),
            color=alt.Color("name:N", sort=list(names.values()), legend=keys),
            description="description:N",
        )
    )
    return chart.properties(width=_WIDTH_PX, height=_HEIGHT_PX)
