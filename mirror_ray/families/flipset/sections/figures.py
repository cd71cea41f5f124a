"""FlipSet's figures over models: L2 against its parts, two kinds of mistake, and orders of options.

It knows FlipSet's views and which figures arXiv 2602.15892 prints of them; it computes no metric.
"""

from collections.abc import Sequence

import altair as alt

from mirror_ray.analysis.plots.curves import curves
from mirror_ray.analysis.plots.scatter import scatter
from mirror_ray.analysis.reading import Reading, Row
from mirror_ray.analysis.report.cells import share_text
from mirror_ray.analysis.report.section import Section
from mirror_ray.analysis.report.section_file import section_file
from mirror_ray.analysis.report.setting import main_setting


def section(run: Reading) -> Section | None:
    """The figures over models; None without FlipSet's episodes."""
    setting = main_setting(run, "flipset")
    if setting is None:
        return None
    file = section_file(__name__, run, where=setting.where, setting=setting.text)
    return file.section(
        file.figure("flipset_parts", _against_parts),
        file.figure("flipset_egocentric_confusable", _mistakes),
        file.figure("flipset_orders", _orders),
    )


def _against_parts(rows: list[Row]) -> alt.ConcatChart | None:
    points = [
        *_points(rows, "ToM × MR and L2", ("product", "l2")),
        *_points(rows, "ToM and L2", ("tom", "l2")),
        *_points(rows, "MR and L2", ("mr", "l2")),
        *_points(rows, "ToM and MR", ("tom", "mr")),
    ]
    if not points:
        return None
    return scatter(points, across=4, titles=("the first", "the second"), diagonal=True)


def _mistakes(rows: list[Row]) -> alt.ConcatChart | None:
    points = _points(rows, "L2", ("egocentric", "confusable"))
    if not points:
        return None
    titles = ("egocentric", "confusable")
    return scatter(points, across=1, titles=titles, diagonal=False, side_px=240)


def _points(rows: Sequence[Row], panel: str, pair: tuple[str, str]) -> list[dict[str, object]]:
    x, y = pair
    return [
        {
            "panel": panel,
            "x": row[f"{x}_estimate"],
            "y": row[f"{y}_estimate"],
            "low": row[f"{y}_ci_low"],
            "high": row[f"{y}_ci_high"],
            "n": row[f"{y}_n"],
            # Models that are right, or wrong, everywhere are at the same point: their names would
            # overlap.
            "label": "",
            "description": f"{row['model']}: {x} {share_text(row[f'{x}_estimate'])}, "
            f"{y} {share_text(row[f'{y}_estimate'])}, n = {row[f'{y}_n']}",
        }
        for row in rows
        if row[f"{x}_estimate"] is not None and row[f"{y}_estimate"] is not None
    ]


def _orders(rows: list[Row]) -> alt.ConcatChart | None:
    orders = sorted({row["layout_number"] for row in rows})
    if len(orders) < 2:
        return None
    return curves(
        [
            {
                "model": "correct" if row["metric"] == "accuracy" else row["metric"],
                "panel": "L2",
                "value": row["layout_number"],
                "estimate": row["estimate"],
                "low": None,
                "high": None,
                "description": f"{row['metric']}, order {row['layout_number']}: "
                f"{share_text(row['estimate'])}, {row['n_models']} models, n = {row['n']}",
            }
            for row in rows
        ],
        title="order",
        values=orders,
        spacing="ordinal",
        across=1,
    )
