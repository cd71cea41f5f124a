"""Parquet shards: finished episodes in batches, steps first, the episodes' file as commit marker.

Knows the folders and the order in which files appear; does not know the journal. Layout::

    steps/family=F/part-000001.parquet       one row per ask
    episodes/family=F/part-000001.parquet    one row per episode; with it, the batch counts
"""

from functools import partial
from pathlib import PurePosixPath

import pyarrow as pa
from pyarrow import fs as pafs

from mirror_ray.records.storage import (
    TEMPORARY_SUFFIX,
    files_below,
    make_folder,
    storage_of,
    write_whole,
)

STEPS_FOLDER, EPISODES_FOLDER = "steps", "episodes"


class Shards:
    """The shards of one run directory; there is one writer at a time."""

    def __init__(self, out: str) -> None:
        self._fs, self._root = storage_of(out)
        self._last_part: dict[str, int] = {}

    def remove_leftovers(self) -> None:
        """Delete what a crash left: temporary files, and steps whose marker never came.

        The journal still holds those episodes: it lets them go after the marker only.
        """
        for kind in (STEPS_FOLDER, EPISODES_FOLDER):
            for path in list(files_below(self._fs, f"{self._root}/{kind}", TEMPORARY_SUFFIX)):
                self._fs.delete_file(path)
        for path in sorted(self._parts(STEPS_FOLDER) - self._parts(EPISODES_FOLDER)):
            self._fs.delete_file(f"{self._root}/{STEPS_FOLDER}/{path}")

    def write(self, family: str, steps: pa.Table, episodes: pa.Table) -> None:
        """Write one batch of a family; it is durable and counts when this returns.

        Raises:
            FileExistsError: somebody else has written the next batch meanwhile.
            OSError: a file could not be written.
        """
        # Imported late: it costs 20 MB, in every process that can name the Recorder.
        import pyarrow.parquet as pq  # noqa: PLC0415

        part = self._last_part_of(family) + 1
        marker = f"{EPISODES_FOLDER}/family={family}/part-{part:06d}.parquet"
        if self._fs.get_file_info(f"{self._root}/{marker}").type != pafs.FileType.NotFound:
            raise FileExistsError(f"{marker} is there already: somebody else writes here too")
        for kind, batch in ((STEPS_FOLDER, steps), (EPISODES_FOLDER, episodes)):
            folder = make_folder(self._fs, self._root, kind, f"family={family}")
            path = f"{folder}/part-{part:06d}.parquet"
            write_whole(self._fs, path, partial(pq.write_table, batch, compression="zstd"))
        # Counted when it is whole: the next try replaces steps whose marker never came.
        self._last_part[family] = part

    def _last_part_of(self, family: str) -> int:
        if family not in self._last_part:
            taken = self._parts(STEPS_FOLDER) | self._parts(EPISODES_FOLDER)
            self._last_part[family] = max(
                (
                    int(PurePosixPath(path).stem.removeprefix("part-"))
                    for path in taken
                    if path.startswith(f"family={family}/part-")
                ),
                default=0,
            )
        return self._last_part[family]

    def _parts(self, kind: str) -> set[str]:
        folder = f"{self._root}/{kind}"
        return {
            path.removeprefix(f"{folder}/") for path in files_below(self._fs, folder, ".parquet")
        }
