"""`mirror-ray report`: a run as one page, and every table and figure of it as files."""

from argparse import Namespace

from mirror_ray.cli.extras import needs_extra
from mirror_ray.cli.show import console, print_json
from mirror_ray.cli.variables import read_variables
from mirror_ray.records.rundir import read_manifest
from mirror_ray.records.storage_fault import faults_told

_PACKAGES = ("altair", "vl_convert", "jinja2")


def main(arguments: Namespace) -> int:
    """Prints where the page and the files are."""
    read_manifest(arguments.directory)
    variables = read_variables(arguments.set)
    with needs_extra("report", _PACKAGES):
        from analysis.report.files import write_report  # noqa: PLC0415
    with faults_told(arguments.directory, "the report cannot be written"):
        written = write_report(arguments.directory, arguments.out, variables=variables)
    if arguments.json:
        print_json({"page": written[0], "files": written[1:]})
        return 0
    folder = written[0].rpartition("/")[0]
    tables = sum("/tables/" in path for path in written)
    figures = sum("/figures/" in path for path in written)
    console.print(written[0], soft_wrap=True, markup=False)
    console.print(
        f"{tables} files of tables (CSV, Parquet, LaTeX) and {figures} of figures (SVG, PNG): "
        f"{folder}",
        soft_wrap=True,
        markup=False,
    )
    return 0
