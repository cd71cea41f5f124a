"""Whether a run is under way, by its lock's holder and its journal; nothing is locked for that."""

import os
import socket
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from time import time as now_s
from typing import Any

from mirror_ray.records.journal.database import JOURNAL_NAME
from mirror_ray.untrusted import one_printable_line

_LOCK_NAME = ".run.lock"
_MOST_BYTES = 300


@dataclass(frozen=True, slots=True)
class RunStatus:
    """A run's state.

    Args:
        state: "running", "stopped", "finished" or "killed"; `about`: since when and where, in a
            few words.
        written_s: seconds since the run last wrote to its journal; None: it is not here.
    """

    state: str
    about: str
    written_s: float | None


def run_status(home: Path, manifest: Mapping[str, Any], n_left: int | None) -> RunStatus:
    """The state of the run whose locks and journal are in `home`.

    Args:
        n_left: episodes of the plan that have not ended; None while that is unknown.
    """
    runs = [one for one in manifest.get("runs") or () if isinstance(one, dict)] or [{}]
    since = one_printable_line(str(runs[-1].get("started_at", "")))
    began = f"begun {since[:10]} {since[11:16]} UTC" if len(since) >= 16 else ""
    log = home / f"{JOURNAL_NAME}-wal"
    written_s = _age_s(log) if log.exists() else _age_s(home / JOURNAL_NAME)
    # A run that ends takes its write-ahead log along; one that is killed leaves it.
    if log.exists() and (holder := _holder(home / _LOCK_NAME)) is not None:
        pid, host = holder
        if host != socket.gethostname():
            return RunStatus("running", f"{began} on {host}, as its journal says", written_s)
        if _lives(pid):
            return RunStatus("running", f"{began}, process {pid}", written_s)
        return RunStatus("killed", f"{began}: the same command goes on with it", written_s)
    if n_left is not None and n_left <= 0:
        return RunStatus("finished", began, written_s)
    return RunStatus("stopped", f"{began}: the same command goes on with it", written_s)


def _holder(lock: Path) -> tuple[int, str] | None:
    """The process that has, or last had, the lock."""
    with suppress(OSError, ValueError), lock.open("rb") as file:
        kind, pid, on, host = file.read(_MOST_BYTES).decode(errors="replace").split()
        if (kind, on) == ("process", "on") and pid.isascii() and pid.isdecimal():
            return int(pid), one_printable_line(host, _MOST_BYTES)
    return None


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except PermissionError:
        return True
    except (OSError, OverflowError):
        return False
    return True


def _age_s(path: Path) -> float | None:
    with suppress(OSError):
        return max(0.0, now_s() - path.stat().st_mtime)
    return None
