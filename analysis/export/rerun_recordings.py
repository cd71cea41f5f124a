"""A run as Rerun's `.rrd` recordings, one per episode.

The stream of a recording leaves threads and memory behind in its process, even after it is closed.
So separate processes on all cores write the recordings, and each process ends after some of them.
"""

import multiprocessing
import os
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from itertools import groupby
from pathlib import Path
from typing import TypeAlias

from mirror_ray.analysis.export.batches import asks_sql, batches, by_episode, file_name, rows_by
from mirror_ray.analysis.export.pictures import AskPictures, Draw, no_pictures
from mirror_ray.analysis.export.rerun_recording import Pictures, write_recording
from mirror_ray.analysis.reading import Reading, Row
from mirror_ray.analysis.soundness import sound_run

RECORDINGS_PER_PROCESS = 200
_WAITING = 4
"""Recordings per core that wait to be written: they keep their pictures in memory."""

_Write: TypeAlias = Callable[[Path, Row, Sequence[Row], Pictures], None]

_EPISODES = """\
from stage.{family}_episodes
order by condition, model, cell_id, scene_seed, run, episode_id"""


def write_recordings(
    directory: str | Sequence[str], folder: Path, draw: Draw = no_pictures
) -> tuple[Path, ...]:
    """Write one recording per episode.

    Args:
        draw: the pictures of its requests.

    Returns:
        The files, named by family, condition, model and episode.

    Raises:
        NotADirectoryError: the run directory does not exist.
        OSError: a file cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    with sound_run(directory, hold=True) as run:
        for family in run.families():
            episodes = run.rows(_EPISODES.format(family=family))
            with _writer(len(episodes)) as write:
                for of_cell, requests in _cells(run, family, episodes):
                    for episode, pictures in _with_pictures(of_cell, draw):
                        path = folder / f"{file_name(episode, 'episode_id')}.rrd"
                        write(path, episode, requests.get(episode["episode_id"], ()), pictures)
                        written.append(path)
    return tuple(written)


@contextmanager
def _writer(n_recordings: int) -> Iterator[_Write]:
    """Yield a function that writes a recording, in this or another process. The block's end awaits
    all."""
    if n_recordings <= RECORDINGS_PER_PROCESS:
        yield write_recording
        return
    writers = _Writers(len(os.sched_getaffinity(0)))
    try:
        yield writers.write
        writers.finish()
    finally:
        writers.stop()


class _Writers:
    """Processes that write recordings; each is replaced after a number of them."""

    def __init__(self, n: int) -> None:
        self._n = n
        # Spawned: this process has threads, and may hold an OpenGL context.
        self._context = multiprocessing.get_context("spawn")
        self._processes = ProcessPoolExecutor(n, self._context)
        self._left = RECORDINGS_PER_PROCESS * n
        self._waiting: deque[Future[None]] = deque()

    def write(self, path: Path, episode: Row, asks: Sequence[Row], pictures: Pictures) -> None:
        """Queue a recording; raises the error of an earlier one."""
        # Not max_tasks_per_child, with which Python 3.11 may wait forever.
        if self._left == 0:
            self.finish()
            self.stop()
            self._processes = ProcessPoolExecutor(self._n, self._context)
            self._left = RECORDINGS_PER_PROCESS * self._n
        self._left -= 1
        job = self._processes.submit(write_recording, path, episode, asks, pictures)
        self._waiting.append(job)
        while len(self._waiting) > _WAITING * self._n:
            self._waiting.popleft().result()

    def finish(self) -> None:
        """Wait until all are written."""
        while self._waiting:
            self._waiting.popleft().result()

    def stop(self) -> None:
        """End the processes; recordings that were not begun are not written."""
        self._processes.shutdown(cancel_futures=True)


def _cells(
    run: Reading, family: str, episodes: Sequence[Row]
) -> Iterator[tuple[list[Row], Mapping[str, Sequence[Row]]]]:
    cells = {key: list(own) for key, own in groupby(episodes, key=lambda row: str(row["cell_id"]))}
    n_asks = {key: sum(row["n_asks"] or 0 for row in own) for key, own in cells.items()}
    for names in batches(n_asks):
        asks = rows_by(run, asks_sql(family, "cell_id"), "cell_id", names)
        for name in names:
            yield cells[name], by_episode(asks.pop(name))


def _with_pictures(episodes: Sequence[Row], draw: Draw) -> Iterator[tuple[Row, Pictures]]:
    """Yield each episode once it is drawn: all pictures of a cell may not fit into memory."""
    left = {row["episode_id"]: row for row in episodes}
    for episode_id, pictures in draw(tuple(left)):
        yield left.pop(episode_id), _files(pictures)
    for row in left.values():
        yield row, {}


def _files(pictures: Mapping[int, AskPictures]) -> Pictures:
    return {
        ask: tuple((image.data, image.encoding) for image in shown.images)
        for ask, shown in pictures.items()
    }
