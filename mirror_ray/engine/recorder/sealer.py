"""Seals finished episodes once there are many, or once the first has waited long."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

from mirror_ray.engine.batching import FlushTimer
from mirror_ray.records.journal.group_commit import GroupCommit
from mirror_ray.records.rows.finished import Backlog
from mirror_ray.records.shards.sealing import SealBounds, Sealing


class Sealer:
    """Seals finished episodes of the journal in the background, on one event loop."""

    def __init__(self, sealing: Sealing, journal: GroupCommit, bounds: SealBounds) -> None:
        self._sealing = sealing
        self._journal = journal
        self._bounds = bounds
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="sealer")
        self._background: asyncio.Task[None] | None = None
        self._timer = FlushTimer(self._start)
        self.backlog = Backlog(0, 0)
        """The finished episodes that wait in the journal."""

    async def seal(self) -> None:
        """Seal all finished episodes now. If that raises RunDirError, they stay in the journal."""
        self._timer.cancel()
        loop = asyncio.get_running_loop()
        await loop.run_in_executor(self._thread, self._sealing.seal)
        self.backlog = await self._journal.submit(lambda journal: journal.ended.backlog())

    def grown(self, backlog: Backlog) -> None:
        """Note that an episode has finished, and how much is waiting now."""
        self.backlog = backlog
        self._seal_when_due()

    def raise_error(self) -> None:
        """Raise an error of sealing in the background, once; its episodes are in the journal."""
        task = self._background
        if task is not None and task.done():
            self._background = None
            if not task.cancelled():
                task.result()

    def close(self) -> None:
        """Wait for the sealing in progress, and seal no more."""
        self._timer.cancel()
        self._thread.shutdown()

    def _seal_when_due(self) -> None:
        if self._background is not None:
            return
        due = (
            self.backlog.episodes >= self._bounds.episodes
            or self.backlog.size_bytes >= self._bounds.size_bytes
        )
        if due:
            self._timer.now()
        else:
            self._timer.within(self._bounds.age_s)

    def _start(self) -> None:
        self._background = asyncio.get_running_loop().create_task(self.seal())
        self._background.add_done_callback(self._sealed)

    def _sealed(self, task: asyncio.Task[None]) -> None:
        if not task.cancelled() and task.exception() is None:
            self._background = None
            if self.backlog.episodes:
                self._seal_when_due()
