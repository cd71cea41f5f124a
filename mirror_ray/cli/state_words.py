"""A run's state in words, and as columns for scripts."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from mirror_ray.records.run_state import RunState
from mirror_ray.untrusted import bounded_int, one_printable_line

_WORDS = {
    "running": "running",
    "finished": "finished",
    "stopped": "stopped",
    "killed": "killed, or its machine failed: the same command goes on",
    "claimed": "claimed by another machine, where it runs or was killed",
}
_MOST_SHOWN = 5


def state_lines(state: RunState, now: datetime | None = None) -> list[str]:
    """What a person reads: the state, the times, and what holds models up."""
    now = now or datetime.now(UTC)
    said = [_WORDS[state.state]]
    if state.why:
        said[0] += f" ({state.why})"
    if state.since is not None:
        said.append(f"{_since(state)} {_clock(state.since, now)}")
    if state.process:
        said.append(state.process)
    if state.elapsed_s is not None:
        said.append(f"{timedelta(seconds=round(state.elapsed_s))} in all")
    if state.last_reply_at is not None:
        said.append(f"last reply {_ago(state.last_reply_at, now)}")
    if state.ends_at is not None and state.ends_at > now:
        left = timedelta(seconds=round((state.ends_at - now).total_seconds()))
        said.append(f"about {left} left, until {_clock(state.ends_at, now)}")
    lines = [", ".join(said) + "."]
    if state.state == "running":
        lines += _counted(state, now)
    return lines


def state_columns(state: RunState) -> dict[str, Any]:
    """The same for scripts; times in ISO 8601, UTC."""
    return {
        "state": state.state,
        "since": _iso(state.since),
        "why": state.why or None,
        "last_reply_at": _iso(state.last_reply_at),
        "elapsed_s": state.elapsed_s,
        "ends_at": _iso(state.ends_at),
    }


def _since(state: RunState) -> str:
    return "last seen" if state.state == "killed" else "since"


def _counted(state: RunState, now: datetime) -> list[str]:
    """The run's own count, which is ahead of what is sealed."""
    done, planned = (bounded_int(state.progress.get(key)) for key in ("done", "planned"))
    if state.counted_at is None or done is None or planned is None:
        return []
    failed, calls = (bounded_int(state.progress.get(key)) or 0 for key in ("failed", "calls"))
    lines = [
        f"By its own count {_ago(state.counted_at, now)}: {done:,}/{planned:,} episodes,"
        f" {failed:,} failed, {calls:,} calls."
    ]
    models = state.progress.get("models")
    down = [
        f"{one_printable_line(str(name), 100)} ({one_printable_line(str(one['unreachable']), 20)},"
        f" {bounded_int(one.get('waiting')) or 0:,} waiting)"
        for name, one in (models.items() if isinstance(models, Mapping) else ())
        if isinstance(one, Mapping) and one.get("unreachable")
    ]
    if down:
        more = f" and {len(down) - _MOST_SHOWN:,} more" if len(down) > _MOST_SHOWN else ""
        lines.append(f"Unreachable: {', '.join(down[:_MOST_SHOWN])}{more}.")
    return lines


def _ago(then: datetime, now: datetime) -> str:
    seconds = max(0, round((now - then).total_seconds()))
    return f"{seconds} s ago" if seconds < 100 else f"{timedelta(seconds=seconds)} ago"


def _clock(then: datetime, now: datetime) -> str:
    """By this machine's clock, with the date where that is another day."""
    here, today = then.astimezone(), now.astimezone()
    return f"{here:%H:%M}" if here.date() == today.date() else f"{here:%Y-%m-%d %H:%M}"


def _iso(then: datetime | None) -> str | None:
    return None if then is None else then.astimezone(UTC).isoformat(timespec="seconds")
