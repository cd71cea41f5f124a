"""The lease of a run whose journal is replicated: one head at a time, on any disk.

The lease is a term in the replica. While it lasts, the head renews a small object. A head that has
not renewed it for `SILENT_S` counts as dead, and the next head restores the journal and begins a
term. A head that was only slow is stopped at its next segment."""

import json
import sqlite3
import sys
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from threading import Event, Thread
from time import monotonic, sleep
from uuid import uuid4

from mirror_ray.core.errors import RunDirError
from mirror_ray.records.head_claim import head_in, named_head, this_head
from mirror_ray.records.journal.database import JOURNAL_NAME, Journal
from mirror_ray.records.journal.replica import JournalReplica
from mirror_ray.records.journal.replica_store import ReplicaStore
from mirror_ray.records.journal.segment import JournalSegment
from mirror_ray.records.lock import PREDECESSOR_S, RECORDER_LOCK, Lock
from mirror_ray.records.storage_fault import faults_reported

RENEWED_EVERY_S, SILENT_S = 2.0, 10.0
_POLL_S = 0.5
_ALIVE = "alive"


class HeadLease:
    """A head's lease, kept from construction to `close`; a killed process leaves it to expire.

    Args:
        out: the run directory's address.
        home: this head's folder of the run, locked by this process. Its journal is restored.
        replicate: where the replica is.

    Raises:
        RunDirError: another head is alive, the store cannot be used or has no conditional writes,
            or the replica and the journal here are of different histories.
    """

    def __init__(self, out: str, home: Path, replicate: str) -> None:
        self._out, self._path = out, home / JOURNAL_NAME
        self._store = ReplicaStore(replicate, out)
        self._head = this_head()
        self._beats = 0
        self.replica = self._store.address
        with (
            faults_reported(self.replica, "the journal cannot be replicated"),
            closing(Lock(home / RECORDER_LOCK, what="its journal", wait_s=PREDECESSOR_S)),
        ):
            self._store.require_conditional_writes()
            self._term = self._begin_term()
        self._over = Event()
        self._renewal = Thread(target=self._renew, name="lease", daemon=True)
        self._renewal.start()

    def close(self) -> None:
        """End the lease, so that the next head need not wait."""
        self._over.set()
        self._renewal.join()
        with suppress(OSError):
            self._tell(ended=True)

    def _begin_term(self) -> str:
        replica = JournalReplica(self._store)
        while True:
            tip = replica.tip()
            if tip is not None and (term := self._term_here(tip)) is not None:
                if term != tip.term:
                    self._wait_until_silent(tip)
                    if (latest := replica.tip()) is None or latest.number != tip.number:
                        continue
                self._restore(replica, tip)
            with closing(Journal(str(self._path))) as journal:
                term = uuid4().hex
                journal.commit([partial(Journal.begin_term, term=term)])
                if replica.begin_term(term, journal.commits):
                    return term

    def _term_here(self, tip: JournalSegment) -> str | None:
        """Return the term of the journal here; None if it has everything that the replica has."""
        if not self._path.exists():
            return ""
        with closing(Journal(str(self._path))) as journal:
            if not journal.term and journal.has_calls():
                raise self._two_histories()
            is_further = journal.term == tip.term and journal.commits >= tip.commits
            return None if is_further else journal.term

    def _wait_until_silent(self, tip: JournalSegment) -> None:
        """Wait for a sign of life from the head that wrote `tip`, which refuses this one."""
        seen = self._store.read(_ALIVE)
        about = head_in(seen or b"{}")
        if about.get("term") == tip.term and about.get("ended"):
            return
        print(
            f"mirror-ray: {self._out}: waiting {SILENT_S:.0f} s for a sign of"
            f" {named_head(about)}, which played it",
            file=sys.stderr,
        )
        deadline_s = monotonic() + SILENT_S
        while monotonic() < deadline_s:
            sleep(_POLL_S)
            if (now := self._store.read(_ALIVE)) != seen:
                raise RunDirError(
                    f"{self._out}: the run directory is in use",
                    f"a lease of {named_head(head_in(now or b'{}'))}",
                    "one head at a time",
                    "wait for it, stop it, or use another --out",
                )

    def _restore(self, replica: JournalReplica, tip: JournalSegment) -> None:
        restored = self._path.with_name(f"{JOURNAL_NAME}-restoring")
        _remove(restored)
        with closing(Journal(str(restored))) as journal:
            try:
                journal.restore(replica.history(tip))
            except (ValueError, OverflowError, sqlite3.Error) as error:
                raise replica.damaged(tip.number, str(error)) from error
        _remove(self._path)
        restored.replace(self._path)
        print(f"mirror-ray: {self._out}: journal restored from {self.replica}", file=sys.stderr)

    def _renew(self) -> None:
        is_over = False
        while not is_over:
            with suppress(OSError):
                self._tell(ended=False)
            is_over = self._over.wait(RENEWED_EVERY_S)

    def _tell(self, *, ended: bool) -> None:
        self._beats += 1
        about = {"term": self._term, **self._head, "beat": self._beats, "ended": ended}
        self._store.write(_ALIVE, json.dumps(about).encode())

    def _two_histories(self) -> RunDirError:
        return RunDirError(
            f"journal.replicate: {self._store.address}",
            f"the replica of another journal than {self._path}, which has calls of its own",
            "one journal of a run",
            f"delete {self._path} to continue from the replica, or the replica to continue from"
            " this journal; calls that only the other one has are paid again",
        )


def _remove(journal: Path) -> None:
    for suffix in ("-wal", "-shm", "-count", ""):
        journal.with_name(f"{journal.name}{suffix}").unlink(missing_ok=True)
