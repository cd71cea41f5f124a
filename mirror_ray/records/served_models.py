"""What a manifest states about the servers that a run started itself; it may contain anything."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mirror_ray.core.untrusted import bounded_float, bounded_int, one_printable_line
from mirror_ray.records.manifest import mapping_of, runs_of, time_of

SERVERS_KEY = "servers"
"""Key of each run in a manifest: {"facts": model → its latest server's facts, "answered": every
server that has answered, "timeline": […]}."""

_MOST_CHARS = 100
_MOST_LONG = 20_000
_MOST_STATED = 1_000
_MOST_LOADS = 100
RECORDED_EVERY_S = 60.0
"""How often a running server's occupation of its GPUs is written."""

_WORDS = (
    *("engine", "engine_version", "weights", "revision", "weights_revision_found"),
    *("sampling_defaults", "chat_template_sha", "driver", "host", "fingerprint"),
)
_LISTS = {"argv": " ", "gpus": ", "}
"""The separator of the words of each listed key."""
_MOST_GPUS, _MOST_HELD_S = 10_000.0, 1e9
_TIMELINE_WORDS = ("model", "host", "why_ended")
_TIMES = ("began_at", "ready_at", "ended_at")
_MOST_LINES, _MOST_HOLDS, _MOST_AMOUNT = 100_000, 20, 1e9


def earlier_fingerprints(manifest: Mapping[str, Any]) -> dict[str, str]:
    """Return the fingerprint of each model's latest server."""
    found: dict[str, str] = {}
    for servers in _of_runs(manifest):
        for model, facts in mapping_of(servers.get("facts")).items():
            fingerprint = mapping_of(facts).get("fingerprint")
            if isinstance(fingerprint, str) and fingerprint:
                found[model] = one_printable_line(fingerprint, _MOST_CHARS)
    return found


def stated_servers(manifest: Mapping[str, Any]) -> list[dict[str, str]]:
    """Return, as texts, the servers that have answered, once for each model and fingerprint."""
    found: dict[tuple[str, str], dict[str, str]] = {}
    for servers in _of_runs(manifest):
        every = servers.get("answered")
        # A run from before all servers were recorded states only the last one of every model.
        latest = [
            {**mapping_of(one), "model": name}
            for name, one in mapping_of(servers.get("facts")).items()
        ]
        for said in every if isinstance(every, list) else latest:
            model, facts = mapping_of(said).get("model"), _words_of(mapping_of(said))
            if isinstance(model, str) and "fingerprint" in facts and len(found) < _MOST_STATED:
                name = one_printable_line(model, 2 * _MOST_CHARS)
                found.setdefault((name, facts["fingerprint"]), {"model": name, **facts})
    return list(found.values())


def _of_runs(manifest: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return [mapping_of(run.get(SERVERS_KEY)) for run in runs_of(manifest)]


def _words_of(said: Mapping[str, Any]) -> dict[str, str]:
    facts = {key: said[key] for key in _WORDS if isinstance(said.get(key), str) and said[key]}
    for key, between in _LISTS.items():
        listed = said.get(key)
        if isinstance(listed, list) and listed:
            facts[key] = between.join(word for word in listed if isinstance(word, str))
    return {key: one_printable_line(text, _MOST_LONG) for key, text in facts.items()}


def timeline(manifest: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return which server occupied what on which host, and when: the lines of all runs, as
    stored."""
    listed = [one.get("timeline") for one in _of_runs(manifest)]
    return [mapping_of(line) for lines in listed if isinstance(lines, list) for line in lines]


def stated_timeline(manifest: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the same with only the valid values of each line: texts, numbers, times in UTC."""
    found = []
    for line in timeline(manifest)[:_MOST_LINES]:
        words = {key: line[key] for key in _TIMELINE_WORDS if isinstance(line.get(key), str)}
        said: dict[str, Any] = {
            key: one_printable_line(text, 10 * _MOST_CHARS) for key, text in words.items()
        }
        times = {key: time_of(line.get(key)) for key in _TIMES}
        said |= {key: at and at.replace(tzinfo=None).isoformat() for key, at in times.items()}
        said |= {key: bounded_int(line.get(key)) for key in ("replica", "starts")}
        amounts = list(mapping_of(line.get("holds")).items())[:_MOST_HOLDS]
        said["holds"] = {
            one_printable_line(what, _MOST_CHARS): bounded_float(amount, 0.0, _MOST_AMOUNT)
            for what, amount in amounts
        }
        said["held_s"] = bounded_float(line.get("held_s"), 0.0, _MOST_HELD_S)
        found.append(said)
    return found


@dataclass(frozen=True, slots=True)
class ReadyTime:
    """How long one model's servers were ready, and how long each loading took."""

    ready_s: float
    loads_s: tuple[float, ...]


def ready_times(manifest: Mapping[str, Any]) -> dict[str, ReadyTime]:
    """Return the ready and loading times of each model's servers, over all runs."""
    found: dict[str, ReadyTime] = {}
    for line in timeline(manifest):
        model = line.get("model")
        began, ready = (time_of(line.get(key)) for key in ("began_at", "ready_at"))
        held_s = bounded_float(line.get("held_s"), 0.0, _MOST_HELD_S)
        if not isinstance(model, str) or began is None or ready is None or held_s is None:
            continue
        load_s = max(0.0, (ready - began).total_seconds())
        if line.get("ended_at") is None:
            # A server that still runs is noted in whole minutes, rounded down.
            held_s += RECORDED_EVERY_S / 2
        before = found.get(model, ReadyTime(0.0, ()))
        ready_s = before.ready_s + max(0.0, held_s - load_s)
        found[model] = ReadyTime(ready_s, (*before.loads_s, load_s)[-_MOST_LOADS:])
    return found


def earlier_gpu_s(manifest: Mapping[str, Any]) -> dict[str, float]:
    """Return the GPU seconds that each model's servers have used, over all runs."""
    found: dict[str, float] = {}
    for line in timeline(manifest):
        model, held = line.get("model"), mapping_of(line.get("holds"))
        gpus = bounded_float(held.get("GPU"), 0.0, _MOST_GPUS)
        held_s = bounded_float(line.get("held_s"), 0.0, _MOST_HELD_S)
        if isinstance(model, str) and gpus and held_s:
            found[model] = found.get(model, 0.0) + gpus * held_s
    return found


def gpu_hours_words(gpu_s: Mapping[str, float], most: int = 6) -> str:
    """Format GPU seconds by model as text: the hours of the largest ones."""
    by_hours = sorted(gpu_s.items(), key=lambda one: (-one[1], one[0]))
    shown = [
        f"{one_printable_line(model, _MOST_CHARS)} {s / 3600:,.2f}" for model, s in by_hours[:most]
    ]
    more = f", … and {len(by_hours) - most:,} more models" if len(by_hours) > most else ""
    return (
        f"GPU hours held so far: {sum(gpu_s.values()) / 3600:,.2f} ({', '.join(shown)}{more});"
        " mirror-ray plan says what is left."
    )
