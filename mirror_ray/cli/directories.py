"""Run directories on the command line, one or several read as one, and where to write."""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from mirror_ray.core.errors import SweepError
from mirror_ray.core.terminal import Terminal, say
from mirror_ray.core.untrusted import one_printable_line
from mirror_ray.records.manifest import read_manifest
from mirror_ray.records.run_folders import distinct_runs
from mirror_ray.records.storage import is_address
from mirror_ray.records.versions_differ import notes_for_readers


def manifests_of(directories: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Return each run directory's manifest, without duplicates.

    Print on standard error which versions differ within a run.

    Raises:
        RunDirError: a directory is not a run directory, or is damaged.
    """
    manifests = {one: read_manifest(one) for one in distinct_runs(directories)}
    for one, manifest in manifests.items():
        say_differences(one, manifest)
    return manifests


def joined_manifest(manifests: Mapping[str, Mapping[str, Any]]) -> Mapping[str, Any]:
    """Merge the manifests of several runs into one: every start, and every sweep by its run.

    The manifest of a single run is returned unchanged."""
    if len(manifests) == 1:
        return next(iter(manifests.values()))
    each = list(manifests.values())
    sweeps = [one["sweep"] for one in each]
    listed = [sweep.get("stages") for sweep in sweeps]
    stages = [stage for its in listed if isinstance(its, list) for stage in its]
    starts = [start for one in each for start in one["runs"]]
    return {
        "schema_version": max(one["schema_version"] for one in each),
        "sweep_sha": " ".join(one["sweep_sha"] for one in each),
        "run_dirs": list(manifests),
        "sweep": {
            "stages": [stage for at, stage in enumerate(stages) if stage not in stages[:at]],
            "sweeps": dict(zip(manifests, sweeps, strict=True)),
        },
        "runs": sorted(starts, key=lambda start: str(start.get("started_at"))),
    }


def require_out(directories: Sequence[str], out: str | None, example: str) -> None:
    """Raise SweepError if the output would go into one of several run directories."""
    if len(directories) > 1 and out is None:
        raise SweepError(
            "command line: --out",
            f"nothing, for {len(directories)} run directories",
            "a place for their joint output",
            f"add --out {example}",
        )


def output_folder(directory: str, out: str | None, name: str) -> Path:
    """Return the named folder, or else one below the run directory; SweepError in an object
    store."""
    if out is None and is_address(directory):
        raise SweepError(
            "command line: --out", "nothing", "a folder on this machine", "give --out FOLDER"
        )
    return Path(directory) / name if out is None else Path(out)


def write_file(option: str, out: str, content: bytes) -> None:
    """Write or replace the file that an option names. Raise SweepError if that fails."""
    try:
        Path(out).write_bytes(content)
    except (OSError, ValueError) as error:
        said = getattr(error, "strerror", None) or str(error)
        raise SweepError(
            f"command line: {option}",
            f"{out}: {said}",
            "a file that can be written",
            "choose another",
        ) from error


def say_differences(directory: str, manifest: Mapping[str, Any]) -> None:
    """Print, on standard error, which versions differ within a run."""
    notes = notes_for_readers(manifest)
    if notes:
        shown = Terminal(sys.stderr)
        say(shown, f"{one_printable_line(directory, 500)}:")
        for note in notes:
            say(shown, f"  {note}")
