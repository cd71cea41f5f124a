"""The decisions of `until`, and the episodes that were therefore not played."""

from mirror_ray.analysis.reading import Reading, Row
from mirror_ray.analysis.report.cells import chance_text, kind_of_column, setting_text
from mirror_ray.analysis.report.section import Section
from mirror_ray.analysis.report.section_file import section_file


def section(run: Reading) -> Section | None:
    """Return the decided cells and their verdicts; None if every episode of the run was played."""
    file = section_file(
        __name__,
        run,
        columns={"chance": kind_of_column(chance_text)},
        groups={"question": _question},
    )
    cells = file.table("settled_cells")
    return file.section(cells, file.table("settled_verdicts")) if cells.data.num_rows else None


def _question(row: Row) -> str:
    return f"{row['family']} {row['condition']} · {setting_text(row)} · {row['metric']}"
