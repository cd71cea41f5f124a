"""selfid's part of the report."""

from mirror_ray.analysis.report.section_file import section_of
from mirror_ray.families.selfid.sections import doses, metrics, section, thresholds

SECTIONS = (
    section.section,
    doses.section,
    metrics.section,
    section_of(f"{__name__}.process"),
    thresholds.section,
    section_of(f"{__name__}.twins"),
)
"""Functions that each write a section of an open run, or return None."""
