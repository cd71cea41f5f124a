"""Heat maps in panels: models as rows, a share from light to dark in each cell."""

from collections.abc import Sequence
from typing import Any

from mirror_ray.analysis.plots.few_models import few_models, room_for
from mirror_ray.analysis.plots.panels import LABEL_PX, lined_up, panel_title
from mirror_ray.analysis.plots.style import (
    DARK_FROM,
    FAINT,
    ON_DARK,
    ON_LIGHT,
    SEQUENTIAL,
    UNDEFINED_FILL,
)
from mirror_ray.analysis.plots.text import widest_word_px, wrapped
from mirror_ray.analysis.plots.vega import DESCRIPTION, Chart, layer, nominal, quantitative

_CELL_PX = (40, 25)
_MOST_CELL_PX = 110


def heat_map(
    rows: Sequence[dict[str, Any]],
    *,
    columns: Sequence[str],
    title: str,
    most: float = 1.0,
    across: int = 4,
    cell_px: int = _CELL_PX[0],
) -> Chart:
    """Draw the rows of each `panel` as a grid of coloured cells, models down the side and columns
    across. The panels are next to each other and share one scale of colours.

    Args:
        rows: with `model`, `column`, `panel`, `value` (None: undefined), `label` (the text in the
            cell) and `description`.
        columns: of every panel, in their order; if they are models too, there may be many.
        most: the value of the darkest colour; the lightest is 0.
        cell_px: the least width of a cell; cells are as wide as the longest word above them.
    """
    n_panels = len({row["panel"] for row in rows})
    few = few_models(
        rows,
        lambda row: [((row["panel"], row["column"]), row["value"])],
        most=room_for(n_panels, across=across, row_px=_CELL_PX[1]),
    )
    names, rows = few.names, few.of(rows)
    few_columns = few_models(
        rows,
        lambda row: [((row["panel"], row["model"]), row["value"])],
        key="column",
        noun="columns",
    )
    if few_columns.note:
        columns, rows = list(few_columns.names), few_columns.of(rows, "column")
    cell_px = min(max(cell_px, round(widest_word_px(columns)) + 8), _MOST_CELL_PX)
    heads = {column: wrapped(column, cell_px - 6, size_px=LABEL_PX) for column in columns}
    ends = [heads[column] for column in columns]
    colour = quantitative(
        "value",
        title=title,
        scale={"domain": [0, most], "range": list(SEQUENTIAL), "clamp": True},
        legend={"gradientLength": 180, "gradientThickness": 10},
    )
    ink = {
        "value": ON_LIGHT,
        "condition": [
            {"test": "datum.value === null", "value": FAINT},
            {"test": f"datum.value > {DARK_FROM * most}", "value": ON_DARK},
        ],
    }
    layers = [
        layer({"type": "rect", "fill": UNDEFINED_FILL}, {}, where="datum.value === null"),
        layer(
            {"type": "rect", "stroke": "white", "strokeWidth": 1.5},
            {"color": colour},
            where="datum.value !== null",
        ),
        layer({"type": "text", "fontSize": 11}, {"text": nominal("label"), "color": ink}),
    ]
    y = {"sort": list(names.values()), "scale": {"domain": list(names.values())}}
    panels: list[Chart] = []
    for position, panel in enumerate(dict.fromkeys(row["panel"] for row in rows)):
        members = [
            {**row, "name": names[row["model"]], "column": heads[row["column"]]}
            for row in rows
            if row["panel"] == panel
        ]
        # A story of five sentences has no sixth sentence.
        shown = ends[: 1 + max(ends.index(row["column"]) for row in members)]
        x = {"sort": shown, "scale": {"domain": shown}, "axis": {"title": None, "labelAngle": 0}}
        labels = {"title": None, "labels": position % across == 0}
        panels.append(
            {
                "data": {"values": members},
                "title": panel_title(panel, max(cell_px * len(shown), 110)),
                "width": cell_px * len(shown),
                "height": _CELL_PX[1] * len(names),
                "encoding": {
                    "x": nominal("column", **x),
                    "y": nominal("name", **y, axis=labels),
                    "description": DESCRIPTION,
                },
                "layer": layers,
            }
        )
    note = " ".join(filter(None, (few.note, few_columns.note)))
    return lined_up(panels, across=across, note=note)
