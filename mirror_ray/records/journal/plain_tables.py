"""Checks that a SQLite file, which may come from outside, contains only plain tables."""

import sqlite3


def require_plain(db: sqlite3.Connection) -> None:
    """Refuse a database in which reading or writing a row executes code: views, triggers, virtual
    tables and computed columns.

    Raises:
        sqlite3.DatabaseError: names the first.
    """
    db.execute("pragma trusted_schema = off")
    rows = db.execute("select type, name, coalesce(sql, '') from sqlite_schema").fetchall()
    for kind, name, sql in rows:
        words = str(sql).lower().split()
        if kind not in ("table", "index") or "virtual" in words[:2]:
            raise sqlite3.DatabaseError(f"a {kind} {name!r}, which no journal has")
    computed = "select m.name, t.name from sqlite_schema as m, pragma_table_xinfo(m.name) as t "
    for table, column in db.execute(f"{computed} where m.type = 'table' and t.hidden > 0"):
        raise sqlite3.DatabaseError(f"a computed column {table}.{column}, which no journal has")
