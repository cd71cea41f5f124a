"""Which scenes a run has played, and when."""

from mirror_ray.analysis.reading import Reading
from mirror_ray.analysis.report.section import ReportTable
from mirror_ray.analysis.report.section_file import section_file


def scenes(run: Reading) -> ReportTable:
    """List the seeds of each condition as ranges, with the repetitions and the dates."""
    columns = "family, condition, scene_seed, run, finished_at"
    file = section_file(__name__, run, episodes=run.every("stage", "episodes", columns))
    return file.table("how_scenes")
