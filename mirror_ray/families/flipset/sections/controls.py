"""FlipSet's second section, after arXiv 2602.15892: L2 with its controls, chance, model
families."""

from mirror_ray.analysis.reading import Row
from mirror_ray.analysis.report.section_file import section_of, text_column


def _parameters(row: Row) -> str:
    low, high = row["smallest_b"], row["largest_b"]
    if low is None:
        return "–"
    return f"{low:g} B" if low == high else f"{low:g}–{high:g} B"


section = section_of(__name__, columns={"parameters": text_column(_parameters)})
"""Makes the comparison of L2 with its controls; None without episodes of FlipSet."""
