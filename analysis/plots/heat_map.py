"""Heat maps in panels: models as rows, a share from light to dark in each cell.

Knows values between 0 and a most; does not know what they mean.
"""

from collections.abc import Sequence
from typing import Any

import altair as alt

from analysis.plots.names import short_names
from analysis.plots.panels import lined_up
from analysis.plots.style import FAINT, INK, SEQUENTIAL, UNDEFINED_FILL

_CELL_PX = (40, 25)


def heat_map(
    rows: Sequence[dict[str, Any]],
    *,
    columns: Sequence[str],
    title: str,
    most: float = 1.0,
    across: int = 4,
    cell_px: int = _CELL_PX[0],
) -> alt.ConcatChart:
    """One panel per `panel`, in the rows' order, all on one scale.

    Args:
        rows: with `model`, `column`, `panel`, `value` (None: undefined), `label` (the text in the
            cell) and `description`.
        columns: of every panel, in their order.
        title: of the scale.
        most: the value of the darkest colour; the lightest is 0.
        across: panels in a line.
        cell_px: the cells' width.
    """
    names = short_names(row["model"] for row in rows)
    panels = []
    for position, panel in enumerate(dict.fromkeys(row["panel"] for row in rows)):
        members = [{**row, "name": names[row["model"]]} for row in rows if row["panel"] == panel]
        base = alt.Chart(
            alt.InlineData(values=members),
            title=alt.TitleParams(panel, anchor="middle"),
            width=cell_px * len(columns),
            height=_CELL_PX[1] * len(names),
        ).encode(
            x=alt.X(
                "column:N",
                sort=list(columns),
                scale=alt.Scale(domain=list(columns)),
                axis=alt.Axis(title=None, labelAngle=0, labelLimit=cell_px - 2),
            ),
            y=alt.Y(
                "name:N",
                sort=list(names.values()),
                scale=alt.Scale(domain=list(names.values())),
                axis=alt.Axis(title=None, labels=position % across == 0),
            ),
            description="description:N",
        )
        undefined = base.transform_filter("datum.value === null").mark_rect(fill=UNDEFINED_FILL)
        defined = (
            base.transform_filter("datum.value !== null")
            .mark_rect(stroke="white", strokeWidth=1.5)
            .encode(
                color=alt.Color(
                    "value:Q",
                    title=title,
                    scale=alt.Scale(domain=[0, most], range=list(SEQUENTIAL), clamp=True),
                    legend=alt.Legend(gradientLength=180, gradientThickness=10),
                )
            )
        )
        text = base.mark_text(fontSize=11).encode(
            text="label:N",
            color=alt.when("datum.value === null")
            .then(alt.value(FAINT))
            .when(f"datum.value > {0.55 * most}")
            .then(alt.value("white"))
            .otherwise(alt.value(INK)),
        )
        panels.append(undefined + defined + text)
    return lined_up(panels, across=across)
