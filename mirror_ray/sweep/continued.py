"""What a sweep takes from the run directory that it continues: its manifest and its models. Also
what a manifest records for comparison: the version of each family's protocol (its requests and
play), and hashes of first prompts."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from mirror_ray.contract.family import first_ask
from mirror_ray.contract.registry import FAMILIES
from mirror_ray.core.errors import RunDirError
from mirror_ray.core.identity import Cell
from mirror_ray.core.untrusted import one_printable_line
from mirror_ray.providers.persons import is_person
from mirror_ray.records.manifest import read_manifest
from mirror_ray.sweep.plan import Plan

_NOTHING_THERE = (FileNotFoundError, NotADirectoryError)


def recorded_first(out: str, models: Sequence[str]) -> tuple[str, ...]:
    """Return the same models, but those of the run directory `out` first, in the order recorded
    there.

    A pattern may match further names later, which must not displace the earlier ones. Persons
    recorded there are always included, because they have joined the run. Raise as `manifest_of`
    does."""
    manifest = manifest_of(out)
    recorded = [] if manifest is None else manifest["sweep"].get("models")
    wanted = set(models)
    listed = recorded if isinstance(recorded, list) else []
    there = [one for one in listed if isinstance(one, str) and (one in wanted or is_person(one))]
    return tuple(dict.fromkeys((*there, *models)))


def manifest_of(out: str) -> dict[str, Any] | None:
    """Return the manifest of the run directory `out`; None if it contains no run to resume. Raise
    RunDirError if the storage failed, so that a manifest may exist."""
    try:
        return read_manifest(out)
    except RunDirError as error:
        cause = error.__cause__
        if isinstance(cause, OSError) and not isinstance(cause, _NOTHING_THERE):
            raise
        return None


KEY = "protocols"
"""Key of each run in a manifest: family → version."""


def protocols_of_cells(cells: Iterable[Cell]) -> dict[str, int]:
    """Return each family's version, for the manifest."""
    return {cell.family: cell.protocol for cell in cells}


def require_protocols(out: str, manifest: Mapping[str, Any], cells: Iterable[Cell]) -> None:
    """Refuse a run whose episodes were played under other versions than this program's. The
    RunDirError names the first such family."""
    known = protocols_of_cells(cells)
    for run in manifest["runs"]:
        recorded = run.get(KEY)
        if not isinstance(recorded, dict):
            got = "a run directory written before 0.1.0: it names no protocols"
            raise _other(out, got, "run directories of this program's protocols")
        for family, version in known.items():
            if family in recorded and recorded[family] != version:
                got = f"protocol {recorded[family]!r} of {family}"
                raise _other(out, got, f"protocol {version} of {family}")


def _other(out: str, got: str, allowed: str) -> RunDirError:
    return RunDirError(
        out,
        one_printable_line(got[:200]),
        allowed,
        "start a new run directory; `mirror-ray sql` still reads this one",
    )


_MOST = 200


def first_prompts(plan: Plan) -> dict[str, Any]:
    """Return, for each family, condition and variant, an episode and the hash of its first prompt,
    which tells whether another version words it differently.

    Episodes that cannot begin have no hash: playing them reports why."""
    found: dict[str, Any] = {}
    for spec in plan.episodes:
        cell = spec.cell
        what = f"{cell.family} {cell.condition} {cell.variant_label}"
        if what in found or len(found) >= _MOST:
            continue
        found[what] = {"episode": spec.episode_id, "sha": None}
        with suppress(Exception):
            found[what]["sha"] = first_ask(FAMILIES[cell.family], spec).prompt_sha
    return found
