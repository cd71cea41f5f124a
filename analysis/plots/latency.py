"""Durations of replies: quantiles per model on a logarithmic axis."""

from collections.abc import Sequence
from typing import Any

from mirror_ray.analysis.plots.few_models import few_models
from mirror_ray.analysis.plots.panels import figure_note
from mirror_ray.analysis.plots.style import CATEGORIES, FAINT
from mirror_ray.analysis.plots.vega import DESCRIPTION, Chart, layer, nominal, quantitative

_ROW_PX, _PANEL_PX = 26, 520
_LEAST_S = 1e-4
_QUANTILES = ("p5_s", "p25_s", "p50_s", "p75_s", "p95_s")


def latency(rows: Sequence[dict[str, Any]]) -> Chart:
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
    axis = {"title": "seconds, logarithmic", "format": "~g", "tickCount": 6}
    p5 = quantitative("p5_s", scale={"type": "log", "nice": False}, axis=axis)
    whole = {"x": p5, "x2": {"field": "p95_s"}}
    half = {"x": quantitative("p25_s"), "x2": {"field": "p75_s"}}
    middle = {"x": quantitative("p50_s")}
    return {
        "data": {"values": described},
        **figure_note(few.note),
        "width": _PANEL_PX,
        "height": _ROW_PX * len(names),
        "encoding": {
            "y": nominal("name", sort=list(names.values()), axis={"title": None}),
            "description": DESCRIPTION,
        },
        "layer": [
            layer({"type": "rule", "stroke": FAINT, "strokeWidth": 1.5}, whole),
            layer({"type": "bar", "size": 13, "fill": CATEGORIES[4]}, half),
            layer({"type": "tick", "size": 13, "thickness": 2.5, "color": CATEGORIES[0]}, middle),
        ],
    }
