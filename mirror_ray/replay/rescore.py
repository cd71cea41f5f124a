"""`rescore` reads a run's replies again with the current parser and columns, without calls.

An episode that reads differently becomes its next take, in a new shard. Readers see the old take
until that shard is complete and the new one from then on; the old rows are kept for comparison. A
crash between two shards leaves every episode complete, old or new."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc

from mirror_ray.contract.registry import FAMILIES
from mirror_ray.core.identity import EpisodeSpec
from mirror_ray.engine.episode_rows import row_schemas
from mirror_ray.engine.recorder.actor import Recorder
from mirror_ray.records.manifest import read_manifest
from mirror_ray.records.rundir import RunDir
from mirror_ray.records.shards.reader import sealed_batches
from mirror_ray.records.shards.writer import ShardWriter
from mirror_ray.records.storage_fault import faults_reported
from mirror_ray.replay.rescore_batch import UnreadEpisode, rescored_batch
from mirror_ray.replay.row_changes import ChangeTally, ColumnChange
from mirror_ray.sweep.recorded import recorded_episodes


@dataclass(frozen=True, slots=True)
class Rescored:
    """The result of rescoring a run.

    Args:
        episodes: episodes read again; `asks` counts the replies in them.
        changed: episodes in which a column has another value now.
        unfinished: episodes ended by a failure, which a later run plays again; not read.
        left: episodes that cannot be read again and stay as they are.
    """

    episodes: int
    asks: int
    changed: int
    unfinished: int
    changes: tuple[ColumnChange, ...]
    left: tuple[UnreadEpisode, ...]


def rescore(out: str, *, dry_run: bool = False) -> Rescored:
    """Read every finished episode of run directory `out` again and keep those that read
    differently.

    Replies, times and costs are never changed. If nothing reads differently, nothing is written.

    Args:
        dry_run: write nothing, and read sealed episodes only.

    Raises:
        RunDirError: `out` is not a run directory, a run is writing in it, or it cannot be written.
        SweepError: its sweep names something that no longer exists.
        RecordError: a family derives values that do not fit its own columns.
    """
    manifest = read_manifest(out)
    specs = recorded_episodes(out, manifest)
    if dry_run:
        return _read_anew(out, specs, None)
    with RunDir(out, manifest["sweep"]):
        asyncio.run(seal_leftovers(out))
        return _read_anew(out, specs, ShardWriter(out))


async def seal_leftovers(out: str) -> None:
    """Seal the episodes that a killed run has finished and that are still in its journal."""
    await Recorder(out, row_schemas()).close()


def _read_anew(out: str, specs: Mapping[str, EpisodeSpec], shards: ShardWriter | None) -> Rescored:
    tally = ChangeTally()
    left: list[UnreadEpisode] = []
    episodes = asks = unfinished = 0
    changed: set[str] = set()
    for batch in sealed_batches(out, schemas=row_schemas()):
        found = rescored_batch(FAMILIES[batch.family], batch, specs)
        episodes += found.episodes[1].num_rows
        asks += found.steps[1].num_rows
        unfinished += found.unfinished
        left += found.left
        differing = tally.add("steps", *found.steps, found.step_columns)
        differing |= tally.add("episodes", *found.episodes, found.episode_columns)
        changed |= differing
        if differing and shards is not None:
            ids = pa.array(sorted(differing), pa.string())
            with faults_reported(out, "a Parquet shard could not be written"):
                shards.write(
                    batch.family,
                    _next_take(found.steps[1], ids),
                    _next_take(found.episodes[1], ids),
                )
    return Rescored(episodes, asks, len(changed), unfinished, tally.changes(), tuple(left))


def _next_take(table: pa.Table, ids: pa.Array) -> pa.Table:
    rows = table.filter(pc.is_in(table["episode_id"], value_set=ids))
    take = pc.add(rows["take"], pa.scalar(1, pa.int32()))
    return rows.set_column(rows.schema.get_field_index("take"), rows.schema.field("take"), take)
