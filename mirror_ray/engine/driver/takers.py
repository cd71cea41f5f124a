"""Who waits for an episode: places of Simulators, in the order they came."""

import asyncio
from collections import deque
from itertools import count

from mirror_ray.engine.simulator.messages import Lease


class Takers:
    """Places that wait, by Simulator; use it on one event loop."""

    def __init__(self) -> None:
        self._waiting: dict[int, deque[tuple[int, asyncio.Future[Lease | None]]]] = {}
        self._numbers = count()

    def add(self, simulator: int) -> asyncio.Future[Lease | None]:
        """A place of this Simulator waits from now on; the result is what it is given."""
        place: asyncio.Future[Lease | None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(simulator, deque()).append((next(self._numbers), place))
        return place

    @property
    def idle(self) -> list[int]:
        """The Simulators of which a place waits, the longest waiting first."""
        for places in self._waiting.values():
            while places and places[0][1].done():  # its caller has gone
                places.popleft()
        idle = [simulator for simulator, places in self._waiting.items() if places]
        return sorted(idle, key=lambda simulator: self._waiting[simulator][0][0])

    def give(self, simulator: int, lease: Lease | None) -> None:
        """To the place of one of the `idle` that has waited longest."""
        self._waiting[simulator].popleft()[1].set_result(lease)
