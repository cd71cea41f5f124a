"""One error for a run that cannot be read, no matter whether a file or DuckDB failed first."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import product

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

from mirror_ray.core.errors import RunDirError
from mirror_ray.records.shard_checks import damaged
from mirror_ray.records.storage import files_below, storage_of
from mirror_ray.records.storage_fault import faults_reported

_GONE = (duckdb.IOException, duckdb.PermissionException)
"""DuckDB's errors if a file that it may read no longer exists."""
_FOLDERS = ("episodes", "steps", "intervals", "decisions")


@contextmanager
def readable(directories: Sequence[str], doing: str) -> Iterator[None]:
    """Convert failures within the block into a `RunDirError`.

    Args:
        directories: the runs that are read.
        doing: as in `faults_reported`, e.g. ``the report cannot be written``.
    """
    said = " ".join(directories)
    try:
        with faults_reported(said, doing):
            yield
    except (duckdb.Error, pa.ArrowException) as error:
        found = damaged_shard(*directories)
        if found is None and isinstance(error, _GONE):
            found = RunDirError(
                f"{said}: {doing}",
                str(error),
                "shards that stay as they are while they are read",
                "run the same command again: the end of a run merges its shards",
            )
        raise found or damaged(f"{said}: {doing}", str(error)) from error


def damaged_shard(*directories: str) -> RunDirError | None:
    """Return the error that names the first shard that cannot be read whole; None if all can.

    A message of DuckDB or Arrow need not name the shard, so each shard is read to find out."""
    for directory, folder in product(directories, _FOLDERS):
        fs, root = storage_of(directory)
        for path in files_below(fs, f"{root}/{folder}", ".parquet"):
            try:
                pq.read_table(path, filesystem=fs, partitioning=None)
            except (pa.ArrowException, OSError) as error:
                return damaged(path, str(error))
    return None
