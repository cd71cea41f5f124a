"""Runs in which every episode is repeated: the same rows again, as further runs of their seeds."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from mirror_ray.core.identity import content_hash

_IDS = ("episode_id", "parent_id")


def repeat_run(directory: Path, times: int) -> None:
    """Put `times` copies of each episode in place of one; of stories' revisions, too."""
    for path in sorted(directory.glob("*/family=*/**/*.parquet")):
        table = pq.read_table(path, partitioning=None)
        pq.write_table(pa.concat_tables(_copy(table, turn) for turn in range(times)), path)


def _copy(table: pa.Table, turn: int) -> pa.Table:
    for name in table.column_names:
        if name in _IDS:
            values = [
                value and content_hash(value, turn) for value in table.column(name).to_pylist()
            ]
        elif name == "run":
            values = [run + 100 * turn for run in table.column(name).to_pylist()]
        else:
            continue
        place = table.column_names.index(name)
        field = table.schema.field(name)
        table = table.set_column(place, field, pa.array(values, field.type))
    return table
