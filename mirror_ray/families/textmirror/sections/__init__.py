"""textmirror's part of the report."""

from mirror_ray.families.textmirror.sections import controls, section

SECTIONS = (section.section, controls.section)
"""Functions that each write a section of an open run, or return None."""
