"""An episode's page and pictures, for the server and for the export."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mirror_ray.records.shards.reader import StoredRow
from mirror_ray.replay.film.evidence import EVIDENCE_MARKS
from mirror_ray.viewer.episode_record import ViewedRecord, ViewedRecords
from mirror_ray.viewer.frame_renderer import RenderWorker
from mirror_ray.viewer.html import render
from mirror_ray.viewer.links import Links, Source
from mirror_ray.viewer.page import EpisodePage, page_of
from mirror_ray.viewer.pair_page import PairSource, pair_html, pair_steps
from mirror_ray.viewer.pictures import draw_picture


class EpisodeView:
    """The episodes of run directories, given each one's manifest. Safe for several threads."""

    def __init__(
        self, manifests: Mapping[str, Mapping[str, Any]], render_thread: RenderWorker
    ) -> None:
        self._records = {out: ViewedRecords(out, manifest) for out, manifest in manifests.items()}
        self._render_thread = render_thread

    def page(
        self, listed: StoredRow, scores: StoredRow, links: Links, source: Source, *, is_file: bool
    ) -> str:
        """Return the page of an episode, by its row in the index.

        Args:
            scores: its row in its family's view of scores; {} without one.
            is_file: whether it is written as a file, which contains its policy.

        Raises:
            RunDirError: its shard is damaged or gone.
        """
        page = page_of(self._record(listed), scores)
        return episode_html(page, links, source, listed=listed, is_file=is_file)

    def pair(
        self,
        listed: tuple[StoredRow, StoredRow],
        hrefs: tuple[str | None, str | None],
        source: PairSource,
        *,
        up: str | None,
        is_file: bool,
    ) -> str:
        """Return the page of two episodes side by side, by their rows in the index. `hrefs` are the
        addresses of their own pages, `up` that of the list. Raise RunDirError if a shard is damaged
        or gone."""
        one, other = map(self._record, listed)
        pages = (page_of(one, {}), page_of(other, {}))
        steps = pair_steps(*pages, (_frames(one), _frames(other)))
        return pair_html(pages, listed, steps, hrefs=hrefs, source=source, up=up, is_file=is_file)

    def picture(
        self, listed: StoredRow, ask: int, name: str, *, is_alone: bool = False
    ) -> NDArray[np.uint8]:
        """Draw a picture of one of the episode's requests, (height, width, 3) uint8.

        Args:
            is_alone: no later request's picture will be drawn, so that those are not played again.

        Raises:
            KeyError: the request, or this picture of it, does not exist.
            RenderError: it cannot be drawn.
            RunDirError: the episode's shard is damaged or gone.
        """
        record = self._records[listed["run_dir"]].of(listed, ask if is_alone else None)
        if not 1 <= ask <= len(record.replay_steps):
            raise KeyError(ask)
        replay_step = record.replay_steps[ask - 1]
        return self._render_thread.draw(lambda renderer: draw_picture(replay_step, name, renderer))

    def _record(self, listed: StoredRow) -> ViewedRecord:
        return self._records[listed["run_dir"]].of(listed)


def _frames(record: ViewedRecord) -> dict[int, str | None]:
    return {row["ask"]: row["frame_sha"] for row in record.steps}


def episode_html(
    page: EpisodePage, links: Links, source: Source, *, listed: StoredRow, is_file: bool
) -> str:
    """Return an episode's page, which contains its policy if it is a file. `listed` is the
    episode's row of the list, with its verdict."""
    counting = [ask.number for ask in page.asks if ask.counts]
    return render(
        "episode.html",
        "episode.js",
        is_file,
        page=page,
        links=links,
        up=links.up,
        before=links.before,
        after=links.after,
        src=source,
        listed=listed,
        outcome_class=page.outcome.partition(":")[0].replace(" ", "-"),
        has_evidence=any(sight.evidence for ask in page.asks for sight in ask.sights),
        marks=[name for name, _ in EVIDENCE_MARKS],
        answered_at=counting[-1] if counting else None,
    )
