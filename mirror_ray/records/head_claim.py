"""Keeps a second head out of a run in an object store, where no lock ends with its process.

Each head puts a small object below the run's address and then lists all such objects; if there is
another head's, it withdraws. Stores list earlier objects, so of two heads that start at once at
least one sees the other: both may withdraw, but both never stay. A head reuses its claim's name, so
its own stale claim does not block it, and the lock on its disk keeps its processes apart."""

import json
import os
import socket
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import uuid4

from pyarrow import fs as pafs

from mirror_ray.core.errors import RunDirError
from mirror_ray.core.plain_json import parse_json
from mirror_ray.core.untrusted import one_printable_line
from mirror_ray.records.storage import files_below, join, read_stored_text, storage_of, write_text

CLAIMS_FOLDER = ".claims"
_HEAD_NAME = "head-id"


class HeadClaim:
    """A head's claim, kept from construction to `close`; a killed process leaves it behind.

    Args:
        address: the run's address.
        home: this head's folder of the run, locked by this process.
        replicate: where this head replicates the journal. It has the lease there, so a claim with
            the same place belongs to a dead head, and is removed.

    Raises:
        RunDirError: another head's claim exists.
        OSError: the store cannot be used.
    """

    def __init__(self, address: str, home: Path, replicate: str | None = None) -> None:
        self._address = address
        self._fs, self._root = storage_of(address)
        head = home / _HEAD_NAME
        if not head.exists():
            write_text(pafs.LocalFileSystem(), str(head), uuid4().hex)
        self._path = f"{self._root}/{CLAIMS_FOLDER}/{head.read_text(encoding='utf-8')}.json"
        about = this_head() | {"replicate": replicate}
        write_text(self._fs, self._path, json.dumps(about) + "\n")
        try:
            others = [path for path in self._all() if path != self._path]
            if replicate is not None:
                for path in others:
                    if _claim(self._fs, path).get("replicate") == replicate:
                        self._fs.delete_file(path)
                others = [path for path in self._all() if path != self._path]
        except OSError:
            self.close()
            raise
        if others:
            refusal = self._refusal(others[0])
            self.close()
            raise refusal

    def close(self) -> None:
        """Withdraw the claim. If that fails, it remains and belongs to this head the next time."""
        with suppress(OSError):
            self._fs.delete_file(self._path)

    def _all(self) -> list[str]:
        return list(files_below(self._fs, f"{self._root}/{CLAIMS_FOLDER}", ".json"))

    def _refusal(self, path: str) -> RunDirError:
        shown = join(self._address, CLAIMS_FOLDER, path.rpartition("/")[2])
        claim = _claim(self._fs, path)
        replica = claim.get("replicate")
        resume = "resume there, where its journal is"
        if replica is not None:
            resume = f"resume with journal.replicate={one_printable_line(str(replica))}"
        return RunDirError(
            f"{self._address}: the run directory is in use",
            f"a claim by {named_head(claim)}",
            "one head at a time",
            f"wait for it, stop it, or use another --out; if it is dead, {resume}, "
            f"or take over from the sealed episodes by deleting {shown}",
        )


def this_head() -> dict[str, Any]:
    """Return what a claim, or a lease, states about the process that writes it."""
    now = datetime.now(UTC).isoformat(timespec="seconds")
    return {"host": socket.gethostname(), "process": os.getpid(), "started_at": now}


def head_in(written: str | bytes) -> dict[str, Any]:
    """Return what a claim, or a lease, states; nothing if it cannot be read."""
    try:
        return dict(parse_json(written))
    except (ValueError, TypeError):
        return {}


def named_head(about: Mapping[str, Any]) -> str:
    """Name, for people, the process that wrote a claim or a lease."""
    if not {"process", "host", "started_at"} <= about.keys():
        return "another head"
    return one_printable_line(
        f"process {about['process']} on {about['host']} since {about['started_at']}"
    )


def _claim(fs: pafs.FileSystem, path: str) -> dict[str, Any]:
    try:
        return head_in(read_stored_text(fs, path))
    except (OSError, ValueError):
        return {}
