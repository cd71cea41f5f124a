"""What a manifest says of the servers that a run started itself; it may say anything."""

from collections.abc import Mapping
from typing import Any

from mirror_ray.untrusted import one_printable_line

SERVERS_KEY = "servers"
"""Of each run in a manifest: {"facts": model → what answered for it, "timeline": […]}."""

_MOST_CHARS = 100


def earlier_fingerprints(manifest: Mapping[str, Any]) -> dict[str, str]:
    """Model → the fingerprint of the server that answered for it last."""
    found: dict[str, str] = {}
    runs = manifest.get("runs")
    for run in runs if isinstance(runs, list) else []:
        for model, facts in _map(_map(_map(run).get(SERVERS_KEY)).get("facts")).items():
            fingerprint = _map(facts).get("fingerprint")
            if isinstance(fingerprint, str) and fingerprint:
                found[model] = one_printable_line(fingerprint, _MOST_CHARS)
    return found


def _map(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}
