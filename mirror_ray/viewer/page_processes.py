"""Writes pages in several processes, each with its own renderer.

The caller's process has the run's index and determines the contents of each page; the others read
the episodes, draw and write. The files do not depend on the number of processes."""

import multiprocessing
import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from threading import Thread
from typing import Any

from mirror_ray.core.errors import RenderError
from mirror_ray.viewer.episode_view import EpisodeView
from mirror_ray.viewer.export import EpisodeFile, PairFile, write_page
from mirror_ray.viewer.frame_renderer import ClosableRenderer, RenderWorker
from mirror_ray.viewer.run import Run

_LEAST_PER_PROCESS = 4
"""The fewest pages for a process, because it takes seconds to start, as long as some pages."""
_AHEAD = 4
"""Pages prepared for each process, so that none waits and an interrupt leaves few to finish."""


_writer: list[tuple[EpisodeView, Path]] = []
"""What draws, and the folder, in a process of the pool. A task gets only its page."""


def n_processes(n_pages: int, most: int | None) -> int:
    """Return how many processes are worth starting: by default no more than usable cores."""
    cores = most or len(os.sched_getaffinity(0))
    return max(1, min(cores, n_pages // _LEAST_PER_PROCESS))


def write_at_once(
    run: Run,
    pages: Iterable[EpisodeFile | PairFile],
    folder: Path,
    *,
    renderer: Callable[[], ClosableRenderer],
    processes: int,
) -> Iterator[Path]:
    """Write pages; yield their paths in order, each once it and those before it are complete.

    Args:
        pages: taken as they are needed, by the calling thread.
        renderer: makes one, in the process that draws; importable by name.
        processes: 1: this one, with the run's own renderer.

    Raises:
        SweepError: the folder cannot be written.
        RenderError: a picture cannot be drawn, or a process was killed over it.
        RunDirError: an episode's shard is damaged or gone.
    """
    if processes == 1:
        for page in pages:
            yield write_page(run.episode_view, page, folder)
        return
    # Spawned: this process has threads, and may hold an OpenGL context.
    pool = ProcessPoolExecutor(
        processes,
        mp_context=multiprocessing.get_context("spawn"),
        initializer=_begin,
        initargs=(dict(run.manifests), renderer, folder),
    )
    due: deque[Future[Path]] = deque()
    try:
        _start(pool)
        for page in pages:
            due.append(pool.submit(_write, page))
            if len(due) > processes * _AHEAD:
                yield due.popleft().result()
        while due:
            yield due.popleft().result()
    except BrokenProcessPool as error:
        raise RenderError(
            "a process that draws pages was killed",
            "",
            "a graphics driver that does not crash, and memory for a renderer in each process",
            "look into the system's log; taskset -c 0 mirror-ray … has one process draw",
        ) from error
    finally:
        pool.shutdown(cancel_futures=True)


def _start(pool: ProcessPoolExecutor) -> None:
    """Set a pool's process up to ignore Ctrl-C, which the parent handles."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        pool.submit(os.getpid)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin(
    manifests: Mapping[str, Mapping[str, Any]],
    renderer: Callable[[], ClosableRenderer],
    folder: Path,
) -> None:
    Thread(target=_end_with_parent, daemon=True).start()
    _writer.append((EpisodeView(manifests, RenderWorker(renderer)), folder))


def _end_with_parent() -> None:
    """End this process with its parent, which cannot report that it was killed."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _write(page: EpisodeFile | PairFile) -> Path:
    ((view, folder),) = _writer
    return write_page(view, page, folder)
