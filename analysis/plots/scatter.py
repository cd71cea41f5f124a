"""Points in panels: one number against another, with a line where both are equal."""

from collections.abc import Sequence
from typing import Any

from mirror_ray.analysis.plots.few_models import few_models, room_for
from mirror_ray.analysis.plots.panels import axis_title, framed, lined_up
from mirror_ray.analysis.plots.style import CATEGORIES, FAINT, INK
from mirror_ray.analysis.plots.vega import DESCRIPTION, Chart, layer, nominal, quantitative

_LINE_PX = 80
"""The height of the titles and the axis of a line of panels."""
_DIAGONAL = {"type": "line", "color": FAINT, "strokeDash": [4, 3], "strokeWidth": 1}
_INTERVAL = {"type": "rule", "color": CATEGORIES[0], "strokeWidth": 1.5, "opacity": 0.45}
_DOT = {
    "type": "point",
    "filled": True,
    "color": CATEGORIES[0],
    "opacity": 0.9,
    "stroke": "white",
    "strokeWidth": 1,
}
_LABEL = {"type": "text", "align": "left", "dx": 7, "dy": -8, "fontSize": 11, "color": INK}


def scatter(
    rows: Sequence[dict[str, Any]],
    *,
    across: int,
    titles: tuple[str, str],
    diagonal: bool,
    side_px: int = 150,
) -> Chart:
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
    unit = {"domain": [0, 1], "nice": False, "padding": 14}
    axis_x, axis_y = (
        {"title": axis_title(title, side_px), "tickCount": 3, "format": "~g"} for title in titles
    )
    x = quantitative("x", scale=unit, axis=axis_x)
    y, low = (quantitative(field, scale=unit, axis=axis_y) for field in ("y", "low"))
    area = {"type": "linear", "domain": [0, most_n], "range": [15, 110]}
    span = {"y": low, "y2": {"field": "high"}}
    dot = {"y": y, "size": quantitative("n", scale=area, legend=None), "description": DESCRIPTION}
    label = {"y": y, "text": nominal("label")}
    layers = [
        layer(_INTERVAL, span, where="isValid(datum.low)"),
        layer(_DOT, dot),
        layer(_LABEL, label),
    ]
    if diagonal:
        corners = [{"x": 0, "y": 0}, {"x": 1, "y": 1}]
        layers.insert(0, layer(_DIAGONAL, {"y": y}, rows=corners))
    panels = []
    for panel in dict.fromkeys(row["panel"] for row in shown):
        members = [row for row in shown if row["panel"] == panel]
        chart = {"data": {"values": members}, "encoding": {"x": x}, "layer": layers}
        panels.append(framed(chart, panel, width_px=side_px, height_px=side_px))
    return lined_up(panels, across=across, note=few.note)
