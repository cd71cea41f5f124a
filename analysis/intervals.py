"""The tables of stored intervals, which the bootstrap writes and the views read."""

from collections.abc import Iterable, Mapping
from typing import Any

import pyarrow as pa

from mirror_ray.records.checked_parquet import parquet_of
from mirror_ray.records.schemas import schemas_in
from mirror_ray.records.storage import join, make_folder, storage_of, write_whole

_FOLDER = "intervals"
_SCHEMAS = schemas_in("mirror_ray.analysis", "intervals.yaml")
INTERVALS = _SCHEMAS["intervals"]
DIFFERENCES = _SCHEMAS["differences"]


def keep_intervals(
    directory: str, name: str, rows: Iterable[Mapping[str, Any]], schema: pa.Schema = INTERVALS
) -> str:
    """Write a table of a run directory, ``intervals/<name>.parquet``, and return its path. Raise
    OSError if it cannot be written."""
    fs, root = storage_of(directory)
    table = pa.Table.from_pylist(list(rows), schema=schema)
    file = f"{name}.parquet"
    # Readers refuse a file with more rows than bytes; equal intervals of thousands of models
    # compress to that.
    write_whole(fs, f"{make_folder(fs, root, _FOLDER)}/{file}", parquet_of(table, "none"))
    return join(directory, _FOLDER, file)
