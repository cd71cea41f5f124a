"""What the shards already hold: which episodes have ended, how, and what they cost.

Knows the episodes' files are the commit markers; does not know the journal. Readers keep an
episode's latest take.
"""

from collections.abc import Iterable, Sequence

import pyarrow as pa

from mirror_ray.errors import RunDirError
from mirror_ray.records.schemas import EPISODES, STEPS
from mirror_ray.records.storage import files_below, storage_of
from mirror_ray.records.storage_fault import storage_fault

_COMMON = {"steps": STEPS, "episodes": EPISODES}


def finished_episodes(out: str) -> dict[str, tuple[int, str]]:
    """Episode id → (take, error_kind) of the latest take in the shards of run directory `out`.

    Raises:
        RunDirError: a shard is damaged.
    """
    table = sealed_columns(out, "episodes", ("episode_id", "take", "error_kind"))
    latest: dict[str, tuple[int, str]] = {}
    columns: Iterable[list[object]] = (column.to_pylist() for column in table.columns)
    for episode_id, take, error_kind in zip(*columns, strict=True):
        if episode_id not in latest or take > latest[episode_id][0]:
            latest[episode_id] = (take, error_kind)
    return latest


def sealed_costs_usd(out: str) -> dict[str, float]:
    """Episode id → sum of the known costs of all replies in its latest take, in USD.

    Raises:
        RunDirError: a shard is damaged.
    """
    # Imported late, as the data sets are.
    import pyarrow.compute as pc  # noqa: PLC0415

    table = sealed_columns(out, "steps", ("episode_id", "take", "cost_usd"))
    latest = table.group_by("episode_id").aggregate([("take", "max")])
    latest = latest.rename_columns(["episode_id", "take"])
    kept = table.join(latest, ["episode_id", "take"], join_type="left semi")
    costs = kept.filter(pc.is_valid(kept["cost_usd"])).group_by("episode_id")
    summed = costs.aggregate([("cost_usd", "sum")])
    return dict(
        zip(summed["episode_id"].to_pylist(), summed["cost_usd_sum"].to_pylist(), strict=True)
    )


def sealed_cells(out: str) -> dict[str, str]:
    """Episode id → its cell's id.

    Raises:
        RunDirError: a shard is damaged.
    """
    table = sealed_columns(out, "episodes", ("episode_id", "cell_id"))
    return dict(zip(table["episode_id"].to_pylist(), table["cell_id"].to_pylist(), strict=True))


def sealed_columns(
    out: str, kind: str, columns: Sequence[str], *, shard_as: str | None = None
) -> pa.Table:
    """Some of the columns that all families share, over all shards of ``steps`` or ``episodes``.

    Args:
        shard_as: a further column: each row's shard, as a path below the folder of its kind.

    Raises:
        RunDirError: a shard is damaged, or the storage cannot be read.
    """
    # Imported late: it costs 20 MB, in every process that can name the Recorder.
    import pyarrow.dataset as pads  # noqa: PLC0415

    # Told beforehand, the schema is not looked up in the files.
    schema = pa.schema([_COMMON[kind].field(name) for name in columns])
    try:
        fs, root = storage_of(out)
        paths = list(files_below(fs, f"{root}/{kind}", ".parquet"))
        stored = pads.dataset(paths, schema, format="parquet", filesystem=fs)
        if shard_as is None:
            return stored.to_table()
        table = stored.to_table([*columns, "__filename"]).rename_columns([*columns, shard_as])
        return table.set_column(len(columns), shard_as, _below(table[shard_as], f"{root}/{kind}/"))
    except pa.ArrowInvalid as error:
        raise RunDirError(
            f"{out}: a Parquet shard under {kind}/ cannot be read\n"
            f"  got:     {error}\n"
            f"  allowed: the files this program wrote\n"
            f"  fix:     restore the file from a copy, or use another --out"
        ) from error
    except OSError as error:
        raise storage_fault(out, error, f"the shards under {kind}/ cannot be read") from error


def _below(paths: pa.ChunkedArray, folder: str) -> pa.ChunkedArray:
    import pyarrow.compute as pc  # noqa: PLC0415

    return pc.utf8_slice_codeunits(paths, len(folder))
