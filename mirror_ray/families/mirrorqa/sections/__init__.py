"""mirrorqa's part of the report."""

from mirror_ray.families.mirrorqa.sections import answers, section

SECTIONS = (section.section, answers.section)
"""Functions that each write a section of an open run, or return None."""
