"""What people have changed about a run while it played, as its manifest states it; the manifest may
contain anything.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from mirror_ray.core.untrusted import bounded_float, one_printable_line
from mirror_ray.records.manifest_parts import runs_of

CHANGES_KEY = "changes"
"""Key of each run in a manifest, for its changes as `as_facts` writes them."""

MOST_CHANGES = 1_000
"""Most changes of one run: each rewrites the manifest."""

_MOST_CHARS = 200


@dataclass(frozen=True, slots=True)
class ControlChange:
    """One change.

    Args:
        at: ISO 8601, UTC.
        command: as it was given, e.g. "pause" or "limits".
        subject: a rate-limited key; "" for the whole run.
        setting: "rpm", "tpm", "concurrency" or "budget_usd"; "episodes" of a requeue; "" for none.
        value, before: of the setting, after and before; None is unlimited.
        planned: the value in the sweep or the catalogue: the change lasts until that changes.
        by: the process that requested it.
    """

    at: str
    command: str
    subject: str = ""
    setting: str = ""
    value: float | None = None
    before: float | None = None
    planned: float | None = None
    by: str = ""


def as_facts(changes: Sequence[ControlChange]) -> list[dict[str, Any]]:
    """Return the change as plain data for a manifest."""
    return [asdict(one) for one in changes]


def changes_in(manifest: Mapping[str, Any]) -> list[ControlChange]:
    """Return the valid changes of all runs in a directory, oldest first."""
    return [_change(one) for run in runs_of(manifest) for one in _listed(run.get(CHANGES_KEY))]


def lasting(
    changes: Sequence[ControlChange], planned: Mapping[tuple[str, str], float | None]
) -> dict[tuple[str, str], float]:
    """Return (subject, setting) → the value for a later run.

    Args:
        planned: (subject, setting) → the present value in the sweep or the catalogue. Changes made
            under another value no longer apply.
    """
    latest = {(one.subject, one.setting): one for one in changes}
    return {
        where: one.value
        for where, one in latest.items()
        if where in planned and one.value is not None and planned[where] == one.planned
    }


def said_of(changes: Sequence[ControlChange]) -> str:
    """Return the changes of one request in words."""
    command = changes[0].command
    if not changes[0].setting:
        return {"requeue": "episodes with an error are played again"}.get(command, command)
    subject = f" of {changes[0].subject}" if changes[0].subject else ""
    figures = ", ".join(
        f"{one.setting} {'none' if one.before is None else f'{one.before:g}'} → {one.value:g}"
        for one in changes
        if one.value is not None
    )
    return f"{command}{subject}: {figures}"


def budget_now(manifest: Mapping[str, Any], planned_usd: float | None) -> float | None:
    """Return the sweep's ceiling: as last set live if that still applies, else as planned."""
    where = ("", "budget_usd")
    return lasting(changes_in(manifest), {where: planned_usd}).get(where, planned_usd)


def change_lines(manifest: Mapping[str, Any], most: int = 5) -> list[str]:
    """Return the latest changes for a person, oldest first."""
    changes = changes_in(manifest)
    lines = [f"{one.at}: {said_of([one])} ({one.by})" for one in changes[-most:]]
    earlier = len(changes) - len(lines)
    if earlier > 0:
        lines.insert(0, f"{earlier:,} earlier changes: manifest.json")
    return lines


def _listed(value: object) -> list[Mapping[str, Any]]:
    listed = value[-MOST_CHANGES:] if isinstance(value, list) else []
    return [one for one in listed if isinstance(one, Mapping)]


def _change(one: Mapping[str, Any]) -> ControlChange:
    return ControlChange(
        at=_text(one.get("at")),
        command=_text(one.get("command")),
        subject=_text(one.get("subject")),
        setting=_text(one.get("setting")),
        value=bounded_float(one.get("value")),
        before=bounded_float(one.get("before")),
        planned=bounded_float(one.get("planned")),
        by=_text(one.get("by")),
    )


def _text(value: object) -> str:
    return one_printable_line(value, _MOST_CHARS) if isinstance(value, str) else ""
