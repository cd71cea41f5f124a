"""Merges a run's many small shards into few large ones. A kill at any moment neither loses nor
repeats a row: see `shard_files`.

A merged shard contains whole batches in order, as row groups that are the same for its steps and
episodes. So a reader of one episode, or of all, has few groups in memory."""

import re
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import PurePosixPath
from secrets import token_hex

import pyarrow as pa
from pyarrow import fs as pafs

from mirror_ray.records.checked_parquet import ParquetBuffer, refuse_altered
from mirror_ray.records.shard_files import (
    EPISODES_FOLDER,
    REPLACED_KEY,
    STEPS_FOLDER,
    SUFFIX,
    part_numbers,
    shard_files,
)
from mirror_ray.records.shards.row_groups import ShardGroups
from mirror_ray.records.storage import names_in, storage_of, write_whole

SEALED_MARK = ".sealed"
"""An empty file in the directory of a run whose seal may be elsewhere."""

_SEAL = re.compile(r"seal(-[0-9]{1,9})?\.json|\.sealed")
_KINDS = (STEPS_FOLDER, EPISODES_FOLDER)
# An analysis reads 2 million steps at a time, in whole files; a merge has a file in memory.
MOST_STEPS, MOST_BYTES = 1_000_000, 128 * 2**20
_GROUP_STEPS, _GROUP_BYTES = 120_000, 64 * 2**20


@dataclass(frozen=True, slots=True)
class ShardCount:
    """The number of batches, each with a file of steps and one of episodes, before and after
    merging."""

    before: int
    after: int


@dataclass(slots=True)
class _Merged:
    """Shards that are being merged into one."""

    schemas: tuple[pa.Schema, ...]
    files: tuple[ParquetBuffer, ...]
    names: list[str] = field(default_factory=list)
    n_steps: int = 0
    rows: tuple[list[pa.Table], ...] = field(default_factory=lambda: ([], []))

    @property
    def is_full(self) -> bool:
        """Return whether another shard would make it too large."""
        size_bytes = sum(file.size_bytes for file in self.files)
        return self.n_steps >= MOST_STEPS or size_bytes >= MOST_BYTES

    def add(self, tables: Sequence[pa.Table]) -> None:
        """Append steps and episodes of a shard."""
        self.n_steps += tables[0].num_rows
        for waiting, table in zip(self.rows, tables, strict=True):
            waiting.append(table)
        n_bytes = sum(table.nbytes for some in self.rows for table in some)
        if sum(map(len, self.rows[0])) >= _GROUP_STEPS or n_bytes >= _GROUP_BYTES:
            self.end_group()

    def end_group(self) -> None:
        """Write the waiting rows, if there are any, as a row group."""
        for file, waiting in zip(self.files, self.rows, strict=True):
            if waiting:
                file.add(pa.concat_tables(waiting))
                waiting.clear()


def seal_of(out: str) -> str | None:
    """Return the name of a seal of run directory `out`, whose shards must then not change; None
    without one. Raise OSError if the storage cannot be read."""
    fs, root = storage_of(out)
    return next((name for name in names_in(fs, root) if _SEAL.fullmatch(name)), None)


def merge_shards(out: str, *, least: int = 2) -> ShardCount:
    """Merge a family's small shards in run directory `out` if there are `least`. No other process
    may be writing. After an OSError, finished merges remain. Raise RunDirError if a shard is
    damaged."""
    fs, root = storage_of(out)
    files = {
        kind: [path.removeprefix(f"{root}/{kind}/") for path in shard_files(fs, f"{root}/{kind}")]
        for kind in _KINDS
    }
    marked = map(PurePosixPath, set(files[STEPS_FOLDER]) & set(files[EPISODES_FOLDER]))
    in_order = sorted(marked, key=lambda path: (path.parent, part_numbers(path.name), path))
    for folder, paths in groupby(in_order, key=lambda path: str(path.parent)):
        small = _small(fs, root, [str(path) for path in paths])
        if sum(map(len, small)) >= least:
            for names in small:
                _merge(fs, root, folder, names)
    after = len(shard_files(fs, f"{root}/{EPISODES_FOLDER}"))
    return ShardCount(len(files[EPISODES_FOLDER]), after)


def _small(fs: pafs.FileSystem, root: str, paths: Sequence[str]) -> list[list[str]]:
    found: list[list[str]] = [[]]
    for path in paths:
        name = PurePosixPath(path).name
        first, last = part_numbers(name)
        # Other programs' files are not changed.
        if last and (first == last or not _is_large(fs, root, path)):
            found[-1].append(name)
        elif found[-1]:
            found.append([])
    return [names for names in found if len(names) > 1]


def _is_large(fs: pafs.FileSystem, root: str, path: str) -> bool:
    import pyarrow.parquet as pq  # noqa: PLC0415 - late, as below

    places = [f"{root}/{kind}/{path}" for kind in _KINDS]
    size_bytes = sum(info.size for info in fs.get_file_info(places))
    n_steps = pq.read_metadata(places[0], filesystem=fs).num_rows
    return bool(size_bytes >= MOST_BYTES // 2 or n_steps >= MOST_STEPS // 2)


def _merge(fs: pafs.FileSystem, root: str, folder: str, names: Sequence[str]) -> None:
    merged: _Merged | None = None
    for name in names:
        with ExitStack() as opened:
            steps, episodes = (f"{root}/{kind}/{folder}/{name}" for kind in _KINDS)
            shards = [
                first := ShardGroups(opened, fs, steps),
                ShardGroups(opened, fs, episodes, first),
            ]
            # A merged shard has separate metadata.
            schemas = tuple(shard.schema.remove_metadata() for shard in shards)
            if merged is not None and (merged.is_full or merged.schemas != schemas):
                _publish(fs, root, folder, merged)
                merged = None
            if merged is None:
                merged = _Merged(schemas, tuple(map(ParquetBuffer, schemas)))
            merged.names.append(name)
            for group in first.batches:
                merged.add([shard.read(group).replace_schema_metadata(None) for shard in shards])
    if merged is not None:
        _publish(fs, root, folder, merged)


def _publish(fs: pafs.FileSystem, root: str, folder: str, merged: _Merged) -> None:
    """Write the merged shard, steps first, then remove those it replaces, episodes first: a shard
    of steps counts only as long as it has one of episodes."""
    if len(merged.names) < 2:
        return
    merged.end_group()
    first, last = part_numbers(merged.names[0])[0], part_numbers(merged.names[-1])[1]
    name = f"part-{first:06d}-to-{last:06d}-{token_hex(4)}{SUFFIX}"
    replaced = {REPLACED_KEY: "\n".join(merged.names)}
    for kind, file in zip(_KINDS, merged.files, strict=True):
        write_whole(fs, f"{root}/{kind}/{folder}/{name}", file.finished(replaced))
    refuse_altered(fs, [f"{root}/{kind}/{folder}/{name}" for kind in _KINDS])
    for kind in reversed(_KINDS):
        for each in merged.names:
            fs.delete_file(f"{root}/{kind}/{folder}/{each}")
