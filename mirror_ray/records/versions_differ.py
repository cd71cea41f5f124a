"""Differences between the starts of a run, and between them and this program, for people who resume
or read it. A manifest may contain anything."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from mirror_ray.core.untrusted import one_printable_line
from mirror_ray.records.environment import OURS, own_version
from mirror_ray.records.manifest import mapping_of, runs_of
from mirror_ray.records.schemas import SCHEMA_VERSION

PROMPTS_KEY = "prompts"
"""Key of each run in a manifest: subject → {"episode": id, "sha": hash of its first prompt}."""

_OF_A_MODEL = ("backend", "plugin", "target", "base_url", "max_tokens", "reasoning_effort", "extra",
               "tokens_per_image", "usd_per_mtok_in", "usd_per_mtok_out",
               "sends_temperature", "sends_seed", "sends_schema", "structured", "tier",
               "serve")  # fmt: skip
_UNCOMPARED = frozenset({"ray", "python"})
"""Packages on which no row and no frame depends."""

_MOST_NOTES = 12
_MOST_CHARS = 60


def notes_on_resume(manifest: Mapping[str, Any], about: Mapping[str, Any]) -> list[str]:
    """Return what differs between the latest start and the next one, whose entry is `about`."""
    runs = runs_of(manifest)
    if not runs:
        return []
    return _bounded(
        [f"This run continues with another {one}" for one in _differences(runs[-1], about)]
    )


def notes_for_readers(manifest: Mapping[str, Any]) -> list[str]:
    """Return what differs between the starts of a run, and between its record and this program."""
    notes = []
    if manifest.get("schema_version") != SCHEMA_VERSION:
        notes.append(
            f"Its records have schema version {_line(manifest.get('schema_version'))}; this"
            f" release writes {SCHEMA_VERSION}."
        )
    runs = runs_of(manifest)
    for before, after in pairwise(runs):
        began = _line(after.get("started_at")) or "a later start"
        notes += [f"From {began} on another {one}" for one in _differences(before, after)]
    if runs:
        recorded, here = mapping_of(runs[-1].get("versions")).get(OURS), own_version()
        if recorded is not None and recorded != here:
            notes.append(f"Recorded by mirror-ray {_line(recorded)}, read by {here}.")
    return _bounded(notes)


def _differences(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[str]:
    for name, had, has in _in_both("versions", before, after):
        if had != has and name not in _UNCOMPARED:
            yield f"version of {_line(name)}: {_line(has)} after {_line(had)}."
    for what, had, has in _in_both(PROMPTS_KEY, before, after):
        old, new = mapping_of(had), mapping_of(has)
        if old.get("episode") == new.get("episode") and old.get("sha") != new.get("sha"):
            yield f"prompt in {_line(what)}."
    for name, had, has in _in_both("models", before, after):
        old, new = mapping_of(had), mapping_of(has)
        changed = [key for key in _OF_A_MODEL if new and key in old and old[key] != new.get(key)]
        # Addresses and settings may be long, and private.
        if changed:
            yield f"entry of {_line(name)} in the catalogue: {', '.join(changed)}."


def _in_both(
    key: str, before: Mapping[str, Any], after: Mapping[str, Any]
) -> list[tuple[str, Any, Any]]:
    had, has = mapping_of(before.get(key)), mapping_of(after.get(key))
    return [(name, had[name], has[name]) for name in had if name in has]


def _bounded(notes: Sequence[str]) -> list[str]:
    shown = list(dict.fromkeys(notes))
    if len(shown) <= _MOST_NOTES:
        return shown
    return [*shown[:_MOST_NOTES], f"… and {len(shown) - _MOST_NOTES:,} more differences."]


def _line(value: object) -> str:
    return "" if value is None else one_printable_line(str(value), _MOST_CHARS)
