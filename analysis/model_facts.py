"""What a run's manifest states of its models: family, size, release and lab of the catalogue.

Knows where a manifest keeps them; what a name says is left to the macros. A manifest is somebody's
words: what does not fit is left out.
"""

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

from pyarrow import fs as pafs

from mirror_ray.core.untrusted import bounded_float, one_printable_line
from mirror_ray.records.storage import read_text

VARIABLE = "model_facts"

_MANIFEST = "manifest.json"
_MOST_CHARS = 200
_MOST_SIZE_B = 1e6
_DATE = re.compile(r"[0-9]{4}(-[0-9]{2}(-[0-9]{2})?)?")


def stated_facts(fs: pafs.FileSystem, root: str) -> str | None:
    """Model → what the catalogue of the run's latest start said of it, as JSON text.

    Returns None where nothing is stated, or no manifest can be read.
    """
    try:
        manifest = json.loads(read_text(fs, f"{root}/{_MANIFEST}"))
    except (OSError, ValueError, RecursionError):
        return None
    found: dict[str, dict[str, Any]] = {}
    runs = manifest.get("runs") if isinstance(manifest, dict) else None
    for run in runs if isinstance(runs, list) else []:
        models = run.get("models") if isinstance(run, dict) else None
        for name, entry in models.items() if isinstance(models, dict) else ():
            if isinstance(entry, dict):
                found[name] = _fitting(entry)
    stated = {name: facts for name, facts in found.items() if facts}
    return json.dumps(stated) if stated else None


def _fitting(entry: Mapping[str, Any]) -> dict[str, Any]:
    read = {key: fit(entry.get(key)) for key, fit in _FACTS.items()}
    return {key: value for key, value in read.items() if value is not None}


def _text(value: object) -> str | None:
    return one_printable_line(value, _MOST_CHARS) if isinstance(value, str) and value else None


def _size(value: object) -> float | None:
    size_b = bounded_float(value, 0.0, _MOST_SIZE_B)
    return size_b or None


def _date(value: object) -> str | None:
    return value if isinstance(value, str) and _DATE.fullmatch(value) else None


_FACTS: Mapping[str, Callable[[object], Any]] = {
    "family": _text,
    "size_b": _size,
    "released": _date,
    "lab": _text,
}
