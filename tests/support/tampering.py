"""Changes of one byte or one row in a sealed run directory, each by its number."""

import json
import random
import shutil
import sqlite3
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from mirror_ray.attestation.contents import covered_files
from mirror_ray.records.checked_parquet import parquet_of
from mirror_ray.records.journal.database import JOURNAL_NAME
from mirror_ray.records.manifest import with_digest, without_digest
from support.journal_rows import rewritten


def flip_byte(path: Path, rng: random.Random) -> str:
    content = bytearray(path.read_bytes())
    at = rng.randrange(len(content))
    content[at] ^= rng.randrange(1, 256)
    path.write_bytes(content)
    return f"byte {at}"


def change_table(path: Path, rng: random.Random) -> str:
    """Drop, repeat or change a row, with valid checksums; flip a byte of a file without rows."""
    table = pq.read_table(path)
    if not table.num_rows:
        return flip_byte(path, rng)
    way, at = rng.choice(("drop", "repeat", "change")), rng.randrange(table.num_rows)
    if way == "drop":
        table = pa.concat_tables([table.slice(0, at), table.slice(at + 1)])
    elif way == "repeat":
        table = pa.concat_tables([table, table.slice(at, 1)])
    elif way == "change":
        name = rng.choice(table.column_names)
        rows = table.to_pylist()
        rows[at][name] = _other(rows[at][name], table.schema.field(name).type)
        table = pa.Table.from_pylist(rows, table.schema)
    with pa.OSFile(str(path), "wb") as stream:
        parquet_of(table)(stream)
    return f"{way} row {at}"


def change_journal(path: Path, rng: random.Random) -> str:
    """Drop, add or change a row of the journal; each row has a valid checksum again."""
    with rewritten(path) as db:
        tables = ("reply", "ledger", "claimed", "highest_cost")
        table = rng.choice([one for one in tables if _count(db, one)])
        columns = [
            name for (name,) in db.execute("select name from pragma_table_info(?)", (table,))
        ]
        row = list(rng.choice(db.execute(f"select * from {table}").fetchall()))  # noqa: S608
        where = " and ".join(f"{name} is ?" for name in columns)
        way = rng.choice(("drop", "add", "change"))
        if way != "add":
            db.execute(f"delete from {table} where {where}", row)  # noqa: S608
        if way != "drop":
            at = 0 if way == "add" else rng.randrange(len(columns) - 1)
            row[at] = f"{row[at]}1" if isinstance(row[at], str) else (row[at] or 0) + 1
            marks = ", ".join("?" * len(row))
            db.execute(f"insert or replace into {table} values ({marks})", row)  # noqa: S608
    return f"{way} a row of {table}"


def change_manifest(path: Path, rng: random.Random) -> str:
    """Change one value of the manifest, whose digest is made anew."""
    manifest = without_digest(json.loads(path.read_text()))
    places = list(_values(manifest))
    holder, key = rng.choice(places)
    value = holder[key]
    holder[key] = not value if isinstance(value, bool) else f"{value}1" if isinstance(
        value, str) else (value or 0) + 1  # fmt: skip
    path.write_text(json.dumps(with_digest(manifest), indent=2) + "\n")
    return f"manifest {key}"


def tamper(directory: Path, number: int) -> str:
    """Make one change, which the number decides; returns it in words."""
    rng = random.Random(number)
    groups: dict[str, list[str]] = {}
    for name in (*covered_files(directory), JOURNAL_NAME):
        groups.setdefault(name.partition("/")[0], []).append(name)
    name = rng.choice(groups[sorted(groups)[number % len(groups)]])
    path = directory / name
    by_rows: Mapping[str, Callable[[Path, random.Random], str]] = {
        ".parquet": change_table,
        ".sqlite": change_journal,
        ".json": change_manifest,
    }
    way = by_rows.get(path.suffix) if rng.random() < 0.5 else flip_byte
    return f"{name}: {(way or flip_byte)(path, rng)}"


class Restored:
    """A copy of a run that is put back after each change."""

    def __init__(self, original: Path, copy: Path) -> None:
        shutil.copytree(original, copy)
        self.original, self.copy = original, copy

    def put_back(self) -> None:
        for name in (*covered_files(self.original), JOURNAL_NAME):
            here, there = self.copy / name, self.original / name
            if not here.exists() or here.read_bytes() != there.read_bytes():
                shutil.copyfile(there, here)


def _other(value: Any, kind: pa.DataType) -> Any:
    if pa.types.is_boolean(kind):
        return not value
    if pa.types.is_integer(kind) or pa.types.is_floating(kind):
        return (value or 0) + 1
    if pa.types.is_string(kind):
        return f"{value or ''}x"
    return None if value else []


def _count(db: sqlite3.Connection, table: str) -> int:
    return int(db.execute(f"select count(*) from {table}").fetchone()[0])  # noqa: S608


def _values(value: Any) -> Any:
    pairs = value.items() if isinstance(value, dict) else enumerate(value)
    for key, one in pairs:
        if isinstance(one, dict | list):
            yield from _values(one)
        else:
            yield value, key
