"""What a sweep takes from the run directory that it continues: its manifest and its models."""

from collections.abc import Sequence
from typing import Any

from mirror_ray.core.errors import RunDirError
from mirror_ray.providers.persons import is_person
from mirror_ray.records.manifest import read_manifest

_NOTHING_THERE = (FileNotFoundError, NotADirectoryError)


def recorded_first(out: str, models: Sequence[str]) -> tuple[str, ...]:
    """Return the same models, those of the run directory `out` first, in the order recorded there.

    A pattern may match further names later, which must not displace the earlier ones. Persons
    recorded there are always included, as they have joined the run.

    Raises:
        RunDirError: as `manifest_of`.
    """
    manifest = manifest_of(out)
    recorded = [] if manifest is None else manifest["sweep"].get("models")
    wanted = set(models)
    listed = recorded if isinstance(recorded, list) else []
    there = [one for one in listed if isinstance(one, str) and (one in wanted or is_person(one))]
    return tuple(dict.fromkeys((*there, *models)))


def manifest_of(out: str) -> dict[str, Any] | None:
    """Return the manifest of the run directory `out`; None if it contains no run to resume.

    Raises:
        RunDirError: the storage failed, so that a manifest may exist.
    """
    try:
        return read_manifest(out)
    except RunDirError as error:
        cause = error.__cause__
        if isinstance(cause, OSError) and not isinstance(cause, _NOTHING_THERE):
            raise
        return None
