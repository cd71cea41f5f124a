"""An episode made ready to be shown: its rows, and its asks played again as far as that goes.

Knows that a page must stand without pictures: what was recorded is shown even where today's
program plays the episode otherwise, or cannot name it. Draws nothing.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from threading import Lock
from typing import Any

from mirror_ray.engine.recall import DepartureError
from mirror_ray.engine.replay import Moment, Recording, moments
from mirror_ray.errors import MirrorRayError
from mirror_ray.identity import EpisodeSpec
from mirror_ray.records.sealed import StoredRow, sealed_episode
from mirror_ray.sweep.recorded import recorded_episodes
from mirror_ray.tasks import FAMILIES

_KEPT = 8
"""Reels in memory: someone who steps through an episode asks for a picture at a time."""


@dataclass(frozen=True, slots=True)
class Reel:
    """An episode's record, and what can be drawn of it.

    Args:
        episode: its row; `steps`: its asks' rows, in order.
        moments: of the first asks; all of them where `note` is None.
        note: why there is nothing to draw from then on, for a person.
    """

    episode: StoredRow
    steps: tuple[StoredRow, ...]
    moments: tuple[Moment, ...]
    note: str | None


class Reels:
    """The reels of a run directory; several threads may ask.

    Args:
        manifest: the run's.
    """

    def __init__(self, out: str, manifest: Mapping[str, Any]) -> None:
        self._out = out
        self._manifest = manifest
        self._lock = Lock()
        self._specs: Mapping[str, EpisodeSpec] = {}
        self._reel = lru_cache(_KEPT)(self._load)

    def of(self, listed: StoredRow) -> Reel:
        """The reel of an episode, by its row in the index.

        Raises:
            RunDirError: its shard is damaged or gone.
        """
        return self._reel(listed["shard"], listed["episode_id"], listed["take"])

    def _load(self, shard: str, episode_id: str, take: int) -> Reel:
        episode, steps = sealed_episode(self._out, shard, episode_id, take)
        found: list[Moment] = []
        note = None
        try:
            spec = self._spec(episode_id)
            if spec is None or episode["family"] not in FAMILIES:
                note = "This release's plan of the run has no such episode: nothing can be drawn."
            else:
                recording = Recording(FAMILIES[episode["family"]], spec, episode, steps)
                found.extend(moments(recording))
        except DepartureError as departure:
            note = (
                "Drawn up to where today's program plays the episode otherwise than the one that"
                f" recorded it: {departure}"
            )
        except MirrorRayError as error:
            note = f"Nothing can be drawn: {error}"
        return Reel(episode, steps, tuple(found), note)

    def _spec(self, episode_id: str) -> EpisodeSpec | None:
        """Specs are listed when first asked for, which takes seconds in a large run.

        They are listed anew for an id they lack: of stages that follow from others, episodes are
        known only once those have been played.
        """
        with self._lock:
            if episode_id not in self._specs:
                self._specs = recorded_episodes(self._out, self._manifest)
            return self._specs.get(episode_id)
