"""selfid's part of the report."""

from mirror_ray.families.selfid.sections import doses, metrics, process, section, thresholds, twins

SECTIONS = (
    section.section,
    doses.section,
    metrics.section,
    process.section,
    thresholds.section,
    twins.section,
)
"""Functions that each write a section of an open run, or return None."""
