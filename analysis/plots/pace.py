"""The pace of a run: requests per minute over time, one area per model."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any

from mirror_ray.analysis.plots.few_models import MOST_MODELS
from mirror_ray.analysis.plots.names import short_names
from mirror_ray.analysis.plots.panels import legend
from mirror_ray.analysis.plots.style import APART
from mirror_ray.analysis.plots.vega import DESCRIPTION, Chart, layer, nominal, quantitative

_WIDTH_PX, _HEIGHT_PX = 700, 170
_BUSIEST = 10
_UNITS = (("seconds", 1 / 60), ("minutes", 1.0), ("hours", 60.0), ("days", 1440.0))
"""Units of time, in minutes."""
_MOST_UNITS = 180
"""The most bars in a chart: with more, each bar covers the next larger unit of time."""


def pace(rows: Sequence[dict[str, Any]]) -> Chart:
    """Stack bars over the time of the run. Rows have `minute` (a span's start), `width_s` (its
    length), `model` and `per_minute`."""
    rows = _with_others(rows)
    names = short_names(row["model"] for row in rows)
    ends = [row["minute"] + row["width_s"] / 60 for row in rows]
    unit, minutes = _unit(max(ends, default=0.0))
    described = [
        {
            **row,
            "name": names[row["model"]],
            "since": row["minute"] / minutes,
            "until": end / minutes,
            "description": f"{row['model']}, from minute {row['minute']:.3g}: "
            f"{row['per_minute']:,.0f} requests per minute",
        }
        for row, end in zip(rows, ends, strict=True)
    ]
    keys = legend(tuple(names.values()), panel_px=_WIDTH_PX, n_panels=1, across=1)
    axis = {"title": f"{unit} since the first ask", "grid": False, "tickCount": 8, **APART}
    per_minute = {"title": "requests per minute", "tickCount": 4}
    bar = {
        "x": quantitative("since", bin="binned", axis=axis),
        "x2": {"field": "until"},
        "y": quantitative("per_minute", stack=True, axis=per_minute),
        "color": nominal("name", sort=list(names.values()), legend=keys),
        "description": DESCRIPTION,
    }
    return {
        "data": {"values": described},
        **layer({"type": "bar", "stroke": "white", "strokeWidth": 0.3}, bar),
        "width": _WIDTH_PX,
        "height": _HEIGHT_PX,
    }


def _unit(end: float) -> tuple[str, float]:
    return next((one for one in _UNITS if end / one[1] <= _MOST_UNITS), _UNITS[-1])


def _with_others(rows: Sequence[dict[str, Any]]) -> Sequence[dict[str, Any]]:
    """Return the rows; if there are many models, merge all but those with most requests into
    one."""
    asked = Counter[str]()
    for row in rows:
        asked[row["model"]] += row["per_minute"]
    if len(asked) <= MOST_MODELS:
        return rows
    busiest = dict(asked.most_common(_BUSIEST))
    others = f"{len(asked) - _BUSIEST:,} other models"
    sums: defaultdict[tuple[float, float], float] = defaultdict(float)
    for row in rows:
        if row["model"] not in busiest:
            sums[row["minute"], row["width_s"]] += row["per_minute"]
    return [row for row in rows if row["model"] in busiest] + [
        {"minute": minute, "width_s": width_s, "model": others, "per_minute": per_minute}
        for (minute, width_s), per_minute in sums.items()
    ]
