"""MirrorQA's second section: its answers by side, option and position, and the leniency in public
rows.
"""

from mirror_ray.analysis.reading import Reading
from mirror_ray.analysis.report.section import Section
from mirror_ray.analysis.report.section_file import section_file


def section(run: Reading) -> Section | None:
    """Tables by answer; None without MirrorQA's episodes."""
    file = section_file(__name__, run)
    return file.section(*file.tables()) if "mirrorqa" in run.families() else None
