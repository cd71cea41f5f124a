"""`run.log`: what happened in a run directory, one JSON object per line.

It has starts and ends of runs, news, new errors, and occasionally the counters, but no replies,
prompts or secrets. A file that has grown too long loses the older half of its lines."""

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from mirror_ray.core.plain_json import parse_json
from mirror_ray.core.untrusted import bounded_float, one_printable_line

RUN_LOG = "run.log"
_MOST_BYTES = 8 * 2**20
_MOST_READ_BYTES = 256 * 1024
_MOST_LINE_BYTES = 64 * 1024
_MOST_CHARS = 500


class RunLog:
    """The log of a run directory, for one writer. Lines that cannot be written are left out."""

    def __init__(self, home: Path, most_bytes: int = _MOST_BYTES) -> None:
        self._path = home / RUN_LOG
        self._most_bytes = most_bytes

    def note(self, event: str, **facts: Any) -> None:
        """Append a line; texts are kept printable and short."""
        at = datetime.now(UTC).isoformat(timespec="milliseconds")
        line = json.dumps({"at": at, "event": event, **_plain(facts)}, default=str)
        if len(line) > _MOST_LINE_BYTES:
            line = json.dumps({"at": at, "event": event, "left_out": "too long"})
        with suppress(OSError):
            self._append(f"{line}\n".encode())

    def _append(self, line: bytes) -> None:
        # A run directory may be somebody else's: a link would write the log elsewhere.
        flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC
        descriptor = os.open(self._path, flags, 0o644)
        with os.fdopen(descriptor, "r+b") as file:
            size = os.fstat(descriptor).st_size
            if size and os.pread(descriptor, 1, size - 1) != b"\n":
                # A crash may have left half a line.
                line = b"\n" + line
            file.write(line)
        if size + len(line) > self._most_bytes:
            self._halve()

    def _halve(self) -> None:
        kept = self._path.read_bytes()[-self._most_bytes // 2 :]
        kept = kept[kept.find(b"\n") + 1 :]
        shorter = self._path.with_name(f".{RUN_LOG}.tmp")
        shorter.write_bytes(kept)
        shorter.replace(self._path)


def last_lines(home: Path) -> list[Mapping[str, Any]]:
    """Return the last events of the log in `home`, oldest first; other lines are left out."""
    try:
        descriptor = os.open(home / RUN_LOG, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:
        return []
    with os.fdopen(descriptor, "rb") as file, suppress(OSError):
        start = max(0, os.fstat(descriptor).st_size - _MOST_READ_BYTES)
        file.seek(start)
        text = file.read(_MOST_READ_BYTES)
        return list(_objects(text[text.find(b"\n") + 1 :] if start else text))
    return []


def _objects(text: bytes) -> Iterator[Mapping[str, Any]]:
    for line in text.splitlines():
        try:
            found = parse_json(line)
        except ValueError:
            continue
        if isinstance(found, dict) and isinstance(found.get("event"), str):
            yield found


def _plain(value: Any) -> Any:
    if isinstance(value, str):
        return one_printable_line(value, _MOST_CHARS)
    if isinstance(value, Mapping):
        return {one_printable_line(str(key)): _plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_plain(one) for one in value]
    return value


_ROUNDING_USD = 1e-6


def lost_costs(home: Path, at_most_usd: float) -> str | None:
    """Return a message if the run has lost costs that its log had already counted. `at_most_usd` is
    the most that all calls may have cost, according to the journal."""
    counts = [line.get("spent_usd") for line in last_lines(home) if line["event"] == "progress"]
    logged_usd = bounded_float(counts[-1]) if counts else None
    if logged_usd is None or logged_usd <= at_most_usd + _ROUNDING_USD:
        return None
    return (
        f"run.log has counted {logged_usd:.4f} USD, the journal at most {at_most_usd:.4f} USD: the"
        " journal is an older copy, or was begun again; budgets count what it has"
    )
