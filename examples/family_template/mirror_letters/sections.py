"""letters' part of the report: the section of `sections.yaml`."""

from mirror_ray.analysis.report.section_file import section_of

SECTIONS = (section_of(__name__),)
"""Functions that return a section for an open run, or None."""
