"""A run opened to be looked at: its list at once, its episodes when first one is asked for."""

from collections.abc import Mapping
from functools import cached_property
from threading import Lock
from typing import TYPE_CHECKING, Any

from mirror_ray.viewer.darkroom import Darkroom
from mirror_ray.viewer.index import EpisodeIndex
from mirror_ray.viewer.listed import shards_of

if TYPE_CHECKING:
    from mirror_ray.viewer.screening import Screening


class Run:
    """A run directory; several threads may use it.

    Args:
        manifest: the run's.
        where: a SQL condition that all its episodes fulfil; None: all there are.

    Raises:
        RunDirError: a shard is damaged, or the storage cannot be read.
        SweepError: DuckDB rejects `where`.
    """

    def __init__(
        self, out: str, manifest: Mapping[str, Any], darkroom: Darkroom, where: str | None = None
    ) -> None:
        self.name = str(manifest["sweep"]["name"])
        self.where = where
        self._out = out
        self._manifest = manifest
        self._darkroom = darkroom
        self._lock = Lock()
        self._index = EpisodeIndex(out, where)

    @property
    def index(self) -> EpisodeIndex:
        """The index as it was last read."""
        return self._index

    @cached_property
    def screening(self) -> "Screening":
        """Its episodes' pages and pictures."""
        # Imported late: the list, which comes first, needs no family and no picture.
        from mirror_ray.viewer.screening import Screening  # noqa: PLC0415

        return Screening(self._out, self._manifest, self._darkroom)

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
        """Give up the index and the renderer."""
        self._index.close()
        self._darkroom.close()
