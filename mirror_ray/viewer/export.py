"""Chosen episodes as files: a page each, whole in itself, and a list of them.

Knows names of files: an episode's is its id. Pages need no server and no network, only a browser.
"""

from base64 import b64encode
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from mirror_ray.errors import SweepError
from mirror_ray.records.sealed import StoredRow
from mirror_ray.viewer.links import Links
from mirror_ray.viewer.list_page import ListPage, list_html
from mirror_ray.viewer.run import Run

INDEX = "index.html"


def export(run: Run, chosen: Sequence[StoredRow], folder: Path) -> Iterator[Path]:
    """Write the pages, one after another, and the list last; yields each file when it is whole.

    Args:
        chosen: rows of the run's index, in the order of the list.

    Raises:
        SweepError: the folder cannot be written.
        RenderError: a picture cannot be drawn.
        RunDirError: an episode's shard is damaged or gone.
    """
    _make(folder)
    ids = [row["episode_id"] for row in chosen]
    for position, listed in enumerate(chosen):
        before = ids[position - 1] if position else None
        after = ids[position + 1] if position + 1 < len(ids) else None
        links = Links(INDEX, before and page_name(before), after and page_name(after))
        pictures = run.screening.pictures(listed)
        text = run.screening.page(
            listed,
            run.index.scores(listed["family"], listed["episode_id"]),
            links,
            lambda ask, name, pictures=pictures: _inline(pictures[ask, name]),  # type: ignore[misc]
            is_file=True,
        )
        yield _write(folder, page_name(listed["episode_id"]), text)
    page = ListPage(run.name, run.where, len(chosen), chosen, page_name)
    yield _write(folder, INDEX, list_html(page, is_file=True))


def page_name(episode_id: str) -> str:
    """The name of an episode's file."""
    return f"{episode_id}.html"


def _inline(rgb: NDArray[np.uint8]) -> str:
    """A picture as an address that holds it: exact, and half as large as a PNG."""
    buffer = BytesIO()
    Image.fromarray(rgb).save(buffer, "WEBP", lossless=True, method=1)
    return f"data:image/webp;base64,{b64encode(buffer.getvalue()).decode()}"


def _make(folder: Path) -> None:
    with _faults_told(folder):
        folder.mkdir(parents=True, exist_ok=True)


def _write(folder: Path, name: str, text: str) -> Path:
    path, temporary = folder / name, folder / f".{name}.tmp"
    with _faults_told(folder):
        # A lone surrogate, which JSON can spell, has no bytes of its own.
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
