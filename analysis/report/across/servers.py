"""The run's own model servers: which server answered for each model, and when it used which
GPUs."""

from mirror_ray.analysis.reading import Reading
from mirror_ray.analysis.report.section import ReportTable
from mirror_ray.analysis.report.section_file import section_file


def servers(run: Reading) -> list[ReportTable]:
    """Return two tables; none if the run served no model itself."""
    file = section_file(__name__, run)
    held = file.table("how_held")
    return [file.table("how_servers"), held] if held.data.num_rows else []
