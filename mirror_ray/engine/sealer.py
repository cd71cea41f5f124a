"""When finished episodes are sealed: once there are many, or the first of them has waited long.

Knows bounds, a timer and a thread of its own; does not know how a batch is sealed.
"""

import asyncio
from concurrent.futures import ThreadPoolExecutor

from mirror_ray.records.group_commit import GroupCommit
from mirror_ray.records.journal import Backlog, Journal
from mirror_ray.records.sealing import SealBounds, Sealing


class Sealer:
    """Seals beside all else, on one event loop.

    Args:
        sealing: how it is done.
        journal: what is finished waits there.
    """

    def __init__(self, sealing: Sealing, journal: GroupCommit, bounds: SealBounds) -> None:
        self._sealing = sealing
        self._journal = journal
        self._bounds = bounds
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="sealer")
        self._background: asyncio.Task[None] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self.backlog = Backlog(0, 0)
        """What waits in the journal."""

    async def seal(self) -> None:
        """All that is finished, now.

        Raises:
            RunDirError: a shard could not be written; the episodes stay in the journal.
        """
        self._cancel_timer()
        loop = asyncio.get_running_loop()
        await loop.run_in_executor(self._thread, self._sealing.seal)
        self.backlog = await self._journal.submit(Journal.backlog)

    def grown(self, backlog: Backlog) -> None:
        """An episode has finished; so much waits now."""
        self.backlog = backlog
        self._seal_when_due()

    def raise_error(self) -> None:
        """What went wrong in the background; once.

        Raises:
            RunDirError: a shard could not be written; the episodes stay in the journal.
        """
        task = self._background
        if task is not None and task.done():
            self._background = None
            if not task.cancelled():
                task.result()

    def close(self) -> None:
        """Waits for what is being sealed; seals no more."""
        self._cancel_timer()
        self._thread.shutdown()

    def _seal_when_due(self) -> None:
        if self._background is not None:
            return
        due = (
            self.backlog.episodes >= self._bounds.episodes
            or self.backlog.size_bytes >= self._bounds.size_bytes
        )
        if due:
            self._start()
        elif self._timer is None:
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(self._bounds.age_s, self._start)

    def _start(self) -> None:
        self._cancel_timer()
        self._background = asyncio.get_running_loop().create_task(self.seal())
        self._background.add_done_callback(self._sealed)

    def _sealed(self, task: asyncio.Task[None]) -> None:
        """A failure stays, to be raised."""
        if not task.cancelled() and task.exception() is None:
            self._background = None
            if self.backlog.episodes:
                self._seal_when_due()

    def _cancel_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
