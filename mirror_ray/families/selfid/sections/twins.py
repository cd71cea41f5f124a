"""selfid's counterfactual twins: whether choices follow the body's colour."""

from mirror_ray.analysis.reading import Reading
from mirror_ray.analysis.report.section import Section
from mirror_ray.analysis.report.section_file import section_file

_CHANGED = {
    "body_color": "the body in another cube's colour",
    "cube_places": "two cubes in each other's place",
}


def section(run: Reading) -> Section | None:
    """Return the table; None if no scene was played with its twin."""
    groups = {"changed": lambda row: f"{_CHANGED[row['twin']]} · {row['setting']}"}
    file = section_file(__name__, run, groups=groups)
    return file.section(*file.tables())
