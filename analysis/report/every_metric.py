"""The table of a family's every metric, one column each, in every setting."""

from mirror_ray.analysis.reading import Reading
from mirror_ray.analysis.report.cells import (
    estimate,
    metric_text,
    number_text,
    setting_text,
    share_text,
    words,
)
from mirror_ray.analysis.report.section import Table
from mirror_ray.contract.metrics import METRICS

_OF_FAMILY = """\
pivot (
    select condition, temperature, variant, model, metric, n, estimate, ci_low, ci_high
    from metric.{family}
)
on metric using
    first(estimate) as estimate, first(ci_low) as ci_low, first(ci_high) as ci_high, first(n) as n
group by condition, temperature, variant, model
order by condition, temperature, variant, model"""


def every_metric(run: Reading, family: str, title: str, text: str) -> Table:
    """Models by metrics, grouped by condition and setting.

    Args:
        text: stands below the title.
    """
    query = _OF_FAMILY.format(family=family)
    return Table(
        f"{family}_summary",
        title,
        text,
        query,
        run.table(query),
        (
            words("model", "model"),
            *(
                estimate(
                    metric_text(family, metric.name),
                    key=f"{metric.name}_estimate",
                    low=f"{metric.name}_ci_low",
                    high=f"{metric.name}_ci_high",
                    n=f"{metric.name}_n",
                    show=number_text if metric.kind == "count" else share_text,
                )
                for metric in METRICS[family].metrics
            ),
        ),
        group=lambda row: f"{row['condition']} · {setting_text(row)}",
    )
