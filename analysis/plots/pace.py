"""The pace of a run: asks per minute over its time, one area per model."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any

import altair as alt

from mirror_ray.analysis.plots.few_models import MOST_MODELS
from mirror_ray.analysis.plots.names import short_names
from mirror_ray.analysis.plots.panels import legend
from mirror_ray.analysis.plots.rows import DESCRIPTION, Rows
from mirror_ray.analysis.plots.style import APART

_WIDTH_PX, _HEIGHT_PX = 700, 170
_BUSIEST = 10


def pace(rows: Sequence[dict[str, Any]]) -> alt.Chart:
    """Stacked bars over the minutes of the run.

    Args:
        rows: with `minute` (a span's beginning), `width_s` (a span's length), `model` and
            `per_minute`.
    """
    rows = _with_others(rows)
    names = short_names(row["model"] for row in rows)
    described = [
        {
            **row,
            "name": names[row["model"]],
            "until": row["minute"] + row["width_s"] / 60,
            "description": f"{row['model']}, from minute {row['minute']:.3g}: "
            f"{row['per_minute']:,.0f} asks per minute",
        }
        for row in rows
    ]
    keys = legend(tuple(names.values()), panel_px=_WIDTH_PX, n_panels=1, across=1)
    chart: alt.Chart = (
        alt.Chart(Rows(values=described))
        .mark_bar(stroke="white", strokeWidth=0.3)
        .encode(
            x=alt.X(
                "minute:Q",
                bin="binned",
                axis=alt.Axis(title="minutes since the first ask", grid=False, **APART),
            ),
            x2=alt.X2("until:Q"),
            y=alt.Y(
                "per_minute:Q", stack=True, axis=alt.Axis(title="asks per minute", tickCount=4)
            ),
            color=alt.Color("name:N", sort=list(names.values()), legend=keys),
            description=DESCRIPTION,
        )
    )
    return chart.properties(width=_WIDTH_PX, height=_HEIGHT_PX)


def _with_others(rows: Sequence[dict[str, Any]]) -> Sequence[dict[str, Any]]:
    """The rows; of many models those with most asks, and all others as one."""
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
