"""FlipSet's second section: L2 against its controls, against chance, and by model family.

The figures follow arXiv 2602.15892.
"""

from mirror_ray.analysis.reading import Reading, Row
from mirror_ray.analysis.report.section import Column, Section, TableCell
from mirror_ray.analysis.report.section_file import section_file


def section(run: Reading) -> Section | None:
    """L2 compared with its controls; None without FlipSet's episodes."""
    if "flipset" not in run.families():
        return None
    file = section_file(
        __name__, run, columns={"parameters": lambda _key, heading: Column(heading, _parameters)}
    )
    return file.section(*file.tables())


def _parameters(row: Row) -> TableCell:
    low, high = row["smallest_b"], row["largest_b"]
    if low is None:
        return TableCell("–")
    return TableCell(f"{low:g} B" if low == high else f"{low:g}–{high:g} B")
