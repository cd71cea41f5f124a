"""MirrorQA's first section: the answers' frame of reference, direct and mirrored, and
difficulty."""

from mirror_ray.analysis.reading import Reading
from mirror_ray.analysis.report.section import Section
from mirror_ray.analysis.report.section_file import family_file


def section(run: Reading) -> Section | None:
    """Return MirrorQA's figures and tables; None without its episodes."""
    file = family_file(__name__, run)
    if file is None:
        return None
    part = "mirrorqa_reflection"
    leading = file.table(part, run.table(run.leading(file.sql(part))))
    return file.section(*file.parts(mirrorqa_reflection=leading))
