"""A figure as a function of a setting: one line per model with its intervals, in panels."""

from collections.abc import Mapping, Sequence
from math import ceil
from typing import Any, Literal

from mirror_ray.analysis.plots.few_models import few_models
from mirror_ray.analysis.plots.names import short_names
from mirror_ray.analysis.plots.panels import axis_title, framed, legend, lined_up
from mirror_ray.analysis.plots.style import APART
from mirror_ray.analysis.plots.text import widest_word_px, wrapped
from mirror_ray.analysis.plots.vega import DESCRIPTION, Channel, Chart, layer, nominal, quantitative

MOST_WITH_INTERVALS = 4
"""The most models whose intervals are drawn; more could not be told apart."""

_PANEL_PX = (200, 150)
_MOST_PANEL_PX, _MOST_LINE_PX = 480, 960
_BETWEEN_WORDS_PX = 6
_DOT = {
    "type": "point",
    "filled": True,
    "size": 55,
    "opacity": 1,
    "stroke": "white",
    "strokeWidth": 1,
}
_SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down")


def curves(
    rows: Sequence[dict[str, Any]],
    *,
    title: str,
    values: Sequence[Any],
    spacing: Literal["linear", "log", "ordinal", "nominal"],
    across: int = 4,
    most: float | None = 1.0,
) -> Chart:
    """Draw a small chart for each `panel`: how each model's estimate changes with the setting.

    Args:
        rows: with `model`, `panel`, `value`, `estimate` (None: undefined), `low`, `high` (None: no
            interval) and `description`.
        title: of the horizontal axis.
        values: of the setting, in their order.
        spacing: of the horizontal axis. ``ordinal`` is for ordered words or unevenly spread
            numbers; ``nominal`` is for words without an order, whose dots are not joined.
        across: panels in a line.
        most: the upper end of the vertical axis, which begins at 0; None: the largest value.
    """
    few = few_models(rows, lambda row: [((row["panel"], row["value"]), row["estimate"])])
    names, rows = few.names, few.of(rows)
    is_worded = spacing in ("ordinal", "nominal")
    labels = _labels(values)
    panel_px = _panel_px(list(labels.values())) if is_worded else _PANEL_PX[0]
    word_px = max(30.0, panel_px / max(len(values), 1) - _BETWEEN_WORDS_PX)
    worded = {
        value: wrapped(labels[value], word_px) if isinstance(value, str) else value
        for value in values
    }
    across = max(1, min(across, _MOST_LINE_PX // panel_px))
    shown_values = [worded[value] for value in values] if is_worded else values
    x = _horizontal(title, shown_values, spacing, panel_px)
    y_scale = {"domain": [0, most]} if most is not None else {"zero": True}
    shown = list(names.values())
    titles = tuple(dict.fromkeys(row["panel"] for row in rows))
    keys = legend(shown, panel_px=panel_px, n_panels=len(titles), across=across)
    color = nominal("name", scale={"domain": shown}, legend=keys)
    shape = nominal("name", scale={"domain": shown, "range": list(_SHAPES)}, legend=keys)
    apart = {"xOffset": nominal("name", sort=shown)} if spacing == "nominal" else {}
    y = _vertical("estimate", y_scale)
    span = {"y": _vertical("low", y_scale), "y2": {"field": "high"}}
    known = "isValid(datum.low)" if len(names) <= MOST_WITH_INTERVALS else "false"
    layers = [
        layer({"type": "rule", "strokeWidth": 1.5, "opacity": 0.45}, span, where=known),
        layer(_DOT if spacing == "nominal" else {"type": "line", "strokeWidth": 2}, {"y": y}),
        layer(_DOT, {"y": y, "shape": shape, "description": DESCRIPTION}),
    ]
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
        chart = {
            "data": {"values": members},
            "encoding": {"x": x, "color": color, **apart},
            "layer": layers,
        }
        panels.append(framed(chart, panel, width_px=panel_px, height_px=_PANEL_PX[1]))
    return lined_up(panels, across=across, note=few.note)


def _labels(values: Sequence[Any]) -> dict[Any, str]:
    models = [value for value in values if isinstance(value, str) and "/" in value]
    return {value: str(value) for value in values} | dict(short_names(models))


def _panel_px(labels: Sequence[str]) -> int:
    least = (widest_word_px(labels) + _BETWEEN_WORDS_PX) * len(labels)
    return ceil(min(max(least, _PANEL_PX[0]), _MOST_PANEL_PX))


def _horizontal(title: str, values: Sequence[Any], spacing: str, panel_px: int) -> Channel:
    axis: dict[str, Any] = {"title": axis_title(title, panel_px)}
    if spacing in ("ordinal", "nominal"):
        axis |= {"labelAngle": 0, "grid": True}
        return {"field": "value", "type": "ordinal", "sort": list(values), "axis": axis}
    return quantitative(
        "value",
        scale={"type": spacing, "domain": [values[0], values[-1]], "nice": False, "padding": 12},
        axis={**axis, "values": list(values), "format": "~g", **APART},
    )


def _vertical(field: str, scale: Mapping[str, Any]) -> Channel:
    return quantitative(field, scale=scale, axis={"title": None, "tickCount": 5})
