"""Run directories on the command line: one, or several that are read as one."""

from collections.abc import Mapping, Sequence
from typing import Any

from mirror_ray.cli.reader_notes import say_differences
from mirror_ray.core.errors import SweepError
from mirror_ray.records.manifest import read_manifest
from mirror_ray.records.run_folders import distinct_runs


def manifests_of(directories: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Return run directory → its manifest, without duplicates.

    Prints on standard error which versions differ within a run.

    Raises:
        RunDirError: a directory is not a run directory, or is damaged.
    """
    manifests = {one: read_manifest(one) for one in distinct_runs(directories)}
    for one, manifest in manifests.items():
        say_differences(one, manifest)
    return manifests


def joined_manifest(manifests: Mapping[str, Mapping[str, Any]]) -> Mapping[str, Any]:
    """Merge the manifests of several runs into one: every start, and every sweep by its run.

    The manifest of a single run is returned unchanged.
    """
    if len(manifests) == 1:
        return next(iter(manifests.values()))
    each = list(manifests.values())
    sweeps = [one["sweep"] for one in each]
    stages = [stage for sweep in sweeps for stage in _listed(sweep.get("stages"))]
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
    """Refuse to choose one of several run directories to write into.

    Raises:
        SweepError: ``--out`` is missing.
    """
    if len(directories) > 1 and out is None:
        raise SweepError(
            "command line: --out",
            f"nothing, for {len(directories)} run directories",
            "a place for their joint output",
            f"add --out {example}",
        )


def _listed(value: object) -> list[Any]:
    return value if isinstance(value, list) else []
