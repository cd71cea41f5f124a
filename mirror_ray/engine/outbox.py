"""What a process has ready for another, until that one fetches it: much in a message.

Knows when it is worth a message; does not know what is in it, nor how it travels.
"""

import asyncio
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class Outbox(Generic[T]):
    """Things to be fetched; use it on one event loop.

    Args:
        under_way: how many more may come soon: once half of all are here they are handed over,
            so that the others keep this process busy meanwhile.
        linger_s: how long a thing waits for company at most, once somebody fetches.
    """

    def __init__(self, under_way: Callable[[], int], *, linger_s: float) -> None:
        self._under_way = under_way
        self._linger_s = linger_s
        self._things: list[T] = []
        self._fetcher: asyncio.Future[list[T]] | None = None
        self._timer: asyncio.TimerHandle | None = None

    def put(self, thing: T) -> None:
        """Handed over before long, if somebody fetches."""
        self._things.append(thing)
        self._look()

    async def fetch(self) -> list[T]:
        """What is ready, once it is worth it; nothing where nothing is to come, or as soon as
        somebody else fetches."""
        if self._fetcher is not None and not self._fetcher.done():
            # It may have gone: who comes last is there.
            self._fetcher.set_result([])
        if not self._things and not self._under_way():
            return []
        fetcher: asyncio.Future[list[T]] = asyncio.get_running_loop().create_future()
        self._fetcher = fetcher
        self._look()
        return await fetcher

    def _look(self) -> None:
        if not self._things or self._fetcher is None or self._fetcher.done():
            return
        if len(self._things) >= self._under_way():
            self._hand_over()
        elif self._timer is None:
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(self._linger_s, self._hand_over)

    def _hand_over(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._fetcher is not None and not self._fetcher.done():
            things, self._things = self._things, []
            self._fetcher.set_result(things)
