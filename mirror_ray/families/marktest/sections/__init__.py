"""marktest's part of the report."""

from mirror_ray.analysis.report.section_file import section_of

SECTIONS = (section_of(f"{__name__}.section"),)
"""Each function makes its section for an open run, or returns None."""
