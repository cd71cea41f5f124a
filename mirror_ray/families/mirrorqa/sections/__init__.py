"""mirrorqa's part of the report."""

from mirror_ray.analysis.report.section_file import section_of
from mirror_ray.families.mirrorqa.sections import section

SECTIONS = (section.section, section_of(f"{__name__}.answers"))
"""Each function makes its section for an open run, or returns None."""
