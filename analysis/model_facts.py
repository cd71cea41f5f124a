"""What a run's manifest states about its models (family, size, release and lab of the catalogue)
and about the model servers that it started.

A manifest comes from outside: facts that do not fit are left out. The SQL macros read the names."""

import json
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from mirror_ray.core.untrusted import bounded_float, one_printable_line
from mirror_ray.records.manifest import mapping_of, of_all_runs
from mirror_ray.records.served_models import stated_servers, stated_timeline

VARIABLE = "model_facts"

_STATED = {"server_facts": stated_servers, "server_timeline": stated_timeline}
"""For each variable that the views read, the function that lists its JSON objects from a
manifest."""

_MOST_CHARS = 200
_MOST_SIZE_B = 1e6
_DATE = re.compile(r"[0-9]{4}(-[0-9]{2}(-[0-9]{2})?)?")


def stated_facts(manifest: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Return what the catalogue stated about each model at the run's latest start."""
    found = {
        name: _fitting(mapping_of(entry)) for name, entry in of_all_runs(manifest, "models").items()
    }
    return {name: facts for name, facts in found.items() if facts}


def stated_servers_of(manifests: Iterable[Mapping[str, Any]]) -> dict[str, str | None]:
    """Return what all starts of these runs state, by variable; None for a variable without any."""
    runs = list(manifests)
    found = {name: [one for run in runs for one in read(run)] for name, read in _STATED.items()}
    return {name: json.dumps(listed) if listed else None for name, listed in found.items()}


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
