"""Two shares of each model joined by a line, which shows the gap between them."""

from collections.abc import Mapping, Sequence
from typing import Any

from mirror_ray.analysis.plots.panels import ModelPanels
from mirror_ray.analysis.plots.style import CATEGORIES, FAINT
from mirror_ray.analysis.plots.vega import DESCRIPTION, Chart, layer, nominal, quantitative


def dumbbell(rows: Sequence[dict[str, Any]], *, left: str, right: str, title: str) -> Chart:
    """Draw one panel per condition, models as rows, both values on one axis from 0 to 1.

    Args:
        rows: with `model`, `condition`, `left`, `right` (None: undefined) and `description`.
        left, right: names of the two values, for the legend.
    """
    conditions = sorted({row["condition"] for row in rows})
    panels = ModelPanels(
        rows,
        lambda row: [((row["condition"], end), row[end]) for end in ("left", "right")],
        conditions,
        panel_px=200,
        across=3,
    )
    ends = {"left": left, "right": right}
    axis = {
        "title": panels.axis_title(title),
        "values": [0, 0.25, 0.5, 0.75, 1],
        "format": ".2~f",
        "labelFlush": False,
    }
    keys = panels.legend((left, right))
    drawn = []
    for position, condition in enumerate(conditions):
        members = panels.rows(rows, condition, "condition")
        points = [
            {"name": row["name"], "value": row[end], "end": what, "description": row["description"]}
            for row in members
            for end, what in ends.items()
            if row[end] is not None
        ]
        joined = [row for row in members if None not in (row["left"], row["right"])]
        link = {"x": quantitative("left", axis=axis), "x2": {"field": "right"}}
        # A ring around a dot, so that both are visible if the values are equal.
        dot = {
            "x": quantitative("value", scale={"domain": [0, 1]}, axis=axis),
            "color": nominal("end", legend=keys, scale=_scale(ends, CATEGORIES[5], CATEGORIES[0])),
            "fill": nominal("end", legend=keys, scale=_scale(ends, "white", CATEGORIES[0])),
            "size": nominal("end", legend=keys, scale=_scale(ends, 150, 45)),
        }
        chart = {
            "encoding": {"y": panels.models(position), "description": DESCRIPTION},
            "layer": [
                layer({"type": "rule", "stroke": FAINT, "strokeWidth": 2.5}, link, rows=joined),
                layer({"type": "point", "opacity": 1, "strokeWidth": 2}, dot, rows=points),
            ],
        }
        drawn.append(panels.framed(chart, condition))
    return panels.lined_up(drawn)


def _scale(ends: Mapping[str, str], left: str | int, right: str | int) -> Any:
    return {"domain": list(ends.values()), "range": [left, right]}
