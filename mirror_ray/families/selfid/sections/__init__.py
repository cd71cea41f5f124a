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
"""Each function makes its section for an open run, or returns None."""
