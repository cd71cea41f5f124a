"""Changes to a manifest that a reader is to take as they are."""

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
