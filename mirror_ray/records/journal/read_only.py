"""Reads a journal that another process may be writing, and neither disturbs it nor waits for it."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from mirror_ray.records.journal.database import JOURNAL_NAME
from mirror_ray.records.journal.plain_tables import require_plain


@contextmanager
def read_only_snapshot(home: Path) -> Iterator[sqlite3.Connection]:
    """The existing journal in `home`, in its state at one moment.

    Raises:
        sqlite3.Error: it cannot be opened, holds what no journal does, or (within the block)
            cannot be read.
    """
    path = home / JOURNAL_NAME
    # No process writes where there is no log next to it; a plain reader would leave one there.
    how = "mode=ro" if path.with_name(f"{JOURNAL_NAME}-wal").exists() else "immutable=1"
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?{how}", uri=True)) as db:
        db.execute("pragma query_only = on")
        db.execute("begin")
        require_plain(db)
        yield db
