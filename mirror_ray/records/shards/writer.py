"""Parquet shards: finished episodes in batches, steps first, the episodes' file as commit marker::

steps/family=F/part-000001-5f0c9a3e.parquet       one row per request
episodes/family=F/part-000001-5f0c9a3e.parquet    one row per episode; with it, the batch counts

The second number identifies the writer: shards of two run directories can lie in one folder."""

from pathlib import PurePosixPath
from secrets import token_hex

import pyarrow as pa

from mirror_ray.records.checked_parquet import parquet_of
from mirror_ray.records.shard_files import (
    EPISODES_FOLDER,
    STEPS_FOLDER,
    SUFFIX,
    part_numbers,
    remove_replaced,
)
from mirror_ray.records.storage import (
    TEMPORARY_SUFFIX,
    files_below,
    make_folder,
    names_in,
    storage_of,
    write_whole,
)


class ShardWriter:
    """The shards of one run directory; there is one writer at a time."""

    def __init__(self, out: str) -> None:
        self._fs, self._root = storage_of(out)
        self._mark = token_hex(4)
        self._last_part: dict[str, int] = {}

    def remove_leftovers(self) -> None:
        """Delete what a crash left: temporary files, steps without a marker (their episodes are in
        the journal or in shards to be merged), and shards that a merged one replaces. Raise OSError
        if the storage cannot be used, RunDirError if a merged shard is damaged."""
        for kind in (STEPS_FOLDER, EPISODES_FOLDER):
            for path in list(files_below(self._fs, f"{self._root}/{kind}", TEMPORARY_SUFFIX)):
                self._fs.delete_file(path)
        for path in sorted(self._parts(STEPS_FOLDER) - self._parts(EPISODES_FOLDER)):
            self._fs.delete_file(f"{self._root}/{STEPS_FOLDER}/{path}")
        # Last, because a merged shard without its marker has replaced nothing.
        remove_replaced(self._fs, self._root)

    def write(self, family: str, steps: pa.Table, episodes: pa.Table) -> None:
        """Write one batch of a family durably. Raise FileExistsError if another writer has written
        the next batch meanwhile, OSError if a file could not be written."""
        part = self._last_part_of(family) + 1
        markers = f"{EPISODES_FOLDER}/family={family}"
        for name in names_in(self._fs, f"{self._root}/{markers}"):
            if part_numbers(name)[1] == part:
                found = f"{markers}/{name}"
                raise FileExistsError(f"{found} is there already: somebody else writes here too")
        for kind, batch in ((STEPS_FOLDER, steps), (EPISODES_FOLDER, episodes)):
            folder = make_folder(self._fs, self._root, kind, f"family={family}")
            path = f"{folder}/part-{part:06d}-{self._mark}.parquet"
            write_whole(self._fs, path, parquet_of(batch))
        # Counted once complete: the next attempt replaces steps without a marker.
        self._last_part[family] = part

    def _last_part_of(self, family: str) -> int:
        if family not in self._last_part:
            taken = self._parts(STEPS_FOLDER) | self._parts(EPISODES_FOLDER)
            self._last_part[family] = max(
                (
                    part_numbers(PurePosixPath(path).name)[1]
                    for path in taken
                    if path.startswith(f"family={family}/")
                ),
                default=0,
            )
        return self._last_part[family]

    def _parts(self, kind: str) -> set[str]:
        folder = f"{self._root}/{kind}"
        return {path.removeprefix(f"{folder}/") for path in files_below(self._fs, folder, SUFFIX)}
