"""Which edition of each family's protocol a run directory goes on under: the one it began with.

What a family sends may change from release to release under the same names, and so under the same
identities: a directory that was begun before keeps what it began with, so that no table mixes two
protocols.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from mirror_ray.errors import RunDirError
from mirror_ray.identity import Cell
from mirror_ray.providers.persons import is_person
from mirror_ray.records.rundir import read_manifest
from mirror_ray.tasks import FAMILIES
from mirror_ray.untrusted import one_printable_line

KEY = "editions"
"""Of each run in a manifest: family → edition. The first run that names a family counts."""


_NOTHING_THERE = (FileNotFoundError, NotADirectoryError)


def editions_of_cells(cells: Iterable[Cell]) -> dict[str, int]:
    """Family → edition, for the manifest."""
    return {cell.family: cell.edition or FAMILIES[cell.family].edition for cell in cells}


def editions_of(out: str) -> dict[str, int]:
    """Family → edition for the run directory `out`; {} where there is no run to go on with.

    A damaged directory is left to those who open it.

    Raises:
        RunDirError: an edition that this release does not know; or a fault of the storage, behind
            which there may be a run that was begun under another edition.
    """
    manifest = manifest_of(out)
    return {} if manifest is None else editions_in(out, manifest)


def recorded_first(out: str, models: Sequence[str]) -> tuple[str, ...]:
    """The same models, those of the run directory `out` first, in the order recorded there.

    A pattern may come to match further names: they must not take the places of those before. The
    persons recorded there are among them, whoever is named: they have joined the run.

    Raises:
        RunDirError: as `editions_of`.
    """
    manifest = manifest_of(out)
    recorded = [] if manifest is None else manifest["sweep"].get("models")
    wanted = set(models)
    listed = recorded if isinstance(recorded, list) else []
    there = [one for one in listed if isinstance(one, str) and (one in wanted or is_person(one))]
    return tuple(dict.fromkeys((*there, *models)))


def manifest_of(out: str) -> dict[str, Any] | None:
    """The manifest of the run directory `out`; None where there is no run to go on with.

    Raises:
        RunDirError: a fault of the storage, behind which there may be one.
    """
    try:
        return read_manifest(out)
    except RunDirError as error:
        cause = error.__cause__
        if isinstance(cause, OSError) and not isinstance(cause, _NOTHING_THERE):
            raise
        return None


def editions_in(out: str, manifest: Mapping[str, Any]) -> dict[str, int]:
    """Family → edition: of the first run that names it, for a directory may come to hold further
    families; the first edition where no run names it and the recorded sweep has it.

    Raises:
        RunDirError: an edition that this release does not know.
    """
    runs = manifest["runs"]
    if not runs:
        return {}
    editions = dict.fromkeys(_recorded_families(manifest), 1)
    for run in reversed(runs):
        found = run.get(KEY, {})
        if not isinstance(found, dict):
            raise _unknown(out, found)
        editions |= {name: edition for name, edition in found.items() if name in FAMILIES}
    for name, edition in editions.items():
        if type(edition) is not int or not 1 <= edition <= FAMILIES[name].edition:
            raise _unknown(out, {name: edition})
    return editions


def _recorded_families(manifest: Mapping[str, Any]) -> set[str]:
    stages = manifest.get("sweep", {}).get("stages")
    listed = stages if isinstance(stages, list) else []
    named = (stage.get("family") for stage in listed if isinstance(stage, dict))
    return {name for name in named if isinstance(name, str) and name in FAMILIES}


def _unknown(out: str, found: object) -> RunDirError:
    latest = ", ".join(f"{name} 1 to {family.edition}" for name, family in FAMILIES.items())
    return RunDirError(
        f"{out}\n"
        f"  got:     a manifest with {KEY} {one_printable_line(repr(found)[:80])}\n"
        f"  allowed: {latest}\n"
        f"  fix:     use the release that began the run"
    )
