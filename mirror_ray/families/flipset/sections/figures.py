"""FlipSet's figures over models: L2 against its parts, two kinds of mistake, and orders of options.

Knows FlipSet's views and which figures arXiv 2602.15892 prints of them; computes no metric.
"""

from collections.abc import Sequence

from mirror_ray.analysis.plots.curves import curves
from mirror_ray.analysis.plots.scatter import scatter
from mirror_ray.analysis.reading import Reading, Row
from mirror_ray.analysis.report.cells import share_text
from mirror_ray.analysis.report.pivots import pivot_sql
from mirror_ray.analysis.report.section import Figure, Section
from mirror_ray.analysis.report.setting import main_setting

_COMPOSITION = pivot_sql(
    "metric.flipset_composition",
    "model",
    on="metric in ('l2', 'tom', 'mr', 'product')",
    where="{setting}",
)
_KINDS = pivot_sql(
    "metric.flipset",
    "model",
    on="metric in ('egocentric', 'confusable')",
    where="condition = 'L2' and {setting}",
)
_ORDERS = """\
select
    metric,
    layout_number,
    count(*) as n_models,
    sum(n) as n,
    avg(estimate) as estimate
from metric.flipset_layouts
where condition = 'L2' and layout_number is not null and metric <> 'fail' and {setting}
group by metric, layout_number
order by metric, layout_number"""


def section(run: Reading) -> Section | None:
    """The figures over models; None without FlipSet's episodes."""
    setting = main_setting(run, "flipset")
    if setting is None:
        return None
    parts = [
        figure
        for figure in (
            _against_parts(run, _COMPOSITION.format(setting=setting.where)),
            _mistakes(run, _KINDS.format(setting=setting.where)),
            _orders(run, _ORDERS.format(setting=setting.where)),
        )
        if figure is not None
    ]
    if not parts:
        return None
    return Section(
        "flipset_figures",
        "flipset: comparison of models",
        "The figures of arXiv 2602.15892 over models: control tasks (Fig. 3), egocentric against "
        "confusable (Fig. 4), and by the order of the options (Fig. A1). They show the "
        f"setting {setting.text}.",
        tuple(parts),
    )


def _against_parts(run: Reading, sql: str) -> Figure | None:
    rows = run.rows(sql)
    points = [
        *_points(rows, "ToM × MR and L2", ("product", "l2")),
        *_points(rows, "ToM and L2", ("tom", "l2")),
        *_points(rows, "MR and L2", ("mr", "l2")),
        *_points(rows, "ToM and MR", ("tom", "mr")),
    ]
    if not points:
        return None
    return Figure(
        "flipset_parts",
        "L2 against its parts",
        "A point for each model, named where it is pointed at. Below the dashed line of the first "
        "panel L2 is worse than knowing that the monkey sees something else and turning a card "
        "would be together.",
        sql,
        scatter(points, across=4, titles=("the first", "the second"), diagonal=True),
    )


def _mistakes(run: Reading, sql: str) -> Figure | None:
    points = _points(run.rows(sql), "L2", ("egocentric", "confusable"))
    if not points:
        return None
    return Figure(
        "flipset_egocentric_confusable",
        "Two kinds of mistake",
        "A point for each model, named where it is pointed at: how often it says what it sees "
        "itself, and how often a text that is half of the way there.",
        sql,
        scatter(points, across=1, titles=("egocentric", "confusable"), diagonal=False, side_px=240),
    )


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
            # Models that are right, or wrong, everywhere lie on one spot: names would overlap.
            "label": "",
            "description": f"{row['model']}: {x} {share_text(row[f'{x}_estimate'])}, "
            f"{y} {share_text(row[f'{y}_estimate'])}, n = {row[f'{y}_n']}",
        }
        for row in rows
        if row[f"{x}_estimate"] is not None and row[f"{y}_estimate"] is not None
    ]


def _orders(run: Reading, sql: str) -> Figure | None:
    rows = run.rows(sql)
    if len({row["layout_number"] for row in rows}) < 2:
        return None
    return Figure(
        "flipset_orders",
        "By the order of the options",
        "Mean shares over models in each of the twelve published orders, numbered as in "
        "metric.flipset_layouts.",
        sql,
        curves(
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
            values=sorted({row["layout_number"] for row in rows}),
            spacing="ordinal",
            across=1,
        ),
    )
