"""Psychometric functions: measurements as dots, the fitted curve, and its threshold."""

from collections.abc import Sequence
from typing import Any, Literal

from mirror_ray.analysis.plots.few_models import few_models
from mirror_ray.analysis.plots.panels import axis_title, framed, legend, lined_up
from mirror_ray.analysis.plots.style import APART
from mirror_ray.analysis.plots.vega import DESCRIPTION, Chart, layer, nominal, quantitative

_PANEL_PX = (280, 170)
_ACROSS = 2
_NUMBER = "format(datum.value, '~g')"
_DOT = {
    "type": "point",
    "filled": True,
    "size": 45,
    "opacity": 1,
    "stroke": "white",
    "strokeWidth": 1,
}
_SHARE = {"domain": [0, 1]}


def psychometric(
    dots: Sequence[dict[str, Any]],
    lines: Sequence[dict[str, Any]],
    thresholds: Sequence[dict[str, Any]],
    *,
    spacings: dict[str, Literal["linear", "log"]],
) -> Chart:
    """Draw one panel per axis, one colour per model.

    Args:
        dots: with `model`, `panel`, `value`, `estimate`, `low`, `high`, `description`.
        lines: points of the curves, with `model`, `panel`, `value`, `estimate`.
        thresholds: with `model`, `panel`, `value`, `low`, `high`, and `height`, the success there.
        spacings: panel → the spacing of its horizontal axis.
    """
    few = few_models(dots, lambda row: [((row["panel"], row["value"]), row["estimate"])])
    names = few.names
    shown = list(names.values())

    def of(rows: Sequence[dict[str, Any]], panel: str) -> list[dict[str, Any]]:
        return [
            {**row, "name": names[row["model"]]}
            for row in rows
            if row["panel"] == panel and row["model"] in names
        ]

    keys = legend(shown, panel_px=_PANEL_PX[0], n_panels=len(spacings), across=_ACROSS)
    color = nominal("name", scale={"domain": shown}, legend=keys)
    y = quantitative("estimate", scale=_SHARE, axis={"title": None, "tickCount": 5})
    span = {"y": quantitative("low", scale=_SHARE), "y2": {"field": "high"}}
    panels = []
    for panel, spacing in spacings.items():
        members = of(dots, panel)
        values = sorted({row["value"] for row in members})
        domain = [values[0], values[-1]]
        along = {"type": spacing, "domain": domain, "nice": False, "padding": 12}
        title = axis_title(panel, _PANEL_PX[0])
        axis = {"title": title, "values": values, "labelExpr": _NUMBER, **APART}
        x = {"x": quantitative("value", scale=along, axis=axis)}
        threshold = {
            "x": quantitative("low", scale=along),
            "x2": {"field": "high"},
            "y": quantitative("height", scale=_SHARE),
        }
        layers = [
            layer({"type": "line", "strokeWidth": 2}, {**x, "y": y}, rows=of(lines, panel)),
            layer({"type": "rule", "opacity": 0.35}, {**x, **span}, rows=members),
            layer(
                {"type": "rule", "strokeWidth": 4, "opacity": 0.6},
                threshold,
                rows=of(thresholds, panel),
            ),
            layer(_DOT, {**x, "y": y, "description": DESCRIPTION}, rows=members),
        ]
        chart = {"encoding": {"color": color}, "layer": layers}
        panels.append(framed(chart, panel, width_px=_PANEL_PX[0], height_px=_PANEL_PX[1]))
    return lined_up(panels, across=_ACROSS, note=few.note)
