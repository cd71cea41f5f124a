"""One thing that is done to a sound run directory, each."""

import json
import os
import shutil
import socket
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from mirror_ray.records.manifest import without_digest
from support.journal_rows import rewritten
from support.viewed_run import change_rows

Change = Callable[[Path, Path], None]
"""(run directory, the folder outside) → changed."""

ESCAPES = "\x1b[31mred\x1b]0;title\x07\x00\r\n\u202eback"
MARKUP = "[/red]x[link=file:///etc/passwd]"


def written(name: str, content: bytes) -> Change:
    def change(out: Path, _: Path) -> None:
        (out / name).parent.mkdir(parents=True, exist_ok=True)
        (out / name).write_bytes(content)

    return change


def sparse(name: str) -> Change:
    return lambda out, _: os.truncate(out / name, 2**30)


def changed_bytes(name: str, how: Callable[[bytes], bytes]) -> Change:
    return lambda out, _: (out / name).write_bytes(how((out / name).read_bytes())) and None


def manifest(how: Callable[[dict[str, Any]], dict[str, Any]]) -> Change:
    def change(out: Path, _: Path) -> None:
        path = out / "manifest.json"
        path.write_text(json.dumps(how(without_digest(json.loads(path.read_text())))))

    return change


def sweep(keys: dict[str, Any]) -> Change:
    return manifest(lambda manifest: {**manifest, "sweep": {**manifest["sweep"], **keys}})


def stage(keys: dict[str, Any]) -> Change:
    def how(manifest: dict[str, Any]) -> dict[str, Any]:
        stage = {**manifest["sweep"]["stages"][0], **keys}
        stage = {key: value for key, value in stage.items() if value is not None}
        return {**manifest, "sweep": {**manifest["sweep"], "stages": [stage]}}

    return manifest(how)


def pipe_as(keys: dict[str, Any]) -> Change:
    def change(out: Path, outside: Path) -> None:
        os.mkfifo(outside / "pipe")
        told = {name: str(outside / "pipe") if v == "PIPE" else v for name, v in keys.items()}
        stage(told)(out, outside)

    return change


def views_sql(out: Path, outside: Path) -> None:
    (out / "views.sql").write_text(f"copy (select 1) to '{outside}/made';\n.shell touch x\n")


def moved_out(name: str) -> Change:
    def change(out: Path, outside: Path) -> None:
        target = outside / Path(name).name
        if not (out / name).exists():
            (out / name).touch()
        shutil.move(out / name, target)
        (out / name).symlink_to(target)

    return change


def link(name: str, target: str | None = None) -> Change:
    """A link to a file of the reader's own, or to a folder where a folder of ours would be."""

    def change(out: Path, outside: Path) -> None:
        is_file = "." in Path(name).name
        (out / name).symlink_to(target or (outside / "canary" if is_file else outside))

    return change


def circle(out: Path, _: Path) -> None:
    (out / "episodes" / "one").symlink_to("two")
    (out / "episodes" / "two").symlink_to("one")


def removed(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    path.unlink(missing_ok=True)


def pipe(name: str) -> Change:
    def change(out: Path, _: Path) -> None:
        removed(out / name)
        os.mkfifo(out / name)

    return change


def folder(name: str) -> Change:
    def change(out: Path, _: Path) -> None:
        removed(out / name)
        (out / name / "selfid.parquet").mkdir(parents=True)

    return change


def socket_as_a_shard(out: Path, _: Path) -> None:
    before = Path.cwd()
    with socket.socket(socket.AF_UNIX) as made:
        # A socket's path may have 100 characters.
        os.chdir(out / "episodes" / "family=selfid")
        try:
            made.bind("s.parquet")
        finally:
            os.chdir(before)


def copied(name: str, copy: str) -> Change:
    def change(out: Path, outside: Path) -> None:
        path = out / copy.replace("TARGET", str(outside))
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(out / name, path)

    return change


def shards(out: Path, kind: str) -> list[Path]:
    return sorted((out / kind).rglob("*.parquet"))


def as_table(name: str, columns: dict[str, list[Any]]) -> Change:
    def change(out: Path, _: Path) -> None:
        (out / name).parent.mkdir(parents=True, exist_ok=True)
        pq.write_table(pa.table(columns), out / name)

    return change


def retabled(kind: str, how: Callable[[pa.Table, Path], pa.Table]) -> Change:
    def change(out: Path, outside: Path) -> None:
        for path in shards(out, kind):
            table = pq.read_table(path, partitioning=None)
            pq.write_table(how(table, outside), path)

    return change


def repeated(values: pa.Array, n: int) -> pa.Array:
    return pa.concat_arrays([values] * n).slice(0, n)


def retyped(kind: str, name: str, values: pa.Array) -> Change:
    def how(table: pa.Table, _: Path) -> pa.Table:
        place = table.column_names.index(name)
        return table.set_column(place, name, repeated(values, table.num_rows))

    return retabled(kind, how)


def without_column(kind: str, name: str) -> Change:
    return retabled(kind, lambda table, _: table.drop_columns([name]))


def with_column(kind: str, name: str, values: pa.Array) -> Change:
    def how(table: pa.Table, outside: Path) -> pa.Table:
        whole = name.replace("TARGET", str(outside))
        return table.append_column(whole, repeated(values, table.num_rows))

    return retabled(kind, how)


def nested(depth: int) -> pa.Array:
    kind: pa.DataType = pa.int64()
    value: Any = 1
    for _ in range(depth):
        kind, value = pa.struct([("x", kind)]), {"x": value}
    return pa.array([value], kind)


def many_rows(out: Path, _: Path) -> None:
    """A million equal rows in some kilobytes."""
    for path in shards(out, "episodes"):
        table = pq.read_table(path, partitioning=None)
        columns = [pa.repeat(table[name][0], 1_000_000) for name in table.column_names]
        pq.write_table(pa.table(columns, table.schema), path, compression="zstd")


def revalued(kind: str | None, name: str, value: Any) -> Change:
    def change(out: Path, outside: Path) -> None:
        told = value.replace("TARGET", str(outside)) if isinstance(value, str) else value
        for one in [kind] if kind else ["episodes", "steps"]:
            change_rows(out / one, lambda row: {**row, name: told})

    return change


def in_journal(sql: str) -> Change:
    def change(out: Path, _: Path) -> None:
        path = out / "journal.sqlite"
        with closing(sqlite3.connect(path, isolation_level=None)) as db:
            db.executescript(sql)
        # As far as it still can be one: what it says is to be read, not only its checksums.
        with suppress(sqlite3.Error), rewritten(path):
            pass

    return change
