"""A journal read beside whoever writes it, who is neither disturbed nor waited for.

Knows how SQLite opens a file without leaving anything beside it; does not know what is read.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from mirror_ray.records.journal import JOURNAL_NAME


@contextmanager
def onlooker(home: Path) -> Iterator[sqlite3.Connection]:
    """The journal in `home`, which is there, as it is at one moment.

    Raises:
        sqlite3.Error: it cannot be opened, or (within the block) not be read.
    """
    path = home / JOURNAL_NAME
    # Nobody writes where there is no log beside it; a plain reader would leave one there.
    how = "mode=ro" if path.with_name(f"{JOURNAL_NAME}-wal").exists() else "immutable=1"
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?{how}", uri=True)) as db:
        db.execute("begin")
        yield db
