"""Durations of replies: quantiles per model on a logarithmic axis."""

from collections.abc import Sequence
from typing import Any

import altair as alt

from mirror_ray.analysis.plots.few_models import few_models
from mirror_ray.analysis.plots.panels import figure_note
from mirror_ray.analysis.plots.rows import DESCRIPTION, chart_of
from mirror_ray.analysis.plots.style import CATEGORIES, FAINT

_ROW_PX, _PANEL_PX = 26, 520
_LEAST_S = 1e-4
_QUANTILES = ("p5_s", "p25_s", "p50_s", "p75_s", "p95_s")


def latency(rows: Sequence[dict[str, Any]]) -> alt.LayerChart:
    """Draw one row per model. Rows have `model`, `n`, and `p5_s`, `p25_s`, `p50_s`, `p75_s`,
    `p95_s` in seconds."""
    few = few_models(rows, lambda row: [("p50_s", -row["p50_s"])])
    names, rows = few.names, few.of(rows)
    described = [
        {
            "name": names[row["model"]],
            # A logarithmic axis has no 0: agents within the process reply faster than a clock tick.
            **{key: max(row[key], _LEAST_S) for key in _QUANTILES},
            "description": f"{row['model']}: median {row['p50_s']:.3g} s, middle half "
            f"{row['p25_s']:.3g} to {row['p75_s']:.3g} s, 90 % within {row['p5_s']:.3g} to "
            f"{row['p95_s']:.3g} s, n = {row['n']:,}",
        }
        for row in rows
    ]
    base = chart_of(described).encode(
        y=alt.Y("name:N", sort=list(names.values()), axis=alt.Axis(title=None)),
        description=DESCRIPTION,
    )
    axis = alt.Axis(title="seconds, logarithmic", format="~g", tickCount=6)
    scale = alt.Scale(type="log", nice=False)
    chart: alt.LayerChart = (
        base.mark_rule(stroke=FAINT, strokeWidth=1.5).encode(
            x=alt.X("p5_s:Q", scale=scale, axis=axis), x2=alt.X2("p95_s:Q")
        )
        + base.mark_bar(size=13, fill=CATEGORIES[4]).encode(
            x=alt.X("p25_s:Q"), x2=alt.X2("p75_s:Q")
        )
        + base.mark_tick(size=13, thickness=2.5, color=CATEGORIES[0]).encode(x=alt.X("p50_s:Q"))
    )
    noted = chart.properties(title=figure_note(few.note)) if few.note else chart
    sized: alt.LayerChart = noted.properties(width=_PANEL_PX, height=_ROW_PX * len(names))
    return sized
