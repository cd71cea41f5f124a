"""A run's state in words, and as columns for scripts."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Any

from mirror_ray.core.untrusted import bounded_int, one_printable_line
from mirror_ray.records.manifest_parts import time_of
from mirror_ray.records.run_state import RunState

_WORDS = {
    "running": "running",
    "finished": "finished",
    "stopped": "stopped",
    "killed": "killed, or its machine was lost: the same command resumes",
    "claimed": "claimed by another machine, where it runs or was killed",
}
_MOST_SHOWN = 5


def state_lines(state: RunState, now: datetime | None = None) -> list[str]:
    """Return the state, the times, and what delays models, for a person."""
    now = now or datetime.now(UTC)
    why = f" ({state.why})" if state.why else ""
    lines = [", ".join([_WORDS[state.state] + why, *state_facts(state, now)]) + "."]
    if state.state == "running":
        if is_paused(state):
            lines.append("Paused: to continue, mirror-ray ctl DIR resume.")
        lines += [*_counted(state, now), *unreachable_models(state, now)]
    return lines


def state_facts(state: RunState, now: datetime, zone: tzinfo | None = None) -> list[str]:
    """Return since when, whose, how long, and until when, a few words each.

    Args:
        zone: of the times of day; by default this machine's.
    """
    said = []
    if state.since is not None:
        since = "last seen" if state.state == "killed" else "since"
        said.append(f"{since} {_clock(state.since, now, zone)}")
    if state.process:
        said.append(state.process)
    if state.elapsed_s is not None:
        took = timedelta(seconds=round(state.elapsed_s))
        said.append(f"{took} so far" if state.state == "running" else f"its last run took {took}")
    if state.last_reply_at is not None:
        said.append(f"last reply {_ago(state.last_reply_at, now)}")
    if state.ends_at is not None and state.ends_at > now:
        left = timedelta(seconds=round((state.ends_at - now).total_seconds()))
        said.append(f"about {left} left, until {_clock(state.ends_at, now, zone)}")
    return said


def unreachable_models(
    state: RunState, now: datetime | None = None, zone: tzinfo | None = None
) -> list[str]:
    """Return a line that names the models whose servers do not answer, and since when; None without
    any.

    Args:
        zone: as for `state_facts`.
    """
    now = now or datetime.now(UTC)
    down = []
    for name, one in unreachable_entries(state).items():
        began = time_of(one.get("since"))
        since = "" if began is None else f"since {_clock(began, now, zone)}, "
        kind = one_printable_line(str(one["unreachable"]), 20)
        waiting = bounded_int(one.get("waiting")) or 0
        down.append(f"{one_printable_line(str(name), 100)} ({kind}, {since}{waiting:,} waiting)")
    if not down:
        return []
    more = f" and {len(down) - _MOST_SHOWN:,} more" if len(down) > _MOST_SHOWN else ""
    return [f"Unreachable: {', '.join(down[:_MOST_SHOWN])}{more}."]


def unreachable_entries(state: RunState) -> dict[str, Mapping[str, Any]]:
    """Return model → the run's own count of it, for models whose servers do not answer."""
    models = state.progress.get("models")
    return {
        str(name): one
        for name, one in (models.items() if isinstance(models, Mapping) else ())
        if isinstance(one, Mapping) and one.get("unreachable")
    }


def state_columns(state: RunState) -> dict[str, Any]:
    """Return the same for scripts; times in ISO 8601, UTC."""
    return {
        "state": state.state,
        "paused": is_paused(state),
        "since": _iso(state.since),
        "why": state.why or None,
        "last_reply_at": _iso(state.last_reply_at),
        "elapsed_s": state.elapsed_s,
        "ends_at": _iso(state.ends_at),
    }


def is_paused(state: RunState) -> bool:
    """Whether a run that plays has been paused by a person."""
    return state.state == "running" and state.progress.get("paused") is True


def _counted(state: RunState, now: datetime) -> list[str]:
    """Return the run's own count, which is ahead of the shards."""
    done, planned = (bounded_int(state.progress.get(key)) for key in ("done", "planned"))
    if state.counted_at is None or done is None or planned is None:
        return []
    failed, calls = (bounded_int(state.progress.get(key)) or 0 for key in ("failed", "calls"))
    return [
        f"By its own count {_ago(state.counted_at, now)}: {done:,}/{planned:,} episodes,"
        f" {failed:,} with an error, {calls:,} calls."
    ]


def _ago(then: datetime, now: datetime) -> str:
    seconds = max(0, round((now - then).total_seconds()))
    return f"{seconds} s ago" if seconds < 100 else f"{timedelta(seconds=seconds)} ago"


def _clock(then: datetime, now: datetime, zone: tzinfo | None) -> str:
    here, today = then.astimezone(zone), now.astimezone(zone)
    shown = f"{here:%H:%M}" if here.date() == today.date() else f"{here:%Y-%m-%d %H:%M}"
    return shown if zone is None else f"{shown} {here.tzname()}"


def _iso(then: datetime | None) -> str | None:
    return None if then is None else then.astimezone(UTC).isoformat(timespec="seconds")
