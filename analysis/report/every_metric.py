"""The table of a family's every metric, one column each, in every setting."""

from mirror_ray.analysis.reading import Reading
from mirror_ray.analysis.report.cells import (
    condition_text,
    metric_text,
    number_text,
    share_text,
    words,
)
from mirror_ray.analysis.report.pivots import pivot_sql, pivoted
from mirror_ray.analysis.report.section import ReportTable
from mirror_ray.contract.metrics import METRICS


def every_metric(run: Reading, family: str, title: str, text: str) -> ReportTable:
    """Models by metrics, grouped by condition and setting.

    Args:
        text: below the title.
    """
    query = pivot_sql(f"metric.{family}", "condition, temperature, variant, model")
    return ReportTable(
        f"{family}_summary",
        title,
        text,
        query,
        run.table(query),
        (
            words("model", "model"),
            *(
                pivoted(
                    metric.name,
                    metric_text(family, metric.name),
                    show=number_text if metric.kind == "count" else share_text,
                )
                for metric in METRICS[family].metrics
            ),
        ),
        group=condition_text,
    )
