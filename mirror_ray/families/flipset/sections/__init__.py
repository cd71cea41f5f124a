"""flipset's part of the report."""

from mirror_ray.analysis.report.section_file import section_of
from mirror_ray.families.flipset.sections import controls

SECTIONS = (section_of(f"{__name__}.section"), controls.section, section_of(f"{__name__}.figures"))
"""Each function makes its section for an open run, or returns None."""
