"""Chosen episodes' pages written by several processes, each with a renderer of its own.

Beside them stands a list of the run's episodes, and for each comparison that is asked for a pair of
episodes side by side. Knows processes; what a page is, is `export`'s.
"""

import multiprocessing
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path

from mirror_ray.records.rundir import read_manifest
from mirror_ray.records.shards.reader import StoredRow
from mirror_ray.viewer.export import Written, write_list, write_page, write_pair
from mirror_ray.viewer.filters import Filters, Order
from mirror_ray.viewer.index import EpisodeIndex
from mirror_ray.viewer.render_thread import ClosableRenderer, RenderWorker
from mirror_ray.viewer.run import Run

MOST_PAIRS = 12
"""Side-by-sides that are drawn, one of each comparison: a page takes seconds."""
MOST_LISTED = 5_000
"""Rows of the list, which a browser holds whole."""
_LEAST_PER_PROCESS = 4
"""A process takes seconds to start, and a page some."""


@dataclass(frozen=True, slots=True)
class _Job:
    """What all processes share.

    Args:
        directories: of the run, or of several as one.
        back: where a page leads back to, relative to `folder`.
        pages: all that will be there.
    """

    directories: tuple[str, ...]
    folder: Path
    back: str
    renderer: Callable[[], ClosableRenderer]
    pages: Written


def write_pages(
    directories: Sequence[str],
    episode_ids: Sequence[str],
    folder: Path,
    *,
    back: str,
    renderer: Callable[[], ClosableRenderer],
    compared: Sequence[tuple[str, str]] = (),
    most_processes: int | None = None,
) -> Iterator[str]:
    """Write a page for each episode, and the list; yields the episodes' ids as they are done.

    Args:
        directories: of the run, or of several as one: of equal episodes the latest take is written.
        episode_ids: sealed episodes of the run; ids that it does not have are left out.
        back: where a page leads back to, relative to `folder`.
        renderer: makes one, in the process that draws; importable by its name.
        compared: pairs of cells' ids; of the first `MOST_PAIRS` whose scores differ in a scene, two
            of its episodes are written, and those side by side.
        most_processes: None: as many as this process may use cores.

    Raises:
        SweepError: the folder cannot be written.
        RenderError: a picture cannot be drawn.
        RunDirError: an episode's shard is damaged or gone.
    """
    run = _opened(directories, renderer)
    try:
        # Rows have their verdict once all have: pages say it.
        note = run.index.classes_note(None)
        pairs = _pairs(run.index, compared)
        wanted = dict.fromkeys([*episode_ids, *_flat(pairs)])
        ids = [
            one for one in wanted if any(row["episode_id"] == one for row in run.index.find(one))
        ]
        pages = Written(frozenset(ids), frozenset(pairs))
        job = _Job(tuple(directories), folder, back, renderer, pages)
        # First: what is interrupted then leads somewhere.
        rows = run.index.all()
        write_list(run, _listed(rows, pages, compared), pages, folder, note or _note(len(rows)))
    finally:
        run.close()
    cores = most_processes or len(os.sched_getaffinity(0))
    n = max(1, min(cores, (len(ids) + len(pairs)) // _LEAST_PER_PROCESS))
    shares = [(ids[place::n], pairs[place::n]) for place in range(n)]
    if n == 1:
        yield from _write_some(job, *shares[0])
        return
    # Spawned: this process has threads, and may hold an OpenGL context.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(n, mp_context=context) as pool:
        for done in as_completed([pool.submit(_write_some, job, *some) for some in shares]):
            yield from done.result()


def _opened(directories: Sequence[str], renderer: Callable[[], ClosableRenderer]) -> Run:
    return Run({one: read_manifest(one) for one in directories}, RenderWorker(renderer))


def _pairs(index: EpisodeIndex, compared: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """Of each comparison the first scene that differs, as its two episodes."""
    found: dict[tuple[str, str], None] = {}
    for cells in compared:
        if len(found) >= MOST_PAIRS:
            break
        filters = Filters(differ=".".join(cells))
        rows = index.page(filters, 1, Order("scene")).rows
        found |= dict.fromkeys([*index.counterparts(filters, rows[:1]).values()])
    return list(found)


def _listed(
    rows: Sequence[StoredRow], pages: Written, compared: Sequence[tuple[str, str]]
) -> list[StoredRow]:
    """The rows of the list: all, or those with pages, those compared, and the first of the rest."""
    if len(rows) <= MOST_LISTED:
        return list(rows)
    cells = {cell for pair in compared for cell in pair}
    ranked = sorted(
        rows,
        key=lambda row: (row["episode_id"] not in pages.episodes, row["cell_id"] not in cells),
    )
    return sorted(ranked[:MOST_LISTED], key=lambda row: int(row["place"]))


def _note(n_rows: int) -> str:
    said = "Pages of the linked episodes alone are here; mirror-ray view DIR shows all of them."
    if n_rows <= MOST_LISTED:
        return said
    return f"{MOST_LISTED:,} of {n_rows:,} episodes. {said}"


def _write_some(job: _Job, ids: list[str], pairs: list[tuple[str, str]]) -> list[str]:
    run = _opened(job.directories, job.renderer)
    try:
        run.index.classes_note(None)
        row_of = {one: row for one in (*ids, *_flat(pairs)) for row in run.index.find(one)[:1]}
        written = []
        for one in ids:
            write_page(run, row_of[one], job.pages.links(run, row_of[one], job.back), job.folder)
            written.append(one)
        for one, other in pairs:
            write_pair(run, (row_of[one], row_of[other]), job.pages, job.folder)
        return written
    finally:
        run.close()


def _flat(pairs: Sequence[tuple[str, str]]) -> list[str]:
    return [one for pair in pairs for one in pair]
