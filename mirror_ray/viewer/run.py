"""A run opened to be looked at: its index, its reels, and who draws them.

Knows how an episode's page and pictures come about; does not know who asks for them, a browser or
an export.
"""

from collections.abc import Mapping
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mirror_ray.records.sealed import StoredRow
from mirror_ray.viewer.darkroom import Darkroom
from mirror_ray.viewer.html import Links, Source, episode_html
from mirror_ray.viewer.index import EpisodeIndex, shards_of
from mirror_ray.viewer.page import page_of
from mirror_ray.viewer.pictures import draw, names
from mirror_ray.viewer.reel import Reels


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
        self._reels = Reels(out, manifest)
        self._darkroom = darkroom
        self._lock = Lock()
        self._index = EpisodeIndex(out, where)

    @property
    def index(self) -> EpisodeIndex:
        """The index as it was last read."""
        return self._index

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

    def page(self, listed: StoredRow, links: Links, source: Source, *, is_file: bool) -> str:
        """The page of an episode, by its row in the index.

        Raises:
            RunDirError: its shard is damaged or gone.
        """
        reel = self._reels.of(listed)
        page = page_of(reel, self._index.scores(listed["family"], listed["episode_id"]))
        return episode_html(page, links, source, failure=listed["failure"], is_file=is_file)

    def picture(self, listed: StoredRow, ask: int, name: str) -> NDArray[np.uint8]:
        """A picture of one of the episode's asks, (height, width, 3) uint8.

        Raises:
            KeyError: there is no such ask, or no such picture of it.
            RenderError: it cannot be drawn.
            RunDirError: the episode's shard is damaged or gone.
        """
        reel = self._reels.of(listed)
        if not 1 <= ask <= len(reel.moments):
            raise KeyError(ask)
        moment = reel.moments[ask - 1]
        return self._darkroom.draw(lambda renderer: draw(moment, name, renderer))

    def pictures(self, listed: StoredRow) -> dict[tuple[int, str], NDArray[np.uint8]]:
        """All pictures of an episode: (number of the ask, name) → (height, width, 3) uint8."""
        reel = self._reels.of(listed)
        return {
            (number, name): self.picture(listed, number, name)
            for number, moment in enumerate(reel.moments, start=1)
            for name in names(moment)
        }

    def close(self) -> None:
        """Give up the index and the renderer."""
        self._index.close()
        self._darkroom.close()
