"""selfid's metrics as functions of the thresholds for evidence and for nearness."""

from dataclasses import replace

from mirror_ray.analysis.quoting import literal
from mirror_ray.analysis.reading import Reading
from mirror_ray.analysis.report.section import Section
from mirror_ray.analysis.report.section_file import family_file


def section(run: Reading) -> Section | None:
    """Return the curves of the first condition with a mirror; None without episodes."""
    file = family_file(__name__, run)
    if file is None:
        return None
    first = run.rows(
        "select min(condition) as condition from stage.selfid_episodes "  # noqa: S608 - quoted
        f"where mirror_present and {file.slots['where']}"
    )[0]["condition"]
    if first is None:
        return None
    slots = {**file.slots, "first": first, "condition": literal(first)}
    file = replace(file, slots=slots)
    return file.section(*file.parts())
