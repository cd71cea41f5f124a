"""metacog's part of the report."""

from mirror_ray.families.metacog.sections import agency, models, readings, section, sensitivity

SECTIONS = (section.section, agency.section, models.section, readings.section, sensitivity.section)
"""Each makes its section of a run that is open, or None."""
