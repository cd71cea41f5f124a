"""A run opened for viewing: its list at once, its episodes on first use."""

from collections.abc import Mapping
from functools import cached_property
from threading import Lock
from typing import TYPE_CHECKING, Any

from mirror_ray.records.rundir import sweep_name
from mirror_ray.viewer.index import EpisodeIndex
from mirror_ray.viewer.listed import shards_of
from mirror_ray.viewer.render_thread import RenderWorker

if TYPE_CHECKING:
    from mirror_ray.viewer.episode_view import EpisodeView
    from mirror_ray.viewer.live_state import LiveReader


class Run:
    """A run directory; safe to use from several threads.

    Args:
        manifest: the run's.
        where: a SQL condition that all its episodes fulfil; None: all episodes.

    Raises:
        RunDirError: a shard is damaged, or the storage cannot be read.
        SweepError: DuckDB rejects `where`.
    """

    def __init__(
        self,
        out: str,
        manifest: Mapping[str, Any],
        render_thread: RenderWorker,
        where: str | None = None,
    ) -> None:
        self.name = sweep_name(out, manifest)
        self.where = where
        self._out = out
        self._manifest = manifest
        self._render_thread = render_thread
        self._lock = Lock()
        self._index = EpisodeIndex(out, where)

    @property
    def index(self) -> EpisodeIndex:
        """The index as last read."""
        return self._index

    @cached_property
    def episode_view(self) -> "EpisodeView":
        """Its episodes' pages and pictures."""
        # Imported late: the list, which comes first, needs no family and no picture.
        from mirror_ray.viewer.episode_view import EpisodeView  # noqa: PLC0415

        return EpisodeView(self._out, self._manifest, self._render_thread)

    @cached_property
    def live(self) -> "LiveReader":
        """The run as it is now, without its episodes' contents."""
        from mirror_ray.viewer.live_state import LiveReader  # noqa: PLC0415 - late: the plan

        return LiveReader(self._out, self._manifest)

    def look_again(self) -> EpisodeIndex:
        """The index, read anew if something was sealed meanwhile.

        Raises:
            RunDirError: as when it was opened.
        """
        with self._lock:
            if shards_of(self._out) != self._index.shards:
                before, self._index = self._index, EpisodeIndex(self._out, self.where)
                before.close()
            return self._index

    def close(self) -> None:
        """Closes the index and the renderer."""
        self._index.close()
        self._render_thread.close()
