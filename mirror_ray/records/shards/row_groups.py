"""Reads a shard by its row groups, because a merged shard may be too large to be read at once."""

from collections.abc import Iterable
from contextlib import ExitStack

import pyarrow as pa
from pyarrow import fs as pafs

from mirror_ray.records.checked_parquet import refuse_altered
from mirror_ray.records.shard_checks import check_schema, check_size, damaged
from mirror_ray.records.shard_files import REPLACED_KEY


class ShardGroups:
    """The row groups of a file of steps or of episodes.

    Args:
        opened: the stack that closes the file.
        path: of the file.
        of: the file of steps or of episodes that has the same groups.

    Raises:
        RunDirError: it is altered, it has more rows than bytes, or its groups differ.
        OSError, pa.ArrowException: it cannot be read.
    """

    def __init__(
        self, opened: ExitStack, fs: pafs.FileSystem, path: str, of: "ShardGroups | None" = None
    ) -> None:
        # Imported late, because it takes memory in every process that can name the Recorder.
        import pyarrow.parquet as pq  # noqa: PLC0415

        refuse_altered(fs, [path])
        self._path = path
        self._file = opened.enter_context(
            pq.ParquetFile(path, filesystem=fs, page_checksum_verification=True)
        )
        about = self._file.metadata
        check_size(path, about.num_rows, fs.get_file_info(path).size)
        self.schema: pa.Schema = self._file.schema_arrow
        self.batches: Iterable[int | None] = (None,)
        """Groups to read one after another: each of a merged shard's, otherwise all at once."""
        if REPLACED_KEY.encode() in (about.metadata or {}):
            self.batches = range(about.num_row_groups)
        if of is not None and list(of.batches) != list(self.batches):
            raise damaged(path, "other row groups than its steps or episodes have")

    def read(self, group: int | None) -> pa.Table:
        """Return the rows of a group, or of all if None."""
        return self._file.read() if group is None else self._file.read_row_group(group)

    def with_episode(self, episode_id: str, expected: pa.Schema) -> pa.Table:
        """Return the rows of the groups that contain rows of an episode. Raise RunDirError if the
        file lacks columns of `expected`."""
        check_schema(self._path, self.schema, expected)
        wanted = pa.scalar(episode_id)
        groups = range(self._file.metadata.num_row_groups)
        ids = ((group, self._file.read_row_group(group, ["episode_id"])) for group in groups)
        return self._file.read_row_groups(
            [group for group, table in ids if table.column(0).index(wanted).as_py() >= 0]
        )
