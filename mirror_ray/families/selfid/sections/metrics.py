"""selfid's second section: every metric of arXiv 2605.08816, and an analysis of identifications."""

from functools import partial

from mirror_ray.analysis.reading import Reading, Row
from mirror_ray.analysis.report.cells import number_text, share_text
from mirror_ray.analysis.report.pivots import pivoted
from mirror_ray.analysis.report.section import Section
from mirror_ray.analysis.report.section_file import family_file
from mirror_ray.analysis.undefined_metrics import Conditions, is_here, without_mirror
from mirror_ray.contract.metrics import METRICS


def section(run: Reading) -> Section | None:
    """Return the tables over every setting; None without selfid's episodes."""
    no_mirror = without_mirror(run.connection)
    metrics = tuple(
        pivoted(
            metric.name,
            metric.heading,
            se="se",
            show=number_text if metric.kind == "count" else share_text,
            is_here=partial(_is_here, metric.name, no_mirror),
        )
        for metric in METRICS["selfid"].metrics
        if metric.is_shown
    )
    file = family_file(__name__, run, columns={"metrics": metrics})
    return None if file is None else file.section(*file.parts())


def _is_here(metric: str, no_mirror: Conditions, row: Row) -> bool:
    return is_here("selfid", metric, row["condition"], no_mirror)
