"""A run, or several as one, opened for viewing: the list at once, episodes on first use."""

from collections.abc import Mapping
from functools import cached_property
from threading import Lock
from typing import TYPE_CHECKING, Any

from mirror_ray.records.manifest import sweep_name
from mirror_ray.viewer.frame_renderer import RenderWorker
from mirror_ray.viewer.index import EpisodeIndex
from mirror_ray.viewer.listed import shards_of_each

if TYPE_CHECKING:
    from mirror_ray.viewer.episode_view import EpisodeView
    from mirror_ray.viewer.live_state import LiveReader


class Run:
    """A run directory, or several read as one; safe to use from several threads.

    Args:
        manifests: run directory → its manifest.
        where: a SQL condition that all its episodes fulfil; None: all episodes.

    Raises:
        RunDirError: a shard is damaged, or the storage cannot be read.
        SweepError: DuckDB rejects `where`.
    """

    def __init__(
        self,
        manifests: Mapping[str, Mapping[str, Any]],
        render_thread: RenderWorker,
        where: str | None = None,
    ) -> None:
        names = (sweep_name(out, manifest) for out, manifest in manifests.items())
        self.name = " + ".join(dict.fromkeys(names))
        self.directories = tuple(manifests)
        self.where = where
        self.manifests = manifests
        self._render_thread = render_thread
        self._lock = Lock()
        self._live: dict[str, LiveReader] = {}
        self._index = EpisodeIndex(self.directories, where)

    @property
    def index(self) -> EpisodeIndex:
        """The index as last read."""
        return self._index

    @cached_property
    def episode_view(self) -> "EpisodeView":
        """The pages and pictures of its episodes."""
        # Imported late: the list, which comes first, needs no family and no picture.
        from mirror_ray.viewer.episode_view import EpisodeView  # noqa: PLC0415

        return EpisodeView(self.manifests, self._render_thread)

    def live(self, directory: str) -> "LiveReader":
        """Return one of the runs in its current state, without its episodes' contents. Raise
        KeyError if the run was not opened."""
        from mirror_ray.viewer.live_state import LiveReader  # noqa: PLC0415 - late: the plan

        with self._lock:
            if directory not in self._live:
                self._live[directory] = LiveReader(directory, self.manifests[directory])
            return self._live[directory]

    def look_again(self) -> EpisodeIndex:
        """Return the index, read again if something was sealed since. Raises the same errors as
        opening."""
        with self._lock:
            if shards_of_each(self.directories) != self._index.shards:
                before, self._index = self._index, EpisodeIndex(self.directories, self.where)
                before.close()
            return self._index

    def close(self) -> None:
        """Close the index and the renderer."""
        self._index.close()
        self._render_thread.close()
