"""What people changed about a run while it played, from its manifest, which may contain
anything."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from mirror_ray.core.untrusted import bounded_float, one_printable_line
from mirror_ray.records.manifest import runs_of

CHANGES_KEY = "changes"
"""Key of each run in a manifest, for its changes as `as_facts` writes them."""

MOST_CHANGES = 1_000
"""Most changes of one run, because each rewrites the manifest."""

_MOST_CHARS = 200
_MOST_SHOWN = 5


@dataclass(frozen=True, slots=True)
class ControlChange:
    """One change.

    Args:
        at: ISO 8601, UTC.
        command: as given, e.g. "pause" or "limits".
        subject: a rate-limited key; "" for the whole run.
        setting: "rpm", "tpm", "concurrency" or "budget_usd"; "episodes" of a requeue; "" for none.
        value, before: of the setting, after and before; None is unlimited.
        planned: the value in the sweep or the catalogue; the change lasts until that value changes.
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
    of_runs = (run.get(CHANGES_KEY) for run in runs_of(manifest))
    listed = (one for its in of_runs if isinstance(its, list) for one in its[-MOST_CHANGES:])
    return [_change(one) for one in listed if isinstance(one, Mapping)]


def lasting(
    changes: Sequence[ControlChange], planned: Mapping[tuple[str, str], float | None]
) -> dict[tuple[str, str], float]:
    """Return the value of each (subject, setting) for a later run.

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
    """Return the sweep's ceiling: as last set live if that still applies, otherwise as planned."""
    where = ("", "budget_usd")
    return lasting(changes_in(manifest), {where: planned_usd}).get(where, planned_usd)


def change_lines(manifest: Mapping[str, Any]) -> list[str]:
    """Return readable lines on the latest changes, oldest first."""
    changes = changes_in(manifest)
    lines = [f"{one.at}: {said_of([one])} ({one.by})" for one in changes[-_MOST_SHOWN:]]
    earlier = len(changes) - len(lines)
    if earlier > 0:
        lines.insert(0, f"{earlier:,} earlier changes: manifest.json")
    return lines


def _change(one: Mapping[str, Any]) -> ControlChange:
    words = {key: _text(one.get(key)) for key in ("at", "command", "subject", "setting", "by")}
    value, before, planned = (bounded_float(one.get(key)) for key in ("value", "before", "planned"))
    return ControlChange(**words, value=value, before=before, planned=planned)


def _text(value: object) -> str:
    return one_printable_line(value, _MOST_CHARS) if isinstance(value, str) else ""
