"""Episodes as files: self-contained pages of one episode or of two side by side, and a list.

An episode's file is named by its id. Pages need no server and no network, only a browser."""

from base64 import b64encode
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from mirror_ray.core.errors import SweepError
from mirror_ray.records.shards.reader import StoredRow
from mirror_ray.viewer.links import Links, Source, scene_links
from mirror_ray.viewer.list_page import ListPage, list_html
from mirror_ray.viewer.run import Run

if TYPE_CHECKING:
    from mirror_ray.viewer.episode_view import EpisodeView

INDEX = "index.html"


@dataclass(frozen=True, slots=True)
class EpisodeFile:
    """The contents of an episode's page, without its pictures.

    Args:
        listed: its row in the run's index.
        scores: its row in its family's view of scores.
        links: the addresses it links to, relative to its folder.
    """

    listed: StoredRow
    scores: StoredRow
    links: Links


@dataclass(frozen=True, slots=True)
class PairFile:
    """The contents of a page with two episodes side by side, without their pictures: their rows in
    the run's index, and the addresses of their own pages, if any."""

    listed: tuple[StoredRow, StoredRow]
    hrefs: tuple[str | None, str | None]


@dataclass(frozen=True, slots=True)
class Written:
    """The pages that have been, or will be, written, by episode ids: single pages and pairs."""

    episodes: frozenset[str] = frozenset()
    pairs: frozenset[tuple[str, str]] = frozenset()

    def href(self, episode_id: str) -> str | None:
        """Return the address of an episode's page, which is in the same folder."""
        return page_name(episode_id) if episode_id in self.episodes else None

    def side_by_side(self, one: str, other: str) -> str | None:
        """Return the address of the page of two episodes, in whichever order it was written."""
        found = next((pair for pair in ((one, other), (other, one)) if pair in self.pairs), None)
        return None if found is None else pair_name(*found)

    def episode(self, run: Run, listed: StoredRow, up: str | None) -> EpisodeFile:
        """Return an episode's page, with links to `up` and to the episodes of its scene."""
        scores = run.index.scores(listed["family"], listed["episode_id"])
        return EpisodeFile(listed, scores, self._links(run, listed, up))

    def pair(self, one: StoredRow, other: StoredRow) -> PairFile:
        """Return the page of two episodes."""
        return PairFile(
            (one, other), (self.href(one["episode_id"]), self.href(other["episode_id"]))
        )

    def _links(self, run: Run, listed: StoredRow, up: str | None) -> Links:
        others = run.index.same_scene(listed)
        models, conditions, n_others = scene_links(
            listed, others, href=self.href, side_by_side=self.side_by_side
        )
        scene = f"{INDEX}#scene={listed['scene']}" if listed["scene"] else None
        return Links(up, None, None, models, conditions, n_others, scene)


def write_list(
    run: Run, rows: Sequence[StoredRow], pages: Written, folder: Path, note: str | None = None
) -> Path:
    """Write the list of episodes, whose script filters and sorts it, and return its path. Rows are
    in order and link their pages, if any. Raise SweepError if the folder cannot be written."""
    _make(folder)
    side_by_side = {}
    for one, other in sorted(pages.pairs):
        side_by_side[one] = side_by_side[other] = pair_name(one, other)
    page = ListPage(
        run.name, run.where, len(rows), rows, pages.href, note=note, side_by_side=side_by_side
    )
    return _write(folder, INDEX, list_html(page, is_file=True))


def write_page(view: "EpisodeView", page: EpisodeFile | PairFile, folder: Path) -> Path:
    """Draw and write a page; return its path. Raise SweepError if the folder cannot be written,
    RenderError if a picture cannot be drawn, RunDirError if a shard is damaged or gone."""
    _make(folder)
    if isinstance(page, PairFile):
        return _write_pair(view, page, folder)
    text = view.page(
        page.listed, page.scores, page.links, _pictures(view, page.listed), is_file=True
    )
    return _write(folder, page_name(page.listed["episode_id"]), text)


def _write_pair(view: "EpisodeView", page: PairFile, folder: Path) -> Path:
    one, other = (row["episode_id"] for row in page.listed)
    of = {row["episode_id"]: _pictures(view, row) for row in page.listed}
    text = view.pair(
        page.listed,
        page.hrefs,
        lambda episode_id, ask, name: of[episode_id](ask, name),
        up=f"{INDEX}#scene={page.listed[0]['scene']}",
        is_file=True,
    )
    return _write(folder, pair_name(one, other), text)


def page_name(episode_id: str) -> str:
    """Return the name of an episode's file."""
    return f"{episode_id}.html"


def pair_name(one: str, other: str) -> str:
    """Return the name of the file of two episodes side by side."""
    return f"{one}-{other}.html"


def _pictures(view: "EpisodeView", listed: StoredRow) -> Source:
    """Return an episode's pictures as data URIs, each drawn once and only if the page shows it. As
    arrays, the pictures of a long episode would take a gigabyte."""
    return cache(lambda ask, name: _inline(view.picture(listed, ask, name)))


def _inline(rgb: NDArray[np.uint8]) -> str:
    """Return a picture as a data URI: lossless WebP, half as large as a PNG."""
    buffer = BytesIO()
    Image.fromarray(rgb).save(buffer, "WEBP", lossless=True, method=1)
    return f"data:image/webp;base64,{b64encode(buffer.getvalue()).decode()}"


def _make(folder: Path) -> None:
    with _faults_told(folder):
        folder.mkdir(parents=True, exist_ok=True)


def _write(folder: Path, name: str, text: str) -> Path:
    path, temporary = folder / name, folder / f".{name}.tmp"
    with _faults_told(folder):
        # A lone surrogate, which JSON can spell, cannot be encoded in UTF-8.
        temporary.write_bytes(text.encode(errors="replace"))
        temporary.rename(path)
    return path


@contextmanager
def _faults_told(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise SweepError(
            "command line: --static",
            f"{folder}: {error.strerror}",
            "a folder that can be written",
            "choose another, or make room",
        ) from error
