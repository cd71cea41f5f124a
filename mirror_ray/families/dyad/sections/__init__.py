"""dyad's part of the report."""

from mirror_ray.analysis.report.section_file import section_of

SECTIONS = (section_of(f"{__name__}.section"),)
"""Each makes its section of a run that is open, or None."""
