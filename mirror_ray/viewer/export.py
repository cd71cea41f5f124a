"""Chosen episodes as files: a self-contained page each, and a list of them.

An episode's file is named by its id. Pages need no server and no network, only a browser.
"""

from base64 import b64encode
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from io import BytesIO
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from mirror_ray.errors import SweepError
from mirror_ray.records.shards.reader import StoredRow
from mirror_ray.viewer.links import Links, scene_links
from mirror_ray.viewer.list_page import ListPage, list_html
from mirror_ray.viewer.run import Run

INDEX = "index.html"


def export(run: Run, chosen: Sequence[StoredRow], folder: Path) -> Iterator[Path]:
    """Writes the pages, one after another, and the list last; yields each file when it is whole.

    Args:
        chosen: rows of the run's index, in the order of the list.

    Raises:
        SweepError: the folder cannot be written.
        RenderError: a picture cannot be drawn.
        RunDirError: an episode's shard is damaged or gone.
    """
    ids = [row["episode_id"] for row in chosen]
    pages = Written(frozenset(ids))
    for position, listed in enumerate(chosen):
        before = ids[position - 1] if position else None
        after = ids[position + 1] if position + 1 < len(ids) else None
        links = pages.links(run, listed, INDEX)
        links = replace(
            links, before=before and page_name(before), after=after and page_name(after)
        )
        yield write_page(run, listed, links, folder)
    yield write_list(run, chosen, pages, folder)


@dataclass(frozen=True, slots=True)
class Written:
    """The pages that are there, or will be.

    Args:
        episodes: ids; `pairs`: the two ids of each side-by-side.
    """

    episodes: frozenset[str] = frozenset()
    pairs: frozenset[tuple[str, str]] = frozenset()

    def href(self, episode_id: str) -> str | None:
        """An episode's page, beside the others."""
        return page_name(episode_id) if episode_id in self.episodes else None

    def beside(self, one: str, other: str) -> str | None:
        """The side-by-side of two episodes, in whichever order it was written."""
        found = next((pair for pair in ((one, other), (other, one)) if pair in self.pairs), None)
        return None if found is None else pair_name(*found)

    def links(self, run: Run, listed: StoredRow, up: str | None) -> Links:
        """The links of an episode's page to those of its scene."""
        others = run.index.same_scene(listed)
        models, conditions, n_others = scene_links(
            listed, others, href=self.href, beside=self.beside
        )
        scene = f"{INDEX}#scene={listed['scene']}" if listed["scene"] else None
        return Links(up, None, None, models, conditions, n_others, scene)


def write_list(
    run: Run, rows: Sequence[StoredRow], pages: Written, folder: Path, note: str | None = None
) -> Path:
    """Write the list of episodes, whose script narrows and sorts it; returns where.

    Args:
        rows: in the order of the list; those with a page link it.

    Raises:
        SweepError: the folder cannot be written.
    """
    _make(folder)
    beside = {}
    for one, other in sorted(pages.pairs):
        beside[one] = beside[other] = pair_name(one, other)
    page = ListPage(run.name, run.where, len(rows), rows, pages.href, note=note, beside=beside)
    return _write(folder, INDEX, list_html(page, is_file=True))


def write_pair(run: Run, listed: tuple[StoredRow, StoredRow], pages: Written, folder: Path) -> Path:
    """Write the side-by-side of two episodes; returns where.

    Raises:
        SweepError: the folder cannot be written.
        RenderError: a picture cannot be drawn.
        RunDirError: an episode's shard is damaged or gone.
    """
    _make(folder)
    one, other = (row["episode_id"] for row in listed)
    pictures = {row["episode_id"]: run.episode_view.pictures(row) for row in listed}
    text = run.episode_view.pair(
        listed,
        (pages.href(one), pages.href(other)),
        lambda episode_id, ask, name: _inline(pictures[episode_id][ask, name]),
        up=f"{INDEX}#scene={listed[0]['scene']}",
        is_file=True,
    )
    return _write(folder, pair_name(one, other), text)


def write_page(run: Run, listed: StoredRow, links: Links, folder: Path) -> Path:
    """Write one episode's page; returns where.

    Args:
        listed: its row of the run's index.
        links: where the page leads to, relative to `folder`.

    Raises:
        SweepError: the folder cannot be written.
        RenderError: a picture cannot be drawn.
        RunDirError: the episode's shard is damaged or gone.
    """
    _make(folder)
    pictures = run.episode_view.pictures(listed)
    text = run.episode_view.page(
        listed,
        run.index.scores(listed["family"], listed["episode_id"]),
        links,
        lambda ask, name: _inline(pictures[ask, name]),
        is_file=True,
    )
    return _write(folder, page_name(listed["episode_id"]), text)


def page_name(episode_id: str) -> str:
    """The name of an episode's file."""
    return f"{episode_id}.html"


def pair_name(one: str, other: str) -> str:
    """The name of the file of two episodes side by side."""
    return f"{one}-{other}.html"


def _inline(rgb: NDArray[np.uint8]) -> str:
    """A picture as a data URI: lossless, and half as large as a PNG."""
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
