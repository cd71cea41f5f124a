"""The index of the shards: which episodes have ended, how, and their costs.

The episodes' files are the commit markers. An episode that was played or read again has several
takes; readers keep the latest: `latest_takes`."""

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import pyarrow as pa

from mirror_ray.core.errors import RunDirError
from mirror_ray.records.checked_parquet import checked_format, refuse_altered
from mirror_ray.records.journal.charges import MOST_USD
from mirror_ray.records.schemas import EPISODES, STEPS
from mirror_ray.records.shard_checks import check_size, damaged_one, is_fault, sound
from mirror_ray.records.shard_files import shard_files
from mirror_ray.records.storage import is_address, storage_of
from mirror_ray.records.storage_fault import storage_fault

END_COLUMNS = ("episode_id", "take", "error_kind")

_COMMON = {"steps": STEPS, "episodes": EPISODES}


def finished_episodes(out: str) -> dict[str, tuple[int, str]]:
    """Return (take, error_kind) of each episode's latest take in the shards of run directory `out`,
    by id. Raise RunDirError if a shard is damaged."""
    return ends_in(latest_takes(sealed_columns(out, "episodes", END_COLUMNS)))


def ends_in(latest: pa.Table) -> dict[str, tuple[int, str]]:
    """Return (take, error_kind) by episode id, from rows with `END_COLUMNS`."""
    ids, takes, error_kinds = (latest[name].to_pylist() for name in END_COLUMNS)
    return dict(zip(ids, map(shared_end, takes, error_kinds), strict=True))


@lru_cache(1024)
def shared_end(take: int, error_kind: str) -> tuple[int, str]:
    """Return (take, error_kind), as one shared pair for all equal ends, because a run keeps one for
    each episode."""
    return take, error_kind


def latest_takes(episodes: pa.Table) -> pa.Table:
    """Return one row per episode: that of its latest take, the first among equals."""
    ids, takes = episodes["episode_id"].to_pylist(), episodes["take"].to_pylist()
    if len(set(ids)) == len(ids):
        return episodes
    row_of: dict[str, tuple[int, int]] = {}
    for row, (episode_id, take) in enumerate(zip(ids, takes, strict=True)):
        if episode_id not in row_of or take > row_of[episode_id][0]:
            row_of[episode_id] = (take, row)
    return episodes.take([row for _, row in row_of.values()])


def sealed_costs_usd(out: str) -> dict[str, float]:
    """Return, by episode id, the known costs in USD of all replies in its latest take. Raise
    RunDirError if a shard is damaged."""
    # Imported late, as the data sets are.
    import pyarrow.compute as pc  # noqa: PLC0415

    table = sealed_columns(out, "steps", ("episode_id", "take", "cost_usd"))
    if pc.count_distinct(table["take"]).as_py() > 1:
        latest = table.group_by("episode_id").aggregate([("take", "max")])
        latest = latest.rename_columns(["episode_id", "take"])
        table = table.join(latest, ["episode_id", "take"], join_type="left semi")
    usd = table["cost_usd"]
    # NULL and NaN satisfy neither comparison.
    known = pc.and_(pc.greater_equal(usd, 0.0), pc.less_equal(usd, MOST_USD))
    costs = table.filter(known).group_by("episode_id")
    summed = costs.aggregate([("cost_usd", "sum")])
    return dict(
        zip(summed["episode_id"].to_pylist(), summed["cost_usd_sum"].to_pylist(), strict=True)
    )


def sealed_cells(out: str) -> dict[str, str]:
    """Return each episode's cell id. Raise RunDirError if a shard is damaged."""
    table = sealed_columns(out, "episodes", ("episode_id", "cell_id"))
    return dict(zip(table["episode_id"].to_pylist(), table["cell_id"].to_pylist(), strict=True))


def sealed_columns(
    out: str, kind: str, columns: Sequence[str], *, shard_as: str | None = None, where: Any = None
) -> pa.Table:
    """Return some of the common columns of all shards of ``steps`` or ``episodes``.

    Args:
        shard_as: a further column: each row's shard, as a path below the folder of its kind.
        where: an Arrow expression that selects rows; None: all rows.

    Raises:
        RunDirError: a shard is damaged, or the storage cannot be read.
    """
    # Imported late, because they take 20 MB in every process that can name the Recorder.
    import pyarrow.compute as pc  # noqa: PLC0415
    import pyarrow.dataset as pads  # noqa: PLC0415

    # If a schema is given, the files are not searched for one.
    schema = pa.schema([_COMMON[kind].field(name) for name in columns])
    paths: list[str] = []

    def read(some: Sequence[str], of: str) -> pa.Table:
        refuse_altered(fs, some)
        stored = pads.dataset(some, schema, format=checked_format(), filesystem=fs)
        if not is_address(out):
            # The part of each file that is read here is not read again.
            check_size(of, stored.count_rows(), sum(Path(path).stat().st_size for path in some))
        if shard_as is None:
            return sound(of, stored.to_table(filter=where), schema)
        table = stored.to_table([*columns, "__filename"], filter=where).rename_columns(
            [*columns, shard_as]
        )
        below = pc.utf8_slice_codeunits(table[shard_as], len(f"{root}/{kind}/"))
        table = table.set_column(len(columns), shard_as, below)
        return sound(of, table, schema)

    try:
        fs, root = storage_of(out)
        paths += shard_files(fs, f"{root}/{kind}")
        return read(paths, f"{out}/{kind}")
    except (pa.ArrowException, OSError, RunDirError) as error:
        if is_fault(error, out):
            raise storage_fault(out, error, f"the shards under {kind}/ cannot be read") from error
        raise damaged_one(paths, lambda path: read([path], path), error) from error
