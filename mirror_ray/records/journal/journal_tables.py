"""The journal's tables, and a check that a file has exactly these: a bit may flip in a
definition.
"""

import sqlite3
from contextlib import closing
from functools import cache

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
    """Refuse a journal whose tables are not exactly those of this release.

    Raises:
        sqlite3.DatabaseError: names one that differs.
    """
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
