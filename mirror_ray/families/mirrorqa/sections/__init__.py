"""mirrorqa's part of the report."""

from mirror_ray.families.mirrorqa.sections import answers, section

SECTIONS = (section.section, answers.section)
"""Each makes its section of a run that is open, or None."""
