"""Whether a run is alive, and what it last reported, read without disturbing it.

A live run has its directory's lock; the log states how an ended run ended."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Any, Literal, TypeAlias

from mirror_ray.core.first_names import first_names
from mirror_ray.core.untrusted import bounded_float, bounded_int, one_printable_line
from mirror_ray.records.head_claim import CLAIMS_FOLDER
from mirror_ray.records.lock import is_held
from mirror_ray.records.manifest import runs_of, time_of
from mirror_ray.records.run_log import last_lines
from mirror_ray.records.rundir import LOCK_NAME
from mirror_ray.records.storage import files_below, home_of, is_address, storage_of

_State: TypeAlias = Literal["running", "stopped", "killed", "finished", "claimed"]

_MOST_WORDS = 120


@dataclass(frozen=True, slots=True)
class RunState:
    """A run directory's present state.

    Args:
        state: "running"; "finished": nothing is left; "stopped": it ended in order before its plan
            did; "killed": it ended without a log entry; "claimed": another machine has it.
        since: when that began, if known.
        why: the reason of a stop.
        process: the latest run's process.
        last_reply_at: when the latest run got its last reply.
        elapsed_s: from its start to now, or to its end.
        ends_at: the expected end of a running run, if known.
        progress: its latest counters, as written at `counted_at`.
    """

    state: _State
    since: datetime | None = None
    why: str = ""
    process: str = ""
    last_reply_at: datetime | None = None
    elapsed_s: float | None = None
    ends_at: datetime | None = None
    counted_at: datetime | None = None
    progress: Mapping[str, Any] = field(default_factory=dict)


def run_state(
    out: str, manifest: Mapping[str, Any], *, left: int | None, now: datetime | None = None
) -> RunState:
    """Return the state of run directory `out`.

    Args:
        left: episodes without a final end, if known.
        now: by default this machine's clock.
    """
    now = now or datetime.now(UTC)
    home = home_of(out)
    lines = last_lines(home)
    begun = max((i for i, line in enumerate(lines) if line["event"] == "started"), default=0)
    latest = lines[begun:]
    nothing: Mapping[str, Any] = {}
    ended = next((line for line in reversed(latest) if line["event"] == "ended"), None)
    counted = next((line for line in reversed(latest) if line["event"] == "progress"), nothing)
    # In a long run, the line about its start is before the part that is read.
    started = next((line for line in reversed(latest) if "started_at" in line), nothing)
    last_run = next(reversed(runs_of(manifest)), nothing)
    began = time_of(started.get("started_at")) or time_of(last_run.get("started_at"))
    counted_at = time_of(counted.get("at"))
    common: dict[str, Any] = {
        "process": _process(started),
        "last_reply_at": time_of(counted.get("last_reply_at")),
        "counted_at": counted_at,
        "progress": counted,
    }
    if is_held(home / LOCK_NAME):
        return RunState(
            "running",
            began,
            elapsed_s=_seconds(began, now),
            ends_at=_end(counted, counted_at),
            **common,
        )
    if is_address(out) and _is_claimed(out):
        return RunState("claimed", began, **common)
    if ended is not None:
        at = time_of(ended.get("at"))
        is_finished = left == 0 if left is not None else ended.get("outcome") == "finished"
        state: _State = "finished" if is_finished else "stopped"
        why = "" if is_finished else one_printable_line(str(ended.get("why") or ""), _MOST_WORDS)
        return RunState(state, at, why, elapsed_s=_seconds(began, at), **common)
    seen = time_of(lines[-1].get("at")) if lines else None
    if left == 0:
        return RunState("finished", seen, elapsed_s=_seconds(began, seen), **common)
    if not started:
        # The log is missing.
        return RunState("stopped", None, "no log says how", **common)
    return RunState("killed", seen, elapsed_s=_seconds(began, seen), **common)


def _is_claimed(out: str) -> bool:
    with suppress(OSError):
        fs, root = storage_of(out)
        return bool(list(files_below(fs, f"{root}/{CLAIMS_FOLDER}", ".json")))
    return False


def _process(started: Mapping[str, Any]) -> str:
    pid, host = bounded_int(started.get("pid")), started.get("host")
    if pid is None or not isinstance(host, str):
        return ""
    return f"process {pid} on {one_printable_line(host, _MOST_WORDS)}"


def _end(counted: Mapping[str, Any], counted_at: datetime | None) -> datetime | None:
    eta_s = bounded_float(counted.get("eta_s"), high=1e9)
    if counted_at is None or eta_s is None or counted.get("stopping"):
        return None
    return counted_at + timedelta(seconds=eta_s)


def _seconds(begin: datetime | None, end: datetime | None) -> float | None:
    return None if begin is None or end is None else max(0.0, (end - begin).total_seconds())


_WORDS = {
    "running": "running",
    "finished": "finished",
    "stopped": "stopped",
    "killed": "killed, or its machine was lost: the same command resumes",
    "claimed": "claimed by another machine, where it runs or was killed",
}
_MOST_SHOWN = 5


def state_lines(state: RunState, now: datetime | None = None) -> list[str]:
    """Return readable lines on the state, the times, and what delays models."""
    now = now or datetime.now(UTC)
    why = f" ({state.why})" if state.why else ""
    lines = [", ".join([_WORDS[state.state] + why, *state_facts(state, now)]) + "."]
    if state.state == "running":
        if is_paused(state):
            lines.append("Paused: to continue, mirror-ray ctl DIR resume.")
        lines += [*_counted(state, now), *unreachable_models(state, now)]
    return lines


def state_facts(state: RunState, now: datetime, zone: tzinfo | None = None) -> list[str]:
    """Return short texts on when the run began, its process, how long it has run and when it ends.
    Times of day are in `zone`, by default this machine's."""
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


def unreachable_models(state: RunState, now: datetime, zone: tzinfo | None = None) -> list[str]:
    """Return a line that names the models whose servers do not answer, and since when; no line if
    there are none. `zone` is as for `state_facts`."""
    down = []
    for name, one in unreachable_entries(state).items():
        began = time_of(one.get("since"))
        since = "" if began is None else f"since {_clock(began, now, zone)}, "
        kind = one_printable_line(str(one["unreachable"]), 20)
        waiting = bounded_int(one.get("waiting")) or 0
        down.append(f"{one_printable_line(str(name), 100)} ({kind}, {since}{waiting:,} waiting)")
    return [f"Unreachable: {first_names(down, _MOST_SHOWN)}."] if down else []


def unreachable_entries(state: RunState) -> dict[str, Mapping[str, Any]]:
    """Return the run's own counts, by model, for models whose servers do not answer."""
    models = state.progress.get("models")
    return {
        str(name): one
        for name, one in (models.items() if isinstance(models, Mapping) else ())
        if isinstance(one, Mapping) and one.get("unreachable")
    }


def state_columns(state: RunState) -> dict[str, Any]:
    """Return the same for scripts, with times in ISO 8601, UTC."""
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
    """Return whether a person has paused a running run."""
    return state.state == "running" and state.progress.get("paused") is True


def _counted(state: RunState, now: datetime) -> list[str]:
    """Return the run's own counts, which are ahead of the shards."""
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
