"""Shares with their intervals, one row per model, and a mark at a share for comparison."""

from collections.abc import Sequence
from typing import Any

from mirror_ray.analysis.plots.panels import ModelPanels
from mirror_ray.analysis.plots.style import CATEGORIES, INK
from mirror_ray.analysis.plots.vega import DESCRIPTION, Chart, layer, quantitative

_DOT = {"type": "point", "size": 60, "opacity": 1, "filled": True, "color": CATEGORIES[0]}
_LINE = {"type": "rule", "stroke": INK, "strokeDash": [4, 3]}
_SCALE = {"domain": [0, 1]}


def marked_shares(rows: Sequence[dict[str, Any]], *, title: str) -> Chart:
    """Draw one panel per condition, with a dashed line at the mark if the panel has one.

    Args:
        rows: with `model`, `panel`, `estimate`, `low`, `high` (None: no interval), `mark` (None:
            none) and `description`.
    """
    titles = sorted({row["panel"] for row in rows})
    panels = ModelPanels(
        rows, lambda row: [(row["panel"], row["estimate"])], titles, panel_px=180, across=3
    )
    axis = {"title": panels.axis_title(title), "tickCount": 5, "format": ".1~f"}
    drawn = []
    for position, panel in enumerate(titles):
        members = panels.rows(rows, panel)
        y = panels.models(position)
        marks = sorted({row["mark"] for row in members if row["mark"] is not None})
        known = [row for row in members if None not in (row["low"], row["high"])]
        line = {"x": quantitative("at", scale=_SCALE, axis=axis)}
        span = {"x": quantitative("low", scale=_SCALE, axis=axis), "x2": {"field": "high"}, "y": y}
        dot = {"x": quantitative("estimate", scale=_SCALE, axis=axis), "y": y}
        layers = [
            layer(_LINE, line, rows=[{"at": at} for at in marks]),
            layer({"type": "rule", "strokeWidth": 2, "stroke": CATEGORIES[0]}, span, rows=known),
            layer(_DOT, {**dot, "description": DESCRIPTION}, rows=members),
        ]
        drawn.append(panels.framed({"layer": layers}, panel))
    return panels.lined_up(drawn)
