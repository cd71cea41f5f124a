"""metacog's section on its readings: how far judges and rules agree, and where they do not."""

from mirror_ray.analysis.reading import Reading
from mirror_ray.analysis.report.section import Section
from mirror_ray.analysis.report.section_file import section_file


def section(run: Reading) -> Section | None:
    """Agreement and disagreements; None without a judge."""
    if "metacog" not in run.families() or not run.rows("from stage.metacog_judged limit 1"):
        return None
    file = section_file(__name__, run)
    return file.section(*file.tables())
