"""A journal's rows as another program might write them: each with its own checksum."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from mirror_ray.records.journal.journal_tables import CHECKED, teach


@contextmanager
def rewritten(path: Path) -> Iterator[sqlite3.Connection]:
    """The journal at `path`, to be changed; every row then has its own checksum."""
    with closing(sqlite3.connect(path)) as db, db:
        teach(db)
        yield db
        for table in CHECKED:
            columns = [
                name for (name,) in db.execute("select name from pragma_table_info(?)", (table,))
            ]
            db.execute(f"update {table} set crc = row_crc({', '.join(columns[:-1])})")  # noqa: S608
