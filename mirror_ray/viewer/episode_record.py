"""An episode prepared for viewing: its rows, and its requests played again as far as they match.

A page must work without pictures: the record is shown even if this program plays the episode
differently, or lacks its family. Nothing is drawn here."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from threading import Lock
from typing import Any

from mirror_ray.contract.registry import FAMILIES
from mirror_ray.core.errors import MirrorRayError
from mirror_ray.core.identity import EpisodeSpec
from mirror_ray.engine.episode_rows import row_schemas
from mirror_ray.records.shards.reader import StoredRow, sealed_episode, shard_family
from mirror_ray.replay.episode import RecordedEpisode, ReplayStep, replay_steps
from mirror_ray.replay.playback import HistoryMismatchError
from mirror_ray.sweep.recorded import recorded_episodes
from mirror_ray.viewer.listed import episode_shards

_KEPT = 8
"""Records in memory: a browser that steps through an episode requests one picture at a time."""


@dataclass(frozen=True, slots=True)
class ViewedRecord:
    """An episode's record, and what can be drawn of it.

    Args:
        episode, steps: its row, and the rows of its requests, in order.
        replay_steps: of the first requests; all that were wanted if `note` is None.
        note: why nothing can be drawn after them, as readable text.
    """

    episode: StoredRow
    steps: tuple[StoredRow, ...]
    replay_steps: tuple[ReplayStep, ...]
    note: str | None


class ViewedRecords:
    """The episode records of a run directory, given its manifest. Safe for several threads."""

    def __init__(self, out: str, manifest: Mapping[str, Any]) -> None:
        self._out = out
        self._manifest = manifest
        self._lock = Lock()
        self._specs: Mapping[str, EpisodeSpec] = {}
        self._specs_of: Sequence[str] | None = None
        """The plan's episodes, computed from the shards that existed then."""
        self._record = lru_cache(_KEPT)(self._load)

    def of(self, listed: StoredRow, most_steps: int | None = None) -> ViewedRecord:
        """Return the record of an episode, by its row in the index. At most `most_steps` of its
        requests are played again; None: all. Raise RunDirError if its shard is damaged or gone."""
        return self._record(listed["shard"], listed["episode_id"], listed["take"], most_steps)

    def _load(self, shard: str, episode_id: str, take: int, most_steps: int | None) -> ViewedRecord:
        schemas = row_schemas()
        # If this program lacks the family, only the record is shown.
        is_known = shard_family(shard) in schemas
        episode, steps = sealed_episode(
            self._out, shard, episode_id, take, schemas=schemas if is_known else None
        )
        found: list[ReplayStep] = []
        note = None
        try:
            spec = self._spec(episode_id)
            if spec is None or episode["family"] not in FAMILIES:
                note = "This release's plan of the run has no such episode: nothing can be drawn."
            else:
                recording = RecordedEpisode(FAMILIES[episode["family"]], spec, episode, steps)
                found.extend(islice(replay_steps(recording), most_steps))
        except HistoryMismatchError as mismatch:
            note = (
                "Drawn up to where today's program plays the episode otherwise than the one that"
                f" recorded it: {mismatch}"
            )
        except MirrorRayError as error:
            note = f"Nothing can be drawn: {error}"
        return ViewedRecord(episode, steps, tuple(found), note)

    def _spec(self, episode_id: str) -> EpisodeSpec | None:
        """Return an episode's spec. Specs are listed on first use, which takes seconds in a large
        run.

        For an unknown id they are listed again if something was sealed meanwhile, because episodes
        that depend on others are known only once those have been played."""
        with self._lock:
            if (
                episode_id not in self._specs
                and (now := episode_shards(self._out)) != self._specs_of
            ):
                self._specs = recorded_episodes(self._out, self._manifest)
                self._specs_of = now
            return self._specs.get(episode_id)
