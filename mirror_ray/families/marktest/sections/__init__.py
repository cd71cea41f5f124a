"""marktest's part of the report."""

from mirror_ray.families.marktest.sections import section

SECTIONS = (section.section,)
"""Each makes its section of a run that is open, or None."""
