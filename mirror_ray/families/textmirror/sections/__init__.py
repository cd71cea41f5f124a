"""textmirror's part of the report."""

from mirror_ray.families.textmirror.sections import controls, section

SECTIONS = (section.section, controls.section)
"""Each makes its section of a run that is open, or None."""
