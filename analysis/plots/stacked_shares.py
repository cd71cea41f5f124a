"""How episodes divide into kinds: one stacked bar per model, whole at 1, counts when pointed at.

Knows counts of kinds; does not know what makes a kind.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt

from analysis.plots.style import FAINT

_ROW_PX, _BAR_PX, _PANEL_PX = 26, 17, 480


def stacked_shares(
    rows: Sequence[dict[str, Any]],
    *,
    kinds: Mapping[str, str],
    title: str,
    width_px: int = _PANEL_PX,
) -> alt.LayerChart:
    """One bar per model.

    Args:
        rows: with `model`, `kind` and `n`.
        kinds: kind → colour, in the order of the bar's parts.
        title: of the axis.
        width_px: of the bars at 1.
    """
    models = sorted({row["model"] for row in rows})
    totals = {m: sum(row["n"] for row in rows if row["model"] == m) for m in models}
    order = {kind: index for index, kind in enumerate(kinds)}
    parts = [
        {
            **row,
            "order": order[row["kind"]],
            "share": row["n"] / totals[row["model"]],
            "description": f"{row['model']}: {row['kind']}, {row['n']:,} of "
            f"{totals[row['model']]:,} ({row['n'] / totals[row['model']]:.0%})",
        }
        for row in rows
        if row["n"]
    ]
    y = alt.Y("model:N", sort=models, axis=alt.Axis(title=None))
    bars = (
        alt.Chart(alt.InlineData(values=parts))
        .mark_bar(size=_BAR_PX, stroke="white", strokeWidth=1)
        .encode(
            x=alt.X(
                "share:Q",
                scale=alt.Scale(domain=[0, 1]),
                axis=alt.Axis(title=title, format=".0%", tickCount=5),
            ),
            y=y,
            color=alt.Color(
                "kind:N",
                scale=alt.Scale(domain=list(kinds), range=list(kinds.values())),
                legend=alt.Legend(title=None),
            ),
            order=alt.Order("order:Q"),
            description="description:N",
        )
    )
    counted = [{"model": model, "n": f"n = {total:,}"} for model, total in totals.items()]
    counts = (
        alt.Chart(alt.InlineData(values=counted))
        .mark_text(align="left", dx=6, color=FAINT)
        .encode(x=alt.datum(1), y=y, text="n:N")
    )
    both: alt.LayerChart = bars + counts
    return both.properties(width=width_px, height=_ROW_PX * len(models))
