"""The report's first section: each family's leading metric, models by conditions.

Knows which metric a family leads with; computes none.
"""

from analysis.reading import Reading
from analysis.report.cells import (
    estimate,
    metric_text,
    number_text,
    setting_text,
    share_text,
    words,
)
from analysis.report.section import Section, Table
from analysis.summary import HEADLINES


def section(run: Reading) -> Section | None:
    """One table per family with episodes; None without any."""
    tables = tuple(_table(run, family) for family in run.families() if family in HEADLINES)
    if not tables:
        return None
    return Section(
        "headlines",
        "At a glance",
        "The metric that each family leads with, for every model and condition, under the "
        "settings it was played in.",
        tables,
    )


def _table(run: Reading, family: str) -> Table:
    metric = HEADLINES[family][0]
    view = f"metric.{family}"
    # Names of views and metrics are our own; nothing of a run is put into the text.
    sql = (
        "pivot (\n"  # noqa: S608
        "    select temperature, variant, model, condition, n, estimate, ci_low, ci_high\n"
        f"    from {view}\n"
        f"    where metric = '{metric}'\n"
        ")\n"
        "on condition using first(estimate) as estimate, first(ci_low) as ci_low,\n"
        "    first(ci_high) as ci_high, first(n) as n\n"
        "group by temperature, variant, model\n"
        "order by temperature, variant, model"
    )
    chance = "any_value(chance)" if run.has(view, "chance") else "null"
    of_metric = run.rows(
        f"select condition, {chance} as chance, any_value(method) as method from {view} "  # noqa: S608
        f"where metric = '{metric}' group by condition order by condition"
    )
    chances = ", ".join(
        f"{share_text(row['chance'])} in {row['condition']}"
        for row in of_metric
        if row["chance"] is not None
    )
    show = share_text if all(row["method"] == "wilson" for row in of_metric) else number_text
    name = metric_text(family, metric)
    return Table(
        f"headline_{family}",
        f"{family}: {name}",
        "The estimate, under it its 95 % interval and the number of episodes that define it."
        + (f" By chance: {chances}." if chances else ""),
        sql,
        run.table(sql),
        (
            words("model", "model"),
            *(
                estimate(
                    condition,
                    key=f"{condition}_estimate",
                    low=f"{condition}_ci_low",
                    high=f"{condition}_ci_high",
                    n=f"{condition}_n",
                    show=show,
                )
                for condition in (row["condition"] for row in of_metric)
            ),
        ),
        group=setting_text,
    )
