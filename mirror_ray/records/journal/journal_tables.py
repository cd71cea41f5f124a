"""The journal's tables, and checks of a file, which may be damaged or come from outside: it has
exactly these tables, and no row was altered.

SQLite keeps checksums in its log, but none in the file itself. The last column of a table in
`CHECKED` is a checksum of the other columns, computed by the statement that writes the row."""

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from functools import cache
from typing import Any

from isal import isal_zlib

from mirror_ray.core.errors import RunDirError
from mirror_ray.records.journal.charges import TABLES as CHARGE_TABLES
from mirror_ray.records.journal.commit_count import TABLE as COUNT_TABLE

JOURNAL_VERSION = 8

TABLES = f"""
create table reply (
    episode_id text not null,
    ask_index integer not null,
    prompt_sha text not null,
    frame_sha text,
    facts text not null,
    reply text not null,
    final integer not null,
    crc integer not null,
    primary key (episode_id, ask_index)
);
create table form (
    form_id integer primary key,
    family text not null,
    steps blob not null,
    episode blob not null,
    crc integer not null,
    unique (family, steps, episode)
);
create table finished (
    form_id integer not null,
    episode_id text not null,
    take integer not null,
    error_kind text not null,
    rows blob not null,
    crc integer not null,
    primary key (episode_id, take)
);
create table claimed (
    key text not null,
    day integer not null,
    calls integer not null,
    crc integer not null,
    primary key (key, day)
);
{CHARGE_TABLES}
{COUNT_TABLE}
"""


def check_version(path: str, version: int) -> None:
    """Raise RunDirError if this release cannot read a journal of `version`."""
    if version != JOURNAL_VERSION:
        raise RunDirError(
            str(path),
            f"a journal of version {version}",
            f"version {JOURNAL_VERSION}",
            "finish the run with the release that began it, or use another --out",
        )


def require_own_tables(db: sqlite3.Connection) -> None:
    """Refuse a journal whose tables are not exactly those of this version. The
    sqlite3.DatabaseError names one that differs."""
    differ = {name for name, _ in _own_tables() ^ _tables_in(db)}
    if differ:
        raise sqlite3.DatabaseError(f"the table {min(differ)} is not as it was made")


@cache
def _own_tables() -> frozenset[tuple[str, str]]:
    with closing(sqlite3.connect(":memory:")) as db:
        db.executescript(TABLES)
        return _tables_in(db)


def _tables_in(db: sqlite3.Connection) -> frozenset[tuple[str, str]]:
    return frozenset(db.execute("select name, coalesce(sql, '') from sqlite_schema"))


def require_plain(db: sqlite3.Connection) -> None:
    """Refuse a database in which access to a row executes code: views, triggers, virtual tables and
    computed columns. The sqlite3.DatabaseError names the first."""
    db.execute("pragma trusted_schema = off")
    rows = db.execute("select type, name, coalesce(sql, '') from sqlite_schema").fetchall()
    for kind, name, sql in rows:
        words = str(sql).lower().split()
        if kind not in ("table", "index") or "virtual" in words[:2]:
            raise sqlite3.DatabaseError(f"a {kind} {name!r}, which no journal has")
    computed = "select m.name, t.name from sqlite_schema as m, pragma_table_xinfo(m.name) as t "
    for table, column in db.execute(f"{computed} where m.type = 'table' and t.hidden > 0"):
        raise sqlite3.DatabaseError(f"a computed column {table}.{column}, which no journal has")


CHECKED = (
    *("reply", "form", "finished", "claimed"),
    *("ledger", "begun", "highest_cost", "batch", "batch_ask"),
)
"""The tables whose last column is a checksum."""


def teach(db: sqlite3.Connection) -> None:
    """Give a connection the function `row_crc`, which the statements that write rows use."""
    db.create_function("row_crc", -1, _crc, deterministic=True)


def require_sound(db: sqlite3.Connection, tables: Iterable[str]) -> None:
    """Raise sqlite3.DatabaseError for the first damaged structure or altered row of the tables."""
    (found,) = db.execute("pragma integrity_check(1)").fetchone()
    if found != "ok":
        raise sqlite3.DatabaseError(str(found))
    for table in tables:
        for rowid, key in _altered(db, table):
            raise sqlite3.DatabaseError(f"row {rowid or key} of the table {table} was altered")


def remove_altered(db: sqlite3.Connection) -> list[str]:
    """Remove altered ends, and altered replies with those after them, which the run can replace.
    Return what was removed, as readable text."""
    removed = []
    for table, what in (("reply", "a reply to episode"), ("finished", "the end of episode")):
        for rowid, key in list(_altered(db, table)):
            db.execute(f"delete from {table} where rowid = ?", (rowid,))  # noqa: S608
            removed.append(f"{what} {key}")
    if removed:
        # An episode resumes after its last reply without a gap.
        db.execute(
            "delete from reply where ask_index <> (select count(*) from reply as before where "
            "before.episode_id = reply.episode_id and before.ask_index <= reply.ask_index)"
        )
    return removed


def _altered(db: sqlite3.Connection, table: str) -> Iterator[tuple[int, str]]:
    """Yield the row number (0 if it has none) and the id of each altered row."""
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
    text_factory = db.text_factory
    db.text_factory = lambda stored: stored.decode(errors="backslashreplace")
    try:
        query = f"select {0 if is_keyed else 'rowid'}, {others}, crc from {table}"  # noqa: S608
        for number, *row, stated in db.execute(query):
            if stated != _crc(*row):
                ids = [ascii(one[:40])[1:-1] for one in row if isinstance(one, str)]
                yield number, ids[0] if ids else ""
    finally:
        db.text_factory = text_factory


def _crc(*row: Any) -> int:
    return int(isal_zlib.crc32(ascii(row).encode()))
