"""Many models by lab: a family's leading metric, labs by conditions."""

from collections.abc import Callable, Sequence

from mirror_ray.analysis.reading import Reading, Row
from mirror_ray.analysis.report.cells import words
from mirror_ray.analysis.report.section import UNDEFINED_CELL, Column, ReportTable, TableCell


def labs_table(
    run: Reading,
    family: str,
    metric: str,
    conditions: Sequence[str],
    *,
    where: str,
    show: Callable[[float | None], str],
) -> ReportTable:
    """Return the mean of each lab's models, and its worst and best model.

    Args:
        metric: its name on the page.
        conditions: in the order of the columns.
        where: a condition over the rows of ``metric.<family>``: that metric, in one setting.
        show: formats one of its values.
    """
    sql = (
        "pivot (\n"  # noqa: S608 - our own names
        "    select coalesce(macro.model_family_lab(model), 'unknown') as lab, condition, model,\n"
        "        estimate\n"
        f"    from metric.{family}\n"
        f"    where {where} and estimate is not null\n"
        ")\n"
        "on condition using avg(estimate) as mean, min(estimate) as worst, max(estimate) as best,\n"
        "    count(distinct model) as models\n"
        "group by lab\n"
        "order by lab"
    )
    return ReportTable(
        f"labs_{family}",
        f"{family}: {metric} by lab",
        "The mean over a lab's models, under it its worst and its best one, which describe what "
        "was played and are not an interval. n counts models. The lab comes from the catalogue "
        "or the model's name.",
        sql,
        run.table(sql),
        (words("lab", "lab"), *(_column(condition, show) for condition in conditions)),
    )


def _column(condition: str, show: Callable[[float | None], str]) -> Column:
    def cell(row: Row) -> TableCell:
        mean, worst, best = (row.get(f"{condition}_{of}") for of in ("mean", "worst", "best"))
        if mean is None:
            return TableCell(UNDEFINED_CELL)
        ends = show(worst) if worst == best else f"{show(worst)}–{show(best)}"
        return TableCell(show(mean), ends, n=row[f"{condition}_models"])

    return Column(condition, cell)
