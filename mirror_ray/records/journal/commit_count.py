"""Counts the transactions of a journal, in the journal and in a file next to it. If the journal is
replicated, the term of the head whose segments contain them is next to the count.

SQLite treats a damaged log (WAL) as if it ended there, and committed replies would silently
disappear. The file is written after each commit, so it never counts more than an undamaged journal.
It is not flushed: after a power failure it may count less."""

import os
import sqlite3
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from mirror_ray.core.errors import RunDirError

TABLE = """
create table committed (n integer not null, term text not null);
insert into committed values (0, '');
"""

_FLAGS = os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC
_MOST_BYTES = 100


class CommitCount:
    """The count of one journal, at `path`."""

    def __init__(self, db: sqlite3.Connection, path: str) -> None:
        self._db = db
        self._path = path
        self._file = _file_of(path)
        self._n = 0
        self._is_noted = False

    def check(self) -> None:
        """Raise RunDirError if the journal has fewer transactions than the file counts."""
        (self._n,) = self._db.execute("select n from committed").fetchone()
        noted = noted_commits(self._path)
        if noted > self._n:
            raise RunDirError(
                self._path,
                f"{self._n:,} transactions, where {noted:,} were committed: the file or its log"
                f" ({self._path}-wal) was damaged, and replies with their costs are lost",
                "the journal and its log as this program wrote them",
                "restore both from a copy; or remove "
                f"{self._file} to continue without them: those requests are sent and paid again",
            )

    @property
    def n(self) -> int:
        """The number of transactions."""
        return self._n

    def forget(self) -> None:
        """Remove the file, because the journal is gone."""
        with suppress(OSError):
            Path(self._file).unlink(missing_ok=True)

    def add(self) -> None:
        """Count the open transaction."""
        self._db.execute("update committed set n = ?", (self._n + 1,))

    def note(self) -> None:
        """Note a committed transaction. Raise RunDirError if the folder or the file was deleted."""
        self._n += 1
        line = _line(self._n)
        try:
            descriptor = os.open(self._file, _FLAGS | (0 if self._is_noted else os.O_CREAT), 0o644)
        except FileNotFoundError as error:
            raise deleted(self._path) from error
        except OSError:
            return
        try:
            # If the disk is full, the file counts less, which is allowed.
            with suppress(OSError):
                os.pwrite(descriptor, line, 0)
                self._is_noted = True
        finally:
            os.close(descriptor)


def noted_commits(path: str) -> int:
    """Return the number in the file next to the journal at `path`. Return 0 if it is unreadable,
    because a damaged note must not block a sound journal."""
    try:
        descriptor = os.open(_file_of(path), os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:
        return 0
    try:
        found = os.read(descriptor, _MOST_BYTES)
    except OSError:
        return 0
    finally:
        os.close(descriptor)
    digits = found[:18]
    is_sound = digits.isdigit() and found == _line(int(digits))
    return int(digits) if is_sound else 0


def unusable(path: str, error: sqlite3.Error | UnicodeDecodeError) -> RunDirError:
    """Return the error to raise for SQLite's; it states what is lost and what is not."""
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_NOTADB) & 0xFF
    if not Path(path).exists() and Path(path).parent.exists() is False:
        return deleted(path)
    again = "run the same command again: nothing is lost"
    allowed = "a journal on a local disk, which this user may write"
    fix = f"give this user the right to write there, and {again}"
    if code == sqlite3.SQLITE_FULL:
        allowed, fix = "a journal on a disk with free space", f"make room and {again}"
    elif code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR):
        allowed = "the journal as this program wrote it"
        fix = (
            "restore the file from a copy; or remove it: the run continues from its shards, and"
            " requests whose replies are not in shards are sent and paid again"
        )
    return RunDirError(path, str(error), allowed, fix)


def deleted(path: str) -> RunDirError:
    """Return the error to raise if a journal, or its folder, was deleted while it was open."""
    return RunDirError(
        path,
        "the run directory was deleted or moved while the run was using it",
        "a run directory that stays in its place until the run has ended",
        "restore it, or use another --out: replies that were not in a copy are lost",
    )


def _file_of(path: str) -> str:
    return f"{path}-count"


def _line(n: int) -> bytes:
    digits = b"%018d" % n
    return digits + b" " + sha256(digits).hexdigest()[:16].encode() + b"\n"
