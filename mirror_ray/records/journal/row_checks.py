"""Checksums of the journal's rows: a flipped bit is an error, not another value.

SQLite keeps checksums in its log, and none in the file itself. The last column of each table is a
checksum of the other columns, computed by the statement that writes the row.
"""

import sqlite3
from collections.abc import Iterable, Iterator
from typing import Any

from isal import isal_zlib

CHECKED = (
    *("reply", "form", "finished", "claimed"),
    *("ledger", "begun", "highest_cost", "batch", "batch_ask"),
)
"""The tables whose last column is a checksum."""


def teach(db: sqlite3.Connection) -> None:
    """Give a connection the function `row_crc`, for the statements that write rows."""
    db.create_function("row_crc", -1, _crc, deterministic=True)


def require_sound(db: sqlite3.Connection, tables: Iterable[str]) -> None:
    """Refuse tables with a damaged structure or an altered row.

    Raises:
        sqlite3.DatabaseError: names the first fault.
    """
    (found,) = db.execute("pragma integrity_check(1)").fetchone()
    if found != "ok":
        raise sqlite3.DatabaseError(str(found))
    for table in tables:
        for rowid, key in _altered(db, table):
            raise sqlite3.DatabaseError(f"row {rowid or key} of the table {table} was altered")


def remove_altered(db: sqlite3.Connection) -> list[str]:
    """Remove altered ends, and altered replies with those after them, which the run can replace.

    Returns:
        What was removed, for a person.
    """
    removed = []
    for table, what in (("reply", "a reply to episode"), ("finished", "the end of episode")):
        for rowid, key in list(_altered(db, table)):
            db.execute(f"delete from {table} where rowid = ?", (rowid,))  # noqa: S608
            removed.append(f"{what} {key}")
    if removed:
        # An episode continues from its last reply in sequence.
        db.execute(
            "delete from reply where ask_index <> (select count(*) from reply as before where "
            "before.episode_id = reply.episode_id and before.ask_index <= reply.ask_index)"
        )
    return removed


def _altered(db: sqlite3.Connection, table: str) -> Iterator[tuple[int, str]]:
    """Return the row number (0 if it has none) and the id of each altered row."""
    teach(db)
    names = [name for (name,) in db.execute("select name from pragma_table_info(?)", (table,))]
    others = ", ".join(names[:-1])
    try:
        wrong = f"select 1 from {table} where crc is not row_crc({others}) limit 1"  # noqa: S608
        if db.execute(wrong).fetchone() is None:
            return
    except sqlite3.OperationalError:
        pass  # a text that is not UTF-8
    (is_keyed,) = db.execute("select wr from pragma_table_list(?)", (table,)).fetchone()
    text_factory, db.text_factory = db.text_factory, _text
    try:
        query = f"select {0 if is_keyed else 'rowid'}, {others}, crc from {table}"  # noqa: S608
        for number, *row, stated in db.execute(query):
            if stated != _crc(*row):
                ids = [ascii(one[:40])[1:-1] for one in row if isinstance(one, str)]
                yield number, ids[0] if ids else ""
    finally:
        db.text_factory = text_factory


def _text(stored: bytes) -> str:
    return stored.decode(errors="backslashreplace")


def _crc(*row: Any) -> int:
    return int(isal_zlib.crc32(ascii(row).encode()))
