"""The pictures of recorded requests, drawn and encoded again for exported files."""

from collections.abc import Callable, Collection, Mapping
from functools import cache
from typing import Any, Protocol

from mirror_ray.analysis.export.pictures import AskPictures, DrawnEpisodes
from mirror_ray.contract.registry import FAMILIES
from mirror_ray.core.errors import SweepError
from mirror_ray.core.identity import EpisodeSpec
from mirror_ray.core.types import FrameRenderer
from mirror_ray.engine.episode_rows import row_schemas
from mirror_ray.engine.rollout import observe
from mirror_ray.records.shards.reader import sealed_batches
from mirror_ray.replay.episode import RecordedEpisode, ReplayStep, encoded_pictures, replay_steps
from mirror_ray.replay.playback import HistoryMismatchError
from mirror_ray.sweep.recorded import recorded_episodes


class PictureRenderer(FrameRenderer, Protocol):
    """A renderer that is closed once nothing more is drawn."""

    def close(self) -> None:
        """Release the OpenGL context."""


class EpisodePictures:
    """Draws the pictures that recorded episodes showed, given each run's manifest. It makes a
    renderer only before the first picture, because texts alone need no OpenGL."""

    def __init__(
        self,
        manifests: Mapping[str, Mapping[str, Any]],
        make_renderer: Callable[[], PictureRenderer],
    ) -> None:
        self._manifests = manifests
        self._make_renderer = make_renderer
        self._renderer: PictureRenderer | None = None
        self._specs = cache(self._listed)
        self.notes: list[str] = []
        """Readable lines on what could not be drawn as it was recorded."""

    def __call__(self, episode_ids: Collection[str]) -> DrawnEpisodes:
        """Yield each episode that shows pictures, with its requests' pictures by number.

        Requests from where the program departs from the record have no pictures.

        Raises:
            RunDirError: a shard is damaged.
            RenderError: nothing can be drawn here.
        """
        wanted = set(episode_ids)
        for directory in self._manifests:
            specs = self._specs(directory)
            here = wanted & specs.keys()
            for batch in sealed_batches(directory, here, schemas=row_schemas()) if here else ():
                family = FAMILIES.get(batch.family)
                if family is None or not family.draws:
                    continue
                for episode, steps in batch.each():
                    episode_id = episode["episode_id"]
                    wanted.discard(episode_id)
                    record = RecordedEpisode(family, specs[episode_id], episode, steps)
                    yield episode_id, self._drawn(record)

    def close(self) -> None:
        """Release OpenGL's resources; nothing is drawn afterwards."""
        if self._renderer is not None:
            self._renderer.close()

    def _listed(self, directory: str) -> Mapping[str, EpisodeSpec]:
        try:
            return recorded_episodes(directory, self._manifests[directory])
        except SweepError as error:
            # The family is not installed here: its rows can be read but not played.
            self.notes.append(f"No pictures of {directory}: {error}")
            return {}

    def _drawn(self, record: RecordedEpisode) -> dict[int, AskPictures]:
        found = {}
        try:
            for step in replay_steps(record):
                if step.views:
                    found[int(step.row["ask"])] = self._pictures(step)
        except HistoryMismatchError as mismatch:
            self.notes.append(
                f"{record.spec.episode_id}: pictures of {len(found)} asks, from where today's"
                f" program departs from the record: {mismatch}"
            )
        differ = sum(not one.is_as_recorded for one in found.values())
        if differ:
            self.notes.append(
                f"{record.spec.episode_id}: {differ} of {len(found)} requests are drawn with other"
                " pixels here than were recorded: mirror-ray verify says how far apart"
            )
        return found

    def _pictures(self, step: ReplayStep) -> AskPictures:
        renderer = self._renderer = self._renderer or self._make_renderer()
        shown = encoded_pictures(step.views, renderer)
        return AskPictures(
            tuple(one.image for one in shown), observe(shown).frame_sha == step.row["frame_sha"]
        )
