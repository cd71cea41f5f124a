"""How episodes divide into kinds: stacked bars that sum to 1, with counts on hover."""

from collections.abc import Mapping, Sequence
from typing import Any

from mirror_ray.analysis.plots.panels import ROW_PX, ModelPanels, panel_title
from mirror_ray.analysis.plots.style import FAINT
from mirror_ray.analysis.plots.vega import DESCRIPTION, Chart, layer, nominal, quantitative

_BAR = {"type": "bar", "size": 16, "stroke": "white", "strokeWidth": 1}
_COUNT = {"type": "text", "align": "left", "dx": 5, "color": FAINT, "fontSize": 11}


def stacked_shares(
    rows: Sequence[dict[str, Any]],
    *,
    kinds: Mapping[str, str],
    title: str,
    across: int = 1,
    width_px: int = 480,
) -> Chart:
    """Draw one bar per model, one panel per `panel`.

    Args:
        rows: with `model`, `panel` (empty where there is one panel), `kind` and `n`.
        kinds: kind → colour, in the order of the bar's parts.
    """
    titles = tuple(dict.fromkeys(row["panel"] for row in rows))
    layout = ModelPanels(
        _of_the_first(rows, next(iter(kinds))),
        lambda row: [(row["panel"], row["share"])],
        titles,
        panel_px=width_px,
        across=across,
    )
    order = {kind: index for index, kind in enumerate(kinds)}
    found = {row["kind"] for row in layout.few.of(rows)}
    # A kind that never occurs is left out of the legend; the others keep their colours.
    shown = [kind for kind in kinds if kind in found]
    axis = {
        "title": layout.axis_title(title),
        "values": [0, 0.25, 0.5, 0.75, 1],
        "format": ".2~f",
        "labelFlush": False,
    }
    bar = {
        "x": quantitative("share", scale={"domain": [0, 1]}, axis=axis),
        "color": nominal(
            "kind",
            legend={**layout.legend(shown), "values": shown},
            scale={"domain": list(kinds), "range": list(kinds.values())},
        ),
        "order": quantitative("order"),
        "description": DESCRIPTION,
    }
    count = {"x": {"datum": 1}, "text": nominal("n")}
    panels: list[Chart] = []
    for position, panel in enumerate(titles):
        members = layout.rows(rows, panel)
        totals = dict.fromkeys(layout.labels, 0)
        for row in members:
            totals[row["name"]] += row["n"]
        parts = [
            {
                **row,
                "order": order[row["kind"]],
                "share": row["n"] / totals[row["name"]],
                "description": f"{row['model']} {panel}: {row['kind']}, {row['n']:,} of "
                f"{totals[row['name']]:,}",
            }
            for row in members
            if row["n"]
        ]
        counted = [{"name": name, "n": f"n={total:,}"} for name, total in totals.items() if total]
        panels.append(
            {
                "title": panel_title(panel, width_px),
                "width": width_px,
                "height": ROW_PX * len(layout.labels),
                "encoding": {"y": layout.models(position, has_grid=False)},
                "layer": [layer(_BAR, bar, rows=parts), layer(_COUNT, count, rows=counted)],
            }
        )
    return layout.lined_up(panels)


def _of_the_first(rows: Sequence[dict[str, Any]], kind: str) -> list[dict[str, Any]]:
    counts: dict[tuple[str, str], list[int]] = {}
    for row in rows:
        of_kind_and_all = counts.setdefault((row["model"], row["panel"]), [0, 0])
        of_kind_and_all[0] += row["n"] * (row["kind"] == kind)
        of_kind_and_all[1] += row["n"]
    return [
        {"model": model, "panel": panel, "share": n / of if of else None}
        for (model, panel), (n, of) in counts.items()
    ]
