"""Manifests that a reader accepts as they are."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any


def edit_manifest(out: Path | str, change: Callable[[dict[str, Any]], object]) -> None:
    """Have `change` alter the manifest of a run directory, and leave out its digest."""
    path = Path(out) / "manifest.json"
    manifest = json.loads(path.read_text())
    change(manifest)
    manifest.pop("digest", None)
    path.write_text(json.dumps(manifest))


def write_manifest(out: Path | str, *runs: object) -> None:
    """Write a manifest that says this of its runs, without a digest."""
    manifest = {"schema_version": 3, "sweep_sha": "x", "sweep": {"name": "s"}, "runs": runs}
    (Path(out) / "manifest.json").write_text(json.dumps(manifest))
