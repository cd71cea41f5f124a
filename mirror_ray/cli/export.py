"""`mirror-ray export` writes a run in the formats of other tools."""

import sys
from argparse import Namespace
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from mirror_ray import __version__
from mirror_ray.analysis.export.pictures import Draw, no_pictures
from mirror_ray.analysis.readable import readable
from mirror_ray.cli.directories import manifests_of, output_folder, require_out
from mirror_ray.cli.extras import needs_extra
from mirror_ray.cli.show import console, print_json
from mirror_ray.core.untrusted import one_printable_line
from mirror_ray.records.manifest import sweep_name
from mirror_ray.records.run_folders import distinct_runs
from mirror_ray.replay.pictures import EpisodePictures
from mirror_ray.viewer.frame_renderer import new_renderer

_PACKAGES = ("inspect_ai", "jsonschema", "huggingface_hub", "mlcroissant")
_MOST_NOTES = 5
_LONGEST_NOTE = 400


def main(arguments: Namespace) -> int:
    """Print the files' paths."""
    directories, format_name = distinct_runs(arguments.directories), arguments.to
    require_out(directories, arguments.out, f"export/{format_name}")
    folder = output_folder(directories[0], arguments.out, f"export/{format_name}")
    manifests = manifests_of(directories)
    names = dict.fromkeys(sweep_name(one, manifest) for one, manifest in manifests.items())
    pictures = EpisodePictures(manifests, new_renderer)
    draw = no_pictures if arguments.no_pictures else pictures
    with closing(pictures), readable(directories, "the run cannot be exported"):
        paths = _write(directories, folder, format_name, " + ".join(names), draw)
    for note in pictures.notes[:_MOST_NOTES]:
        print(one_printable_line(note, _LONGEST_NOTE), file=sys.stderr)
    if len(pictures.notes) > _MOST_NOTES:
        print(f"{len(pictures.notes) - _MOST_NOTES:,} more of these", file=sys.stderr)
    if arguments.json:
        print_json({"format": format_name, "paths": [str(path) for path in paths]})
        return 0
    for path in paths:
        console.print(str(path), soft_wrap=True)
    return 0


def _write(
    directories: Sequence[str], folder: Path, format_name: str, name: str, draw: Draw
) -> tuple[Path, ...]:
    if format_name == "rerun":
        with needs_extra("rerun", ("rerun",)):
            from mirror_ray.analysis.export.rerun_recordings import write_recordings  # noqa: PLC0415
        return write_recordings(directories, folder, draw)
    with needs_extra("export", _PACKAGES):
        if format_name == "inspect":
            from mirror_ray.analysis.export.inspect_logs import write_logs  # noqa: PLC0415

            return write_logs(directories, folder, draw)
        if format_name == "eee":
            from mirror_ray.analysis.export.eee import write_eee  # noqa: PLC0415

            return write_eee(directories, folder, version=__version__)
        if format_name == "huggingface":
            from mirror_ray.analysis.export.dataset_card import write_dataset  # noqa: PLC0415

            return write_dataset(directories, folder, name=name)
        from mirror_ray.analysis.export.croissant import write_croissant  # noqa: PLC0415

        return write_croissant(directories, folder, name=name)
