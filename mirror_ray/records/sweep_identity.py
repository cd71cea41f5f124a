"""The identity of a sweep in its run directory, and how two sweeps differ."""

import json
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any

from mirror_ray.core.identity import content_hash
from mirror_ray.core.plain_json import json_copy

FREE_KEYS: tuple[str, ...] = (
    "out",
    "engine*",
    "budget_usd",
    "budget_per_model_usd*",
    "budget_per_cell_usd",
    "control*",
    "journal*",
    "share",
    *("stages.*.weight", "stages.*.data", "stages.*.seed_file", "stages.*.bank"),
)
"""Keys of a sweep that change no row: a run may continue with more money or on other machines, and
with its files at other paths (their content is part of the episodes, or of the sweep as a hash)."""


_MOST_SHOWN = 5


def sweep_sha(sweep: Mapping[str, Any]) -> str:
    """Return the identity of a sweep: a hash over all its keys except the free ones."""
    return content_hash({key: value for key, value in _leaves(sweep) if not _is_free(key)})


def sweep_differences(
    old: Mapping[str, Any], new: Mapping[str, Any], *, but: Sequence[str] = ()
) -> str:
    """Return, as text, where two sweeps differ; "" if only in free keys. `but` has patterns of
    further keys that are not compared."""
    before, now = dict(_leaves(old)), dict(_leaves(json_copy(new)))
    changed = [
        f"{key} = {now.get(key, 'absent')} (there: {before.get(key, 'absent')})"
        for key in sorted(before.keys() | now.keys())
        if not _is_free(key, but) and before.get(key) != now.get(key)
    ]
    more = f"; {len(changed) - _MOST_SHOWN} more" if len(changed) > _MOST_SHOWN else ""
    return "; ".join(changed[:_MOST_SHOWN]) + more


def _is_free(key: str, but: Sequence[str] = ()) -> bool:
    return any(fnmatchcase(key, pattern) for pattern in (*FREE_KEYS, *but))


def _leaves(node: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Yield (dotted key, value as JSON) of every leaf; an empty container is a leaf."""
    if not isinstance(node, (Mapping, list)) or not node:
        yield path, json.dumps(node)
        return
    for key, child in node.items() if isinstance(node, Mapping) else enumerate(node):
        yield from _leaves(child, f"{path}.{key}" if path else str(key))
