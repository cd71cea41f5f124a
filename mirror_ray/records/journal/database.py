"""The journal: paid replies and finished episodes on local disk until they are sealed. A `Journal`
belongs to the thread that made it; nothing is durable before `commit` returns."""

import json
import sqlite3
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TypeVar

from mirror_ray.core.errors import RecordError
from mirror_ray.records.journal.batch_notes import Batches
from mirror_ray.records.journal.charges import Charges
from mirror_ray.records.journal.commit_count import CommitCount, unusable
from mirror_ray.records.journal.ended_episodes import EndedEpisodes
from mirror_ray.records.journal.entry import WrittenEntry
from mirror_ray.records.journal.journal_tables import (
    CHECKED,
    JOURNAL_VERSION,
    TABLES,
    check_version,
    remove_altered,
    require_own_tables,
    require_plain,
    require_sound,
    teach,
)
from mirror_ray.records.journal.row_changes import RowChanges
from mirror_ray.records.journal.segment import JournalSegment

_T = TypeVar("_T")

JOURNAL_NAME = "journal.sqlite"
_REPLY = ", ".join(WrittenEntry._fields)
_ADD = """
insert or replace into reply
values (?1, ?2, ?3, ?4, ?5, ?6, ?7, row_crc(?1, ?2, ?3, ?4, ?5, ?6, ?7))
"""

_OF_A_VALUE = (
    sqlite3.DataError,
    sqlite3.IntegrityError,
    sqlite3.InterfaceError,
    sqlite3.ProgrammingError,
)
"""SQLite's errors for a value that a column does not accept; all others concern the file."""


class Journal:
    """The SQLite file, with a write-ahead log; every commit is flushed to disk. With `captures`,
    `changes` notes what is written. Raise RunDirError if the file is damaged, or of another
    version."""

    def __init__(self, path: str, *, captures: bool = False) -> None:
        self._path = path
        is_new = not Path(path).exists()
        try:
            self._db = sqlite3.connect(path, isolation_level=None)
            require_plain(self._db)
            teach(self._db)
            # Checked before anything is in the file, because its format is fixed from then on.
            self._db.execute("pragma auto_vacuum = incremental")
            self._db.execute("pragma journal_mode = wal")
            self._db.execute("pragma synchronous = full")
            (version,) = self._db.execute("pragma user_version").fetchone()
            if version == 0:
                self._db.executescript(
                    f"begin immediate; {TABLES} pragma user_version = {JOURNAL_VERSION}; commit;"
                )
        except (sqlite3.Error, UnicodeDecodeError) as error:
            raise unusable(self._path, error) from error
        self._count = CommitCount(self._db, path)
        self.charges = Charges(self._db)
        """The costs of the episodes."""
        self.batches = Batches(self._db)
        self.ended = EndedEpisodes(self._db)
        if is_new:
            self._count.forget()
        try:
            if version:
                check_version(path, version)
                require_own_tables(self._db)
            self._count.check()
            self.changes = RowChanges(self._db)
            if captures:
                self.changes.capture()
            self._put_right()
        except (sqlite3.Error, UnicodeDecodeError) as error:
            raise unusable(self._path, error) from error

    def _put_right(self) -> None:
        """Remove damaged replies and ends, and report it; refuse any other damage."""
        require_sound(self._db, sorted({*CHECKED} - {"reply", "finished"}))
        self._db.execute("begin immediate")
        removed = remove_altered(self._db)
        self._db.execute("commit")
        for one in removed:
            print(
                f"mirror-ray: {self._path}: {one} was damaged and is left out; the episode"
                " continues from the replies before it",
                file=sys.stderr,
            )
        self.charges.put_right()

    def commit(self, works: Sequence[Callable[["Journal"], _T]]) -> list[_T | RecordError]:
        """Do all `works` in one transaction.

        Returns:
            For each work its result, or why it alone was not done, once that is on disk.

        Raises:
            RunDirError: SQLite could not write; none of the works was done.
        """
        try:
            self._db.execute("begin immediate")
            results = [self.alone(partial(work, self)) for work in works]
            self._count.add()
            self._db.execute("commit")
        except BaseException as error:
            with suppress(sqlite3.Error):
                self._db.execute("rollback")
            if isinstance(error, sqlite3.Error):
                raise unusable(self._path, error) from error
            raise
        self._count.note()
        return results

    def alone(self, work: Callable[[], _T]) -> _T | RecordError:
        """Do `work` within a transaction, so that its failure undoes nothing else.

        Returns:
            Its result, or why it was not done.

        Raises:
            sqlite3.Error: the file cannot be written: the whole transaction is void.
        """
        self._db.execute("savepoint alone")
        done: _T | RecordError
        try:
            done = work()
        except RecordError as error:
            done = error
        except Exception as error:
            if isinstance(error, sqlite3.Error) and not isinstance(error, _OF_A_VALUE):
                raise
            done = RecordError(f"this cannot be kept: {type(error).__name__}: {error}")
        if isinstance(done, RecordError):
            self._db.execute("rollback to alone")
        self._db.execute("release alone")
        return done

    @property
    def commits(self) -> int:
        """The number of the journal's transactions so far."""
        return self._count.n

    @property
    def term(self) -> str:
        """The term of the head that replicates this journal; "" if it was never replicated."""
        return str(self._db.execute("select term from committed").fetchone()[0])

    def begin_term(self, term: str) -> None:
        """Note the term in which this journal is replicated from now on."""
        self._db.execute("update committed set term = ?", (term,))

    def restore(self, segments: Iterable[JournalSegment]) -> None:
        """Copy all rows of a replica into this new journal. Raise ValueError, OverflowError or
        sqlite3.Error, and copy nothing, if a row fits no table."""
        self._db.execute("begin immediate")
        for segment in segments:
            if segment.whole == segment.number:
                self.changes.clear()
            self.changes.apply(segment.rows)
            self._db.execute(
                "update committed set n = ?, term = ?", (segment.commits, segment.term)
            )
        self._db.execute("commit")

    def has_calls(self) -> bool:
        """Return whether the journal has replies, ended episodes or pending calls."""
        rows = self._db.execute(
            "select 1 from reply union all select 1 from finished union all select 1 from begun"
        )
        return rows.fetchone() is not None

    def add(
        self, written: WrittenEntry, cost_usd: float | None, presumed_usd: float = 0.0
    ) -> WrittenEntry:
        """Record a reply and its cost; return the one that counts.

        The first final reply to a request counts: a reply whose caller died may arrive after the
        request was repeated, and both callers must continue with the same text. A reply that is not
        final is replaced by the next one. Repeating the very same reply changes nothing."""
        row = self._db.execute(
            f"select {_REPLY} from reply where episode_id = ? and ask_index = ?",  # noqa: S608
            (written.episode_id, written.ask_index),
        ).fetchone()
        standing = None if row is None else WrittenEntry(*row)
        if standing == written:
            return written
        self.charges.spend(
            {written.episode_id: cost_usd or 0.0}, {written.episode_id: presumed_usd}
        )
        if standing is not None and standing.final:
            return standing
        self._db.execute(_ADD, written)
        return written

    def claim_calls(self, key: str, day: int, calls: int) -> None:
        """Note that up to `calls` calls of a key may be made on day number `day`."""
        self._db.execute(
            "insert into claimed values (?1, ?2, ?3, row_crc(?1, ?2, ?3)) on conflict do update "
            "set calls = max(calls, ?3), crc = row_crc(key, day, max(calls, ?3))",
            (key, day, calls),
        )

    def claimed_calls(self, days: Mapping[str, int]) -> dict[str, int]:
        """Return how many calls of its day each key may have made."""
        rows = self._db.execute("select key, day, calls from claimed")
        return {key: calls for key, day, calls in rows if days.get(key) == day}

    def prefixes(self, episode_ids: Sequence[str]) -> dict[str, tuple[WrittenEntry, ...]]:
        """Return each episode's replies up to the first that is missing or not final."""
        kept: dict[str, list[WrittenEntry]] = {episode_id: [] for episode_id in episode_ids}
        rows = self._db.execute(
            f"select {_REPLY} from reply where final "  # noqa: S608 - our own names
            "and episode_id in (select value from json_each(?)) order by episode_id, ask_index",
            (json.dumps(list(kept)),),
        )
        for row in map(WrittenEntry._make, rows):
            if row.ask_index == len(kept[row.episode_id]) + 1:
                kept[row.episode_id].append(row)
        return {episode_id: tuple(rows) for episode_id, rows in kept.items()}

    def close(self) -> None:
        """Free the space of deleted rows, merge the log into the file and close it."""
        with suppress(sqlite3.Error):  # a disk that is full keeps everything, and that is enough
            self._db.executescript("pragma incremental_vacuum")
        self._db.close()
