"""Reads a journal that another process may be writing, without disturbing it or waiting for it."""

import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, TypeAlias

from mirror_ray.core.errors import RunDirError
from mirror_ray.records.journal.commit_count import noted_commits
from mirror_ray.records.journal.database import JOURNAL_NAME
from mirror_ray.records.journal.journal_tables import (
    CHECKED,
    JOURNAL_VERSION,
    check_version,
    require_own_tables,
    require_plain,
    require_sound,
)

JournalQuery: TypeAlias = Callable[[str], list[tuple[Any, ...]] | None]
"""Returns the rows of a query of an open journal; None if it is empty or missing."""

_WORD = re.compile(r"\w+")


@contextmanager
def read_only_snapshot(home: Path, tables: Iterable[str] = ()) -> Iterator[sqlite3.Connection]:
    """Open the existing journal in `home`, in its state at one moment, and compare the rows of
    `tables` with their checksums. Raise sqlite3.Error if it is damaged or unreadable."""
    path = home / JOURNAL_NAME
    # Read first, because the writer may commit meanwhile.
    noted = noted_commits(str(path))
    # If there is no log next to it, no process is writing; a plain reader would leave a log there.
    how = "mode=ro" if path.with_name(f"{JOURNAL_NAME}-wal").exists() else "immutable=1"
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?{how}", uri=True)) as db:
        try:
            db.execute("pragma query_only = on")
            db.execute("begin")
            require_plain(db)
            _require_whole(db, noted, tuple(tables))
            yield db
        except UnicodeDecodeError as error:
            # The message quotes a damaged name, which may not be text.
            raise sqlite3.DatabaseError(str(error)) from error


def _require_whole(db: sqlite3.Connection, noted: int, tables: Sequence[str]) -> None:
    (version,) = db.execute("pragma user_version").fetchone()
    is_ours = version == JOURNAL_VERSION
    committed = db.execute("select n from committed").fetchone()[0] if is_ours else 0
    # A log that is cut at its beginning lacks even the version.
    if committed < noted and version in (0, JOURNAL_VERSION):
        raise sqlite3.DatabaseError(f"{noted - committed:,} of {noted:,} transactions are lost")
    if is_ours and tables:
        require_own_tables(db)
        require_sound(db, tables)


@contextmanager
def open_journal(home: Path, tables: Iterable[str]) -> Iterator[JournalQuery]:
    """Open the journal in `home`, in its state at one moment, for queries of `tables`, which are
    compared with their checksums once. Raise RunDirError if it is unusable."""
    path = home / JOURNAL_NAME
    if not path.exists():
        yield lambda _: None
        return
    try:
        with read_only_snapshot(home, tables) as db:
            (version,) = db.execute("pragma user_version").fetchone()
            if version:
                check_version(str(path), version)
            yield lambda query: db.execute(query).fetchall() if version else None
    except sqlite3.Error as error:
        raise RunDirError(
            str(path),
            str(error),
            "the journal as this program wrote it",
            "restore the file from a copy, or use another --out",
        ) from error


def journal_rows(
    home: Path, query: str, journal: JournalQuery | None = None
) -> list[tuple[Any, ...]] | None:
    """Return the rows of a query of the journal in `home`, which may be open; None if it is empty
    or missing. Raises RunDirError if it is unusable."""
    if journal is not None:
        return journal(query)
    words = set(_WORD.findall(query))
    with open_journal(home, [one for one in CHECKED if one in words]) as opened:
        return opened(query)
