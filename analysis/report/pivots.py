"""Tables with a column for each metric of a view."""

from collections.abc import Callable
from typing import Any

from mirror_ray.analysis.report.cells import estimate_column, share_text
from mirror_ray.analysis.report.section import Column

_FIGURES = "estimate, ci_low, ci_high, n"


def pivot_sql(
    view: str, keys: str, *, on: str = "metric", where: str = "", figures: str = _FIGURES
) -> str:
    """Write the query for one row per `keys`, with each metric's estimate, interval and n.

    Args:
        view: with a row for each metric.
        keys: the columns that identify a row of the table, with commas.
        on: the column that names the metric, optionally with `in (…)` to choose some.
        where: the condition on the view's rows; "" for all.
        figures: the columns of each metric, with commas.
    """
    firsts = ",\n    ".join(f"first({one}) as {one}" for one in figures.split(", "))
    name, filtered = on.partition(" ")[0], f"\n    where {where}" if where else ""
    rows = keys.replace("setting as ", "")
    # Only names and conditions from our own modules.
    return (
        f"pivot (\n    select {keys}, {name}, {figures}\n    from {view}{filtered}\n)\n"  # noqa: S608
        f"on {on} using\n    {firsts}\ngroup by {rows}\norder by {rows}"
    )


def pivoted(
    metric: str,
    heading: str,
    *,
    show: Callable[[Any], str] = share_text,
    is_here: Callable[[dict[str, Any]], bool] = lambda row: True,
    se: str | None = None,
) -> Column:
    """Make the column of one metric of a pivot.

    Args:
        metric: as the view names it.
        show, is_here: as of `estimate`.
        se: "se" if the pivot has it and the column shall show it.
    """
    return estimate_column(
        heading,
        key=f"{metric}_estimate",
        low=f"{metric}_ci_low",
        high=f"{metric}_ci_high",
        n=f"{metric}_n",
        se=se and f"{metric}_{se}",
        show=show,
        is_here=is_here,
    )
