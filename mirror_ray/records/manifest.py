"""The manifest that makes a folder a run directory: which program wrote its records, and a digest
of the manifest itself.

A flipped bit in the file must be an error, not another fact.
"""

import re
from collections.abc import Mapping
from typing import Any

from mirror_ray.core.errors import RunDirError
from mirror_ray.core.identity import content_hash
from mirror_ray.core.plain_json import parse_json
from mirror_ray.core.untrusted import one_printable_line
from mirror_ray.records.foreign_files import require_enclosed
from mirror_ray.records.run_folders import MANIFEST_NAME, no_run, runs_below
from mirror_ray.records.storage import read_stored_text, storage_of
from mirror_ray.records.storage_fault import storage_fault

_DIGEST = "digest"
_NAMES = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,199}")
_PARTS: Mapping[str, type] = {"schema_version": int, "sweep_sha": str, "sweep": dict, "runs": list}


def read_manifest(out: str) -> dict[str, Any]:
    """Return the manifest of run directory `out`; RunDirError without one, or as
    `manifest_if_any`."""
    manifest = manifest_if_any(out)
    if manifest is None:
        raise no_run(out, _runs_below(out))
    return manifest


def manifest_if_any(out: str) -> dict[str, Any] | None:
    """Return the manifest of run directory `out`; None without one. Raises RunDirError if it is
    damaged; something in the directory leads elsewhere."""
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
    """Return the manifest as it is written."""
    return {**manifest, _DIGEST: content_hash(manifest)}


def without_digest(written: Any) -> Any:
    """Return the manifest that was written; one without a digest is accepted. Raises ValueError if
    the digest is not that of the manifest."""
    if not isinstance(written, dict) or _DIGEST not in written:
        return written
    manifest = {key: value for key, value in written.items() if key != _DIGEST}
    if written[_DIGEST] != content_hash(manifest):
        raise ValueError(f"it differs from its {_DIGEST} (if you edited it, remove that key)")
    return manifest


def sweep_name(out: str, manifest: Mapping[str, Any]) -> str:
    """Return the name of the sweep of run directory `out`; RunDirError if it is invalid."""
    name = manifest["sweep"].get("name")
    if isinstance(name, str) and _NAMES.fullmatch(name):
        return name
    raise _damaged(out, f"sweep.name is {repr(name)[:80]}")


def _runs_below(out: str) -> tuple[str, ...]:
    try:
        return runs_below(*storage_of(out))
    except OSError:
        return ()


def _misshapen(manifest: object) -> str | None:
    """The faulty part of a manifest; the sweep's own keys are checked by its reader."""
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
