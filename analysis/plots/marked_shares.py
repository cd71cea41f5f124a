"""Shares with their intervals, one row per model, and a mark at a share for comparison."""

from collections.abc import Sequence
from typing import Any

import altair as alt

from mirror_ray.analysis.plots.panels import ModelPanels
from mirror_ray.analysis.plots.rows import DESCRIPTION, chart_of
from mirror_ray.analysis.plots.style import CATEGORIES, INK

_SCALE = alt.Scale(domain=[0, 1])


def marked_shares(rows: Sequence[dict[str, Any]], *, title: str) -> alt.ConcatChart:
    """Draw one panel per condition, with a dashed line at the mark if the panel has one.

    Args:
        rows: with `model`, `panel`, `estimate`, `low`, `high` (None: no interval), `mark` (None:
            none) and `description`.
    """
    titles = sorted({row["panel"] for row in rows})
    panels = ModelPanels(
        rows, lambda row: [(row["panel"], row["estimate"])], titles, panel_px=180, across=3
    )
    axis = alt.Axis(title=panels.axis_title(title), tickCount=5, format=".1~f")
    drawn = []
    for position, panel in enumerate(titles):
        members = panels.rows(rows, panel)
        y = panels.models(position)
        marks = sorted({row["mark"] for row in members if row["mark"] is not None})
        line = (
            chart_of([{"at": at} for at in marks])
            .mark_rule(stroke=INK, strokeDash=[4, 3])
            .encode(x=alt.X("at:Q", scale=_SCALE, axis=axis))
        )
        known = [row for row in members if None not in (row["low"], row["high"])]
        intervals = (
            chart_of(known)
            .mark_rule(strokeWidth=2, stroke=CATEGORIES[0])
            .encode(x=alt.X("low:Q", scale=_SCALE, axis=axis), x2=alt.X2("high:Q"), y=y)
        )
        dots = (
            chart_of(members)
            .mark_point(size=60, opacity=1, filled=True, color=CATEGORIES[0])
            .encode(x=alt.X("estimate:Q", scale=_SCALE, axis=axis), y=y, description=DESCRIPTION)
        )
        drawn.append(panels.framed(line + intervals + dots, panel))
    return panels.lined_up(drawn)
