"""Checksums of the journal's rows: a bit that flips on a disk is an error, not another value.

SQLite keeps checksums in its log, and none in the file itself. The last column of each table here
is a checksum of the row's others, which the statement that writes the row works out.
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
    """Refuse tables whose structure is damaged, or in which a row is not what was written.

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
    """Remove what the run can do without: altered replies, with those after them, and ends.

    Returns:
        What was removed, in words.
    """
    removed = []
    for table, what in (("reply", "a reply to episode"), ("finished", "the end of episode")):
        for rowid, key in list(_altered(db, table)):
            db.execute(f"delete from {table} where rowid = ?", (rowid,))  # noqa: S608
            removed.append(f"{what} {key}")
    if removed:
        # An episode asks on from its last reply in sequence.
        db.execute(
            "delete from reply where ask_index <> (select count(*) from reply as before where "
            "before.episode_id = reply.episode_id and before.ask_index <= reply.ask_index)"
        )
    return removed


def _altered(db: sqlite3.Connection, table: str) -> Iterator[tuple[int, str]]:
    """Row's number (0 where it has none) and id of each altered row."""
    kind = db.execute("select wr from pragma_table_list(?)", (table,)).fetchone()
    rowid = "0" if kind and kind[0] else "rowid"
    text_factory = db.text_factory
    # Damaged text need not be UTF-8. What is bytes was written as such.
    db.text_factory = bytearray
    try:
        for number, *row, stated in db.execute(f"select {rowid}, * from {table}"):  # noqa: S608
            if stated != _crc(*row):
                ids = [bytes(one[:40]) for one in row if isinstance(one, bytearray)]
                yield number, repr(ids[0])[2:-1] if ids else ""
    finally:
        db.text_factory = text_factory


def _crc(*row: Any) -> int:
    return int(isal_zlib.crc32(b"\x1f".join(map(_bytes, row))))


def _bytes(value: Any) -> bytes:
    """The value and its type, which a flipped bit may change, too."""
    if isinstance(value, str):
        return b"t" + value.encode("utf-8", "surrogatepass")
    if isinstance(value, bytearray):
        return b"t" + value
    if isinstance(value, bytes):
        return b"b" + value
    # A column may keep a whole number as a real one.
    return b"" if value is None else b"%r" % (float(value) + 0.0)
