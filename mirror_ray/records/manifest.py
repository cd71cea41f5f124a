"""The manifest that makes a folder a run directory.

It states the program that wrote it, and a digest, so that a flipped bit is an error, not another
fact. Below its checked top level a manifest may contain anything: readers take each part in its
expected type, or as empty."""

import re
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

from mirror_ray.core.errors import RunDirError
from mirror_ray.core.identity import content_hash
from mirror_ray.core.plain_json import parse_json
from mirror_ray.core.untrusted import one_printable_line
from mirror_ray.records.run_folders import MANIFEST_NAME, no_run, require_enclosed, runs_below
from mirror_ray.records.storage import read_stored_text, storage_of
from mirror_ray.records.storage_fault import storage_fault

_DIGEST = "digest"
_NAMES = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,199}")
_PARTS: Mapping[str, type] = {"schema_version": int, "sweep_sha": str, "sweep": dict, "runs": list}


def read_manifest(out: str) -> dict[str, Any]:
    """Return the manifest of `out`. Raise RunDirError if it is missing, or as `manifest_if_any`
    does."""
    manifest = manifest_if_any(out)
    if manifest is None:
        below: tuple[str, ...] = ()
        with suppress(OSError):
            below = runs_below(*storage_of(out))
        raise no_run(out, below)
    return manifest


def manifest_if_any(out: str) -> dict[str, Any] | None:
    """Return the manifest of run directory `out`; None without one. Raise RunDirError if it is
    damaged, or if something in the directory leads elsewhere."""
    require_enclosed(out)
    try:
        fs, root = storage_of(out)
        manifest = without_digest(parse_json(read_stored_text(fs, f"{root}/{MANIFEST_NAME}")))
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise storage_fault(out, error, f"{MANIFEST_NAME} cannot be read") from error
    except ValueError as error:
        raise _damaged(out, str(error)) from error
    if (fault := _misshapen(manifest)) is not None:
        raise _damaged(out, fault)
    return dict(manifest)


def with_digest(manifest: Mapping[str, Any]) -> dict[str, Any]:
    """Return the manifest in its written form."""
    return {**manifest, _DIGEST: content_hash(manifest)}


def without_digest(written: Any) -> Any:
    """Return the manifest that was written; one without a digest is accepted. Raise ValueError if
    the digest is not that of the manifest."""
    if not isinstance(written, dict) or _DIGEST not in written:
        return written
    manifest = {key: value for key, value in written.items() if key != _DIGEST}
    if written[_DIGEST] != content_hash(manifest):
        raise ValueError(f"it differs from its {_DIGEST} (if you edited it, remove that key)")
    return manifest


def sweep_name(out: str, manifest: Mapping[str, Any]) -> str:
    """Return the name of the sweep of run directory `out`. Raise RunDirError if it is invalid."""
    name = manifest["sweep"].get("name")
    if isinstance(name, str) and _NAMES.fullmatch(name):
        return name
    raise _damaged(out, f"sweep.name is {repr(name)[:80]}")


def _misshapen(manifest: object) -> str | None:
    """Return the faulty part of a manifest. The sweep's reader checks the sweep's own keys."""
    if not isinstance(manifest, dict):
        return f"{type(manifest).__name__} in place of an object"
    missing = _PARTS.keys() - manifest.keys()
    if missing:
        return f"without {', '.join(sorted(missing))}"
    if unknown := manifest.keys() - _PARTS.keys():
        return f"with {', '.join(sorted(unknown))[:80]}"
    for name, kind in _PARTS.items():
        if type(manifest[name]) is not kind:
            return f"{name} is {repr(manifest[name])[:80]}"
    for position, run in enumerate(manifest["runs"]):
        hosts = run.get("hosts", {}) if isinstance(run, dict) else None
        if not isinstance(hosts, dict) or not all(isinstance(one, dict) for one in hosts.values()):
            return f"runs.{position} is not an object with hosts"
    return None


def _damaged(out: str, what: str) -> RunDirError:
    return RunDirError(
        out,
        f"a damaged {MANIFEST_NAME}: {one_printable_line(what)}",
        "the file as this program wrote it",
        "restore it from a copy, or use another --out",
    )


def runs_of(manifest: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the entries of all runs of a directory, oldest first."""
    runs = manifest.get("runs")
    return [mapping_of(run) for run in runs] if isinstance(runs, list) else []


def of_all_runs(manifest: Mapping[str, Any], key: str) -> dict[str, Any]:
    """Return, for each name, what the latest run that has it states about it under `key`."""
    return {
        name: said for run in runs_of(manifest) for name, said in mapping_of(run.get(key)).items()
    }


def mapping_of(value: object) -> Mapping[str, Any]:
    """Return `value` if it is a mapping, else an empty one."""
    return value if isinstance(value, Mapping) else {}


def time_of(value: object) -> datetime | None:
    """Return a time from a manifest or log in UTC; None for anything else, or without a time
    zone."""
    if not isinstance(value, str):
        return None
    try:
        read = datetime.fromisoformat(value)
    except ValueError:
        return None
    # Beyond these, a time zone's shift would leave the calendar.
    is_known = read.tzinfo is not None and 2000 <= read.year < 3000
    return read.astimezone(UTC) if is_known else None
