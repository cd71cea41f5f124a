"""A manifest's digest of itself: a bit that flips in the file is an error, not another fact."""

from collections.abc import Mapping
from typing import Any

from mirror_ray.core.identity import content_hash

_KEY = "digest"


def with_digest(manifest: Mapping[str, Any]) -> dict[str, Any]:
    """Return the manifest as it is written."""
    return {**manifest, _KEY: content_hash(manifest)}


def without_digest(written: dict[str, Any]) -> dict[str, Any]:
    """Return the manifest that was written. One without a digest is taken as it is.

    Raises:
        ValueError: its digest is another's.
    """
    manifest = {key: value for key, value in written.items() if key != _KEY}
    if _KEY in written and written[_KEY] != content_hash(manifest):
        raise ValueError(f"it differs from its {_KEY} (if you edited it, remove that key)")
    return manifest
