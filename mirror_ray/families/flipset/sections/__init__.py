"""flipset's part of the report."""

from mirror_ray.families.flipset.sections import controls, figures, section

SECTIONS = (section.section, controls.section, figures.section)
"""Functions that each write a section of an open run, or return None."""
