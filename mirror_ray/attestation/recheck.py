"""Checks a sealed record against this program: its tables, and samples of its frames and
replies."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pyarrow.compute as pc

from mirror_ray.attestation.tables import computed_again, table_digests
from mirror_ray.contract.registry import FAMILIES
from mirror_ray.core.error_kinds import FINAL_KINDS
from mirror_ray.core.identity import EpisodeSpec, content_hash
from mirror_ray.core.types import FrameRenderer
from mirror_ray.engine.episode_rows import row_schemas
from mirror_ray.records.shards.reader import sealed_batches
from mirror_ray.records.shards.shard_index import finished_episodes, sealed_columns
from mirror_ray.replay.rescore_batch import rescored_batch
from mirror_ray.replay.row_changes import ChangeTally
from mirror_ray.replay.verify import EpisodeCheck, checks


@dataclass(frozen=True, slots=True)
class ReadAgain:
    """Replies that were read again. `differ` has a line for each episode that reads differently, or
    that cannot be read."""

    replies: int
    differ: tuple[str, ...]


def differing_tables(sealed: Mapping[str, str], copy: Path) -> list[str]:
    """Return the tables whose digests differ when computed again from a copy of the shards."""
    with computed_again(copy) as run:
        now = table_digests(copy, run)
    return sorted(name for name in sealed.keys() | now.keys() if sealed.get(name) != now.get(name))


def redraw_frames(
    out: str, specs: Mapping[str, EpisodeSpec], renderer: FrameRenderer, *, k: int, seed: int
) -> list[EpisodeCheck]:
    """Draw k recorded frames again, chosen by a seed."""
    chosen = _chosen(out, specs, k=k, seed=seed, with_frame=True)
    return list(checks(out, specs, list(chosen), renderer, asks=chosen))


def read_again(out: str, specs: Mapping[str, EpisodeSpec], *, k: int, seed: int) -> ReadAgain:
    """Read k recorded replies again, chosen by a seed. Their whole episodes are played back."""
    chosen = _chosen(out, specs, k=k, seed=seed, with_frame=False)
    differ: list[str] = []
    for batch in sealed_batches(out, chosen, schemas=row_schemas()):
        found = rescored_batch(FAMILIES[batch.family], batch, specs)
        tally = ChangeTally()
        tally.add("steps", *found.steps, found.step_columns)
        tally.add("episodes", *found.episodes, found.episode_columns)
        differ += [f"{one.episode_id}: {one.detail}" for one in found.left]
        for change in tally.changes():
            first = change.examples[0]
            differ.append(
                f"{first.episode_id}: {change.kind} {change.column} ({change.rows:,} rows)"
            )
    return ReadAgain(sum(map(len, chosen.values())), tuple(differ))


def _chosen(
    out: str, specs: Mapping[str, EpisodeSpec], *, k: int, seed: int, with_frame: bool
) -> dict[str, set[int]]:
    ends = finished_episodes(out)
    steps = sealed_columns(out, "steps", ("episode_id", "take", "ask", "frame_sha"))
    if with_frame:
        steps = steps.filter(pc.is_valid(steps["frame_sha"]))
    rows = zip(*(steps[name].to_pylist() for name in ("episode_id", "take", "ask")), strict=True)
    asked = [
        (episode_id, ask)
        for episode_id, take, ask in rows
        if episode_id in specs
        and ends[episode_id][0] == take
        and ends[episode_id][1] in FINAL_KINDS
    ]
    found: dict[str, set[int]] = {}
    for episode_id, ask in sorted(asked, key=lambda one: content_hash(seed, *one))[:k]:
        found.setdefault(episode_id, set()).add(ask)
    return found
