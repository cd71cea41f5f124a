"""textmirror's part of the report."""

from mirror_ray.families.textmirror.sections import controls, section

SECTIONS = (section.section, controls.section)
"""Each function makes its section for an open run, or returns None."""
