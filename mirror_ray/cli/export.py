"""`mirror-ray export`: a run in the formats of other tools."""

from argparse import Namespace
from pathlib import Path

from mirror_ray.cli.extras import needs_extra
from mirror_ray.cli.show import console, print_json
from mirror_ray.errors import SweepError
from mirror_ray.records.rundir import read_manifest
from mirror_ray.records.storage import is_address
from mirror_ray.records.storage_fault import faults_told

_PACKAGES = ("inspect_ai", "huggingface_hub", "mlcroissant")


def main(arguments: Namespace) -> int:
    """Prints the files' paths."""
    directory, format_name = arguments.directory, arguments.to
    folder = _folder(directory, arguments.out, format_name)
    name = str(read_manifest(directory)["sweep"]["name"])
    with faults_told(directory, "the run cannot be exported"):
        paths = _write(directory, folder, format_name, name)
    if arguments.json:
        print_json({"format": format_name, "paths": [str(path) for path in paths]})
        return 0
    for path in paths:
        console.print(str(path), soft_wrap=True, markup=False)
    return 0


def _write(directory: str, folder: Path, format_name: str, name: str) -> tuple[Path, ...]:
    with needs_extra("export", _PACKAGES):
        if format_name == "inspect":
            from analysis.export.inspect_logs import write_logs  # noqa: PLC0415

            return write_logs(directory, folder)
        if format_name == "huggingface":
            from analysis.export.dataset_card import write_dataset  # noqa: PLC0415

            return write_dataset(directory, folder, name=name)
        from analysis.export.croissant import write_croissant  # noqa: PLC0415

        return write_croissant(directory, folder, name=name)


def _folder(directory: str, out: str | None, format_name: str) -> Path:
    if out is not None:
        return Path(out)
    if is_address(directory):
        raise SweepError(
            "command line: --out", "nothing", "a folder on this machine", "give --out FOLDER"
        )
    return Path(directory) / "export" / format_name
