"""Many models by lab: a family's leading metric, labs by conditions."""

from collections.abc import Callable, Sequence

from mirror_ray.analysis.reading import Reading, Row
from mirror_ray.analysis.report.section import (
    NONE_READ,
    UNDEFINED_CELL,
    Column,
    ReportTable,
    TableCell,
)
from mirror_ray.analysis.report.section_file import section_file
from mirror_ray.analysis.summary_cells import MOSTLY_UNREAD


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
    file = section_file(
        __name__,
        run,
        columns={"conditions": [_column(condition, show) for condition in conditions]},
        family=family,
        metric=metric,
        where=where,
    )
    return file.table("labs_{family}")


def _column(condition: str, show: Callable[[float | None], str]) -> Column:
    def cell(row: Row) -> TableCell:
        mean, worst, best = (row.get(f"{condition}_{of}") for of in ("mean", "worst", "best"))
        if mean is None:
            return TableCell(UNDEFINED_CELL)
        read, replies = (row[f"{condition}_{of}"] or 0 for of in ("read", "replies"))
        if replies and not read:
            return TableCell(NONE_READ, n=row[f"{condition}_models"])
        ends = show(worst) if worst == best else f"{show(worst)}–{show(best)}"
        ends += "" if read == replies else f" read {read:,.0f} of {replies:,.0f}"
        letters = MOSTLY_UNREAD if 2 * read < replies else ""
        return TableCell(show(mean), ends, n=row[f"{condition}_models"], letters=letters)

    return Column(condition, cell)
