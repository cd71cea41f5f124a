"""mirrorqa's part of the report."""

from mirror_ray.analysis.report.section_file import section_of
from mirror_ray.families.mirrorqa.sections import section

SECTIONS = (section.section, section_of(f"{__name__}.answers"))
"""Functions that each write a section of an open run, or return None."""
