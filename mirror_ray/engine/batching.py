"""Decides when waiting items are sent between processes: many per message, and none too late."""

import asyncio
from collections.abc import Callable
from typing import Generic, TypeVar

_T = TypeVar("_T")


class FlushTimer:
    """Calls `flush` once, at the earliest requested time; used on one event loop."""

    def __init__(self, flush: Callable[[], None]) -> None:
        self._flush = flush
        self._timer: asyncio.TimerHandle | None = None

    def within(self, delay_s: float) -> None:
        """Flush after this time, or earlier if an earlier flush is planned."""
        loop = asyncio.get_running_loop()
        due_s = loop.time() + delay_s
        if self._timer is None or due_s < self._timer.when():
            self.cancel()
            self._timer = loop.call_at(due_s, self.now)

    def now(self) -> None:
        """Flush now."""
        self.cancel()
        self._flush()

    def cancel(self) -> None:
        """Cancel the planned flush."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


class BatchingQueue(Generic[_T]):
    """Items that another process fetches in batches; used on one event loop.

    Args:
        under_way: how many more items may come soon. Once half of all are here, they are handed
            over, while the others keep this process busy.
        linger_s: the longest that an item waits for others once there is a caller.
    """

    def __init__(self, under_way: Callable[[], int], *, linger_s: float) -> None:
        self._under_way = under_way
        self._linger_s = linger_s
        self._things: list[_T] = []
        self._fetcher: asyncio.Future[list[_T]] | None = None
        self._timer = FlushTimer(self._hand_over)

    def put(self, thing: _T) -> None:
        """Add an item; a waiting `fetch` returns it soon."""
        self._things.append(thing)
        self._look()

    async def fetch(self) -> list[_T]:
        """Return the ready items once they are worth a message. Return nothing if no item is to
        come, or when another caller fetches."""
        if self._fetcher is not None and not self._fetcher.done():
            # The earlier caller's process may be gone; the latest one exists.
            self._fetcher.set_result([])
        if not self._things and not self._under_way():
            return []
        fetcher: asyncio.Future[list[_T]] = asyncio.get_running_loop().create_future()
        self._fetcher = fetcher
        self._look()
        return await fetcher

    def _look(self) -> None:
        if not self._things or self._fetcher is None or self._fetcher.done():
            return
        if len(self._things) >= self._under_way():
            self._timer.now()
        else:
            self._timer.within(self._linger_s)

    def _hand_over(self) -> None:
        if self._fetcher is not None and not self._fetcher.done():
            things, self._things = self._things, []
            self._fetcher.set_result(things)
