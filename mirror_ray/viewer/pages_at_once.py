"""Writes the pages of chosen episodes as files, on all cores, with a list of the run's episodes.

Each requested comparison gets a pair of episodes side by side. `export` determines the contents of
a page; `page_processes` decides which process writes it."""

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path

from mirror_ray.records.manifest import read_manifest
from mirror_ray.records.shards.reader import StoredRow
from mirror_ray.viewer.export import INDEX, EpisodeFile, Written, page_name, write_list
from mirror_ray.viewer.filters import Filters, Order
from mirror_ray.viewer.frame_renderer import ClosableRenderer, RenderWorker
from mirror_ray.viewer.index import EpisodeIndex
from mirror_ray.viewer.page_processes import n_processes, write_at_once
from mirror_ray.viewer.run import Run

_MOST_PAIRS = 12
"""Most comparisons for which two episodes are drawn side by side, because a page takes seconds."""
MOST_LISTED = 5_000
"""Most rows of the list, because a browser keeps all of them in memory."""


def write_chosen(
    run: Run,
    chosen: Sequence[StoredRow],
    folder: Path,
    *,
    renderer: Callable[[], ClosableRenderer],
    most_processes: int | None = None,
) -> Generator[Path]:
    """Write a page for each row, and the list last; yield each file, in order, when it is complete.

    Args:
        chosen: rows of the run's index, in the order of the list.
        renderer: makes one, in the process that draws; importable by its name.

    Raises:
        SweepError: the folder cannot be written.
        RenderError: a picture cannot be drawn.
        RunDirError: an episode's shard is damaged or gone.
    """
    ids = [row["episode_id"] for row in chosen]
    pages = Written(frozenset(ids))
    files = [page_name(one) for one in ids]
    before, after = [None, *files[:-1]], [*files[1:], None]

    def page(row: StoredRow, before: str | None, after: str | None) -> EpisodeFile:
        of = pages.episode(run, row, INDEX)
        return replace(of, links=replace(of.links, before=before, after=after))

    yield from write_at_once(
        run,
        map(page, chosen, before, after),
        folder,
        renderer=renderer,
        processes=n_processes(len(ids), most_processes),
    )
    yield write_list(run, chosen, pages, folder)


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
    """Write a page for each episode, and the list; yield the episodes' ids as they are done.

    Args:
        directories: of the run, or of several as one; of equal episodes the latest take is written.
        episode_ids: sealed episodes of the run; unknown ids are left out.
        back: where a page leads back to, relative to `folder`.
        renderer: creates one, in the process that draws; importable by its name.
        compared: pairs of cells' ids. For the first `_MOST_PAIRS` pairs whose scores differ in a
            scene, two episodes of that scene are written side by side.
        most_processes: None: as many as this process may use cores.

    Raises:
        SweepError: the folder cannot be written.
        RenderError: a picture cannot be drawn.
        RunDirError: an episode's shard is damaged or gone.
    """
    manifests = {one: read_manifest(one) for one in directories}
    run = Run(manifests, RenderWorker(renderer))
    try:
        # No row has its verdict until all rows have one, and the pages show it.
        note = run.index.classes_note(None)
        pairs = _pairs(run.index, compared)
        wanted = dict.fromkeys([*episode_ids, *(one for pair in pairs for one in pair)])
        row_of = {
            one: row for one in wanted for row in run.index.find(one) if row["episode_id"] == one
        }
        pages = Written(frozenset(row_of), frozenset(pairs))
        # Written first, so that the links work even if the rest is interrupted.
        rows = run.index.all()
        write_list(run, _listed(rows, pages, compared), pages, folder, note or _note(len(rows)))
        of_episodes = (pages.episode(run, row, back) for row in row_of.values())
        of_pairs = (pages.pair(row_of[one], row_of[other]) for one, other in pairs)
        files = write_at_once(
            run,
            chain(of_episodes, of_pairs),
            folder,
            renderer=renderer,
            processes=n_processes(len(row_of) + len(pairs), most_processes),
        )
        for _, one in zip(files, [*row_of, *([None] * len(pairs))], strict=True):
            if one is not None:
                yield one
    finally:
        run.close()


def _pairs(index: EpisodeIndex, compared: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return two episodes of the first scene in which the two cells of a comparison differ."""
    found: dict[tuple[str, str], None] = {}
    for cells in compared:
        if len(found) >= _MOST_PAIRS:
            break
        filters = Filters(differ=".".join(cells))
        rows = index.page(filters, 1, Order("scene")).rows
        found |= dict.fromkeys([*index.counterparts(filters, rows[:1]).values()])
    return list(found)


def _listed(
    rows: Sequence[StoredRow], pages: Written, compared: Sequence[tuple[str, str]]
) -> list[StoredRow]:
    """Return the list's rows: all, or else those with pages, those compared and the first
    others."""
    if len(rows) <= MOST_LISTED:
        return list(rows)
    cells = {cell for pair in compared for cell in pair}
    ranked = sorted(
        rows, key=lambda row: (row["episode_id"] not in pages.episodes, row["cell_id"] not in cells)
    )
    return sorted(ranked[:MOST_LISTED], key=lambda row: int(row["place"]))


def _note(n_rows: int) -> str:
    said = "Pages of the linked episodes alone are here; mirror-ray view DIR shows all of them."
    if n_rows <= MOST_LISTED:
        return said
    return f"{MOST_LISTED:,} of {n_rows:,} episodes. {said}"
