"""Differences with their intervals around a line at 0, one row per model."""

from collections.abc import Sequence
from math import floor, log10
from typing import Any

from mirror_ray.analysis.plots.panels import LABEL_PX, ModelPanels
from mirror_ray.analysis.plots.style import CATEGORIES, FAINT, INK
from mirror_ray.analysis.plots.vega import DESCRIPTION, Chart, layer, nominal, quantitative

_SIGNED = "(datum.value > 0 ? '+' : '') + format(datum.value, '.2~f')"
_DOT = {"type": "point", "size": 60, "opacity": 1, "strokeWidth": 2}
_WORD = {"type": "text", "align": "left", "dx": 5, "fontSize": LABEL_PX, "color": FAINT}
CLEAR, OPEN = "p < .05 after Holm", "not told apart"


def forest(
    rows: Sequence[dict[str, Any]], *, title: str, kinds: tuple[str, str] | None = (CLEAR, OPEN)
) -> Chart:
    """Draw one panel per comparison, with models as rows; marks of clear differences are filled.

    Args:
        rows: with `model`, `panel`, `difference`, `low`, `high` (None: no interval), `is_clear` and
            `description`; `is_best` marks the model that the others of the panel are compared with.
        kinds: what the legend calls clear differences and others; None: no legend, all are clear.
    """
    clear, other = kinds or (CLEAR, OPEN)
    titles = sorted({row["panel"] for row in rows})
    panels = ModelPanels(
        rows, lambda row: [(row["panel"], row["difference"])], titles, panel_px=200, across=4
    )
    ends = [row[key] for row in panels.few.of(rows) for key in ("difference", "low", "high")]
    step = _step(max((abs(end) for end in ends if end is not None), default=0.0) or 1.0)
    scale = {"domain": [-2 * step, 2 * step], "nice": False}
    axis = {
        "title": panels.axis_title(title),
        "values": [times * step for times in (-2, -1, 0, 1, 2)],
        "labelExpr": _SIGNED,
    }
    keys = kinds and panels.legend(kinds)
    outline, inside = (
        nominal(
            "test", legend=keys, scale={"domain": [clear, other], "range": [CATEGORIES[0], rest]}
        )
        for rest in (FAINT, "white")
    )
    drawn = []
    for position, panel in enumerate(titles):
        members = [
            {**row, "test": clear if row["is_clear"] or not kinds else other}
            for row in panels.rows(rows, panel)
        ]
        known = [row for row in members if None not in (row["low"], row["high"])]
        best = [row for row in members if row.get("is_best")]
        others = [row for row in members if not row.get("is_best")]
        y = {"y": panels.models(position), "description": DESCRIPTION}
        at = {"x": quantitative("difference", scale=scale, axis=axis), **y}
        zero = {"x": quantitative("at", scale=scale, axis=axis)}
        span = {"x": quantitative("low", scale=scale, axis=axis), "x2": {"field": "high"}, **y}
        layers = [
            layer({"type": "rule", "stroke": INK, "strokeWidth": 1}, zero, rows=[{"at": 0}]),
            layer({"type": "rule", "strokeWidth": 2}, {**span, "color": outline}, rows=known),
            layer(_DOT, {**at, "color": outline, "fill": inside}, rows=others),
            layer(_WORD, {**at, "text": {"value": "best"}}, rows=best),
        ]
        drawn.append(panels.framed({"layer": layers}, panel))
    return panels.lined_up(drawn)


def _step(reach: float) -> float:
    half = reach / 2
    power = 10.0 ** floor(log10(half))
    # A rounding error must not widen the axis.
    return next((n * power for n in (1, 2, 2.5, 5) if n * power >= half * 0.999), 10 * power)
