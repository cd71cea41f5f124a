"""The planned episodes of a run directory as a file, so that `status` need not derive them again.

A run directory without the file, or with that of another sweep, can be read all the same: the plan
is derived from the manifest. A plan has the file only if no reply can change it and each episode
plays one model."""

from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa

from mirror_ray.core.errors import RunDirError
from mirror_ray.core.identity import EpisodeSpec
from mirror_ray.records.checked_parquet import ParquetBuffer, refuse_altered
from mirror_ray.records.schemas import EPISODES
from mirror_ray.records.shard_checks import check_size, sound
from mirror_ray.records.storage import storage_of, write_whole

PLANNED_NAME = "planned.parquet"

_SWEEP = b"sweep_sha"
_CELL = ("family", "condition", "model")
_SCHEMA = pa.schema([EPISODES.field(name) for name in ("episode_id", *_CELL)])


def table_of_planned(episodes: Sequence[EpisodeSpec]) -> pa.Table:
    """Return a row per episode, in their order: its id, family, condition and model."""
    cells = [spec.cell for spec in episodes]
    columns = (
        [spec.episode_id for spec in episodes],
        [cell.family for cell in cells],
        [cell.condition for cell in cells],
        [cell.model for cell in cells],
    )
    return pa.table(dict(zip(_SCHEMA.names, columns, strict=True)), schema=_SCHEMA)


def write_planned(home: Path, sweep_sha: str, episodes: Sequence[EpisodeSpec]) -> None:
    """Write the whole plan of the sweep with this hash, unless it is there. Raise OSError if it
    cannot be written."""
    planned = table_of_planned(episodes)
    there = planned_there(home, sweep_sha)
    if there is not None and there.equals(planned):
        return
    buffer = ParquetBuffer(_SCHEMA)
    buffer.add(planned)
    fs, root = storage_of(str(home))
    write_whole(fs, f"{root}/{PLANNED_NAME}", buffer.finished({_SWEEP.decode(): sweep_sha}))


def planned_there(home: Path, sweep_sha: str) -> pa.Table | None:
    """Return what `table_of_planned` made of the plan of the sweep with this hash; None if the file
    is missing, damaged, or of another sweep."""
    # Imported late, as in `checked_parquet`.
    import pyarrow.parquet as pq  # noqa: PLC0415

    path = home / PLANNED_NAME
    try:
        fs, root = storage_of(str(home))
        refuse_altered(fs, [f"{root}/{PLANNED_NAME}"])
        with pq.ParquetFile(path, page_checksum_verification=True) as file:
            if (file.metadata.metadata or {}).get(_SWEEP) != sweep_sha.encode():
                return None
            check_size(str(path), file.metadata.num_rows, path.stat().st_size)
            return sound(str(path), file.read(_SCHEMA.names), _SCHEMA)
    except (OSError, pa.ArrowException, RunDirError):
        return None
