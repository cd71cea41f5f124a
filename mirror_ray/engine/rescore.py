"""`rescore`: reads a run's replies anew, with today's parser and columns; asks and draws nothing.

Knows the order of things, from the directory's lock to the sealed shards; does not know any family
nor how a reply is read. Episodes that read differently become their next take, in shards of their
own: readers see the old take until such a shard is complete, the new one from then on, and the old
rows stay for comparison. A crash between two shards leaves every episode whole, old or new.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc

from mirror_ray.engine.changes import Change, ChangeTally
from mirror_ray.engine.recorder import Recorder
from mirror_ray.engine.reread import Left, reread
from mirror_ray.errors import RunDirError
from mirror_ray.identity import EpisodeSpec
from mirror_ray.records.rundir import RunDir, read_manifest
from mirror_ray.records.schemas import EPISODES, STEPS, with_family_columns
from mirror_ray.records.sealed import sealed_batches
from mirror_ray.records.shards import Shards
from mirror_ray.records.storage_fault import faults_told
from mirror_ray.sweep.recorded import recorded_episodes
from mirror_ray.tasks import FAMILIES


@dataclass(frozen=True, slots=True)
class Rescored:
    """What reading a run anew came to.

    Args:
        episodes: read anew; `asks` replies in them.
        changed: episodes of which a column has another value now.
        unfinished: ended by a failure, to be played again by a later run; not read.
        left: cannot be read anew and stay as they are.
    """

    episodes: int
    asks: int
    changed: int
    unfinished: int
    changes: tuple[Change, ...]
    left: tuple[Left, ...]


def rescore(out: str, *, dry_run: bool = False) -> Rescored:
    """Reads every finished episode of run directory `out` anew and keeps what reads differently.

    Replies, times and costs stay untouched. Where nothing reads differently nothing is written.

    Args:
        dry_run: write nothing, and look at sealed episodes only.

    Raises:
        RunDirError: it is no run directory, a run is writing in it, or it cannot be written.
        SweepError: its sweep names something that there is no more.
        RecordError: a family derives values that do not fit its own columns.
    """
    manifest = read_manifest(out)
    specs = recorded_episodes(out, manifest)
    if dry_run:
        return _read_anew(out, specs, None)
    with RunDir(out, manifest["sweep"]):
        asyncio.run(_seal_leftovers(out))
        return _read_anew(out, specs, Shards(out))


async def _seal_leftovers(out: str) -> None:
    """What a killed run has finished lies in its journal yet."""
    schemas = {
        name: (
            with_family_columns(STEPS, family.step_columns),
            with_family_columns(EPISODES, family.episode_columns),
        )
        for name, family in FAMILIES.items()
    }
    await Recorder(out, schemas).close()


def _read_anew(out: str, specs: Mapping[str, EpisodeSpec], shards: Shards | None) -> Rescored:
    tally = ChangeTally()
    left: list[Left] = []
    episodes = asks = unfinished = 0
    changed: set[str] = set()
    for batch in sealed_batches(out):
        if batch.family not in FAMILIES:
            raise RunDirError(
                f"{out}\n  got:     episodes of family {batch.family!r}\n"
                f"  allowed: {', '.join(FAMILIES)}\n  fix:     use the release that played them"
            )
        found = reread(FAMILIES[batch.family], batch, specs)
        episodes += found.episodes[1].num_rows
        asks += found.steps[1].num_rows
        unfinished += found.unfinished
        left += found.left
        differing = tally.add("steps", *found.steps, found.step_columns)
        differing |= tally.add("episodes", *found.episodes, found.episode_columns)
        changed |= differing
        if differing and shards is not None:
            ids = pa.array(sorted(differing), pa.string())
            with faults_told(out, "a Parquet shard could not be written"):
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
