"""Episodes shown: their pages, and their pictures drawn again.

Knows how a page and a picture come about; does not know who asks for them, a browser or an export.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mirror_ray.records.sealed import StoredRow
from mirror_ray.viewer.darkroom import Darkroom
from mirror_ray.viewer.episode_page import episode_html
from mirror_ray.viewer.links import Links, Source
from mirror_ray.viewer.page import page_of
from mirror_ray.viewer.pictures import draw, names
from mirror_ray.viewer.reel import Reels


class Screening:
    """The episodes of a run directory; several threads may ask.

    Args:
        manifest: the run's.
    """

    def __init__(self, out: str, manifest: Mapping[str, Any], darkroom: Darkroom) -> None:
        self._reels = Reels(out, manifest)
        self._darkroom = darkroom

    def page(
        self, listed: StoredRow, scores: StoredRow, links: Links, source: Source, *, is_file: bool
    ) -> str:
        """The page of an episode, by its row in the index.

        Args:
            scores: its row of its family's view of scores; {} where there is none.
            is_file: whether it will be one, with its policy in itself.

        Raises:
            RunDirError: its shard is damaged or gone.
        """
        page = page_of(self._reels.of(listed), scores)
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
