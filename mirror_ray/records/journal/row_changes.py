"""Notes which rows of a journal have changed, in the same transaction, and applies the changes to
another journal.

Temporary triggers belong to a connection: no file contains them."""

import sqlite3
from collections.abc import Iterable
from operator import itemgetter
from typing import TypeAlias

from mirror_ray.records.journal.charges import IMPORT_MARKER
from mirror_ray.records.journal.journal_tables import CHECKED

JournalRow: TypeAlias = tuple[str | int | float | bytes | None, ...]
"""A table's name and a row's columns; or the name after a ``-``, and a deleted row's key."""

_TABLES = (*CHECKED, IMPORT_MARKER)
DELETED = "-"


class RowChanges:
    """The rows of one journal's database."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        self._columns: dict[str, list[str]] = {}
        self._keys: dict[str, list[str]] = {}
        for table in _TABLES:
            rows = db.execute("select name, pk from pragma_table_info(?)", (table,)).fetchall()
            self._columns[table] = [name for name, _ in rows]
            self._keys[table] = [name for name, place in sorted(rows, key=itemgetter(1)) if place]

    def capture(self) -> None:
        """Note each change from now on."""
        self._db.execute("pragma temp_store = memory")
        width = max(map(len, self._columns.values()))
        cells = [f"c{i}" for i in range(width)]
        self._db.execute(
            f"create temp table changed (place integer primary key, what, {', '.join(cells)})"
        )
        for table in _TABLES:
            for event, row, mark, names in (
                ("insert", "new", "", self._columns[table]),
                ("update", "new", "", self._columns[table]),
                ("delete", "old", DELETED, self._keys[table]),
            ):
                into = ", ".join(("what", *cells[: len(names)]))
                values = ", ".join((f"'{mark}{table}'", *(f"{row}.{name}" for name in names)))
                self._db.execute(
                    f"create temp trigger {event}_{table} after {event} on main.{table} "  # noqa: S608
                    f"begin insert into changed ({into}) values ({values}); end"
                )

    def noted(self) -> tuple[list[JournalRow], int]:
        """Return the committed changes in order, and the place of the last one."""
        found = self._db.execute("select * from changed order by place").fetchall()
        rows: list[JournalRow] = []
        for _, what, *cells in found:
            table = what.removeprefix(DELETED)
            names = self._keys[table] if what != table else self._columns[table]
            rows.append((what, *cells[: len(names)]))
        return rows, found[-1][0] if found else 0

    def forget(self, place: int) -> None:
        """Forget the changes up to a place."""
        self._db.execute("delete from changed where place <= ?", (place,))

    def all_rows(self) -> list[JournalRow]:
        """Return all rows of all tables."""
        return [
            (table, *row)
            for table in _TABLES
            for row in self._db.execute(f"select * from {table}")  # noqa: S608 - our own names
        ]

    def clear(self) -> None:
        """Delete all rows."""
        for table in _TABLES:
            self._db.execute(f"delete from {table}")  # noqa: S608 - our own names

    def apply(self, rows: Iterable[JournalRow]) -> None:
        """Make these changes.

        Raises:
            ValueError: a row fits no table.
            sqlite3.Error: as SQLite does for a value that fits no column.
        """
        for what, *cells in rows:
            table = str(what).removeprefix(DELETED)
            is_deleted = what != table
            names = (self._keys if is_deleted else self._columns).get(table)
            if names is None or len(names) != len(cells):
                raise ValueError(f"a row of {str(what)[:40]!r} with {len(cells)} columns")
            if is_deleted:
                which = " and ".join(f"{name} = ?" for name in names)
                self._db.execute(f"delete from {table} where {which}", cells)  # noqa: S608
            else:
                marks = ", ".join("?" * len(names))
                self._db.execute(f"insert or replace into {table} values ({marks})", cells)  # noqa: S608
