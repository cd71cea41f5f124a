"""Whether a run is alive, and what it last reported, read without disturbing it.

A live run has its directory's lock; the log says how an ended one ended.
"""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, Literal, TypeAlias

from mirror_ray.core.untrusted import bounded_float, bounded_int, one_printable_line
from mirror_ray.records.head_claim import CLAIMS_FOLDER
from mirror_ray.records.lock import is_held
from mirror_ray.records.manifest_parts import runs_of, time_of
from mirror_ray.records.run_log import last_lines
from mirror_ray.records.rundir import LOCK_NAME
from mirror_ray.records.storage import files_below, home_of, is_address, storage_of

_State: TypeAlias = Literal["running", "stopped", "killed", "finished", "claimed"]

_MOST_WORDS = 120


@dataclass(frozen=True, slots=True)
class RunState:
    """A run directory's present state.

    Args:
        state: "running"; "finished": nothing is left; "stopped": it ended in order, before its plan
            did; "killed": it ended without a log entry; "claimed": another machine's head has it,
            alive or not.
        since: when that began, if known.
        why: of a stop.
        process: of the latest run.
        last_reply_at: of the latest run.
        elapsed_s: from its start to now, or to its end.
        ends_at: as far as a running one can say.
        progress: its latest counters, as it wrote them at `counted_at`.
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
    ended = next((line for line in reversed(latest) if line["event"] == "ended"), None)
    counts = [line for line in latest if line["event"] == "progress"]
    counted: Mapping[str, Any] = counts[-1] if counts else {}
    # In a long run, the line about its start is before the part that is read.
    starts = [line for line in latest if "started_at" in line]
    started: Mapping[str, Any] = starts[-1] if starts else {}
    began = time_of(started.get("started_at")) or _last_start(manifest)
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
        return any(True for _ in files_below(fs, f"{root}/{CLAIMS_FOLDER}", ".json"))
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


def _last_start(manifest: Mapping[str, Any]) -> datetime | None:
    runs = runs_of(manifest)
    return time_of(runs[-1].get("started_at")) if runs else None


def _seconds(begin: datetime | None, end: datetime | None) -> float | None:
    return None if begin is None or end is None else max(0.0, (end - begin).total_seconds())
