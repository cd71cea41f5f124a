"""What a manifest says of the servers that a run started itself; it may say anything."""

from collections.abc import Mapping
from typing import Any

from mirror_ray.untrusted import bounded_float, one_printable_line

SERVERS_KEY = "servers"
"""Of each run in a manifest: {"facts": model → what answered for it, "timeline": […]}."""

_MOST_CHARS = 100
_MOST_GPUS, _MOST_HELD_S = 10_000.0, 1e9


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


def earlier_gpu_s(manifest: Mapping[str, Any]) -> dict[str, float]:
    """Model → the GPU seconds that its servers have held, of all runs."""
    found: dict[str, float] = {}
    runs = manifest.get("runs")
    for run in runs if isinstance(runs, list) else []:
        timeline = _map(_map(run).get(SERVERS_KEY)).get("timeline")
        for line in timeline if isinstance(timeline, list) else []:
            model, held = _map(line).get("model"), _map(_map(line).get("holds"))
            gpus = bounded_float(held.get("GPU"), 0.0, _MOST_GPUS)
            held_s = bounded_float(_map(line).get("held_s"), 0.0, _MOST_HELD_S)
            if isinstance(model, str) and gpus and held_s:
                found[model] = found.get(model, 0.0) + gpus * held_s
    return found


def _map(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}
