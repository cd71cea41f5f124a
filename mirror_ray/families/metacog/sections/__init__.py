"""metacog's part of the report."""

from mirror_ray.analysis.report.section_file import section_of
from mirror_ray.families.metacog.sections import agency, models, section, sensitivity

SECTIONS = (
    section.section,
    agency.section,
    models.section,
    section_of(f"{__name__}.readings"),
    sensitivity.section,
)
"""Each function makes its section for an open run, or returns None."""
