"""flipset's part of the report."""

from mirror_ray.families.flipset.sections import controls, figures, section

SECTIONS = (section.section, controls.section, figures.section)
"""Each makes its section of a run that is open, or None."""
