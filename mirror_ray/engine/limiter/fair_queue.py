"""Weighted fair queueing of flows, the oldest call first within a flow.

Start-time fair queueing (Goyal, Vin, Cheng 1996): a flow's turns are spaced by 1 / weight on a
virtual clock that only moves when a flow is served."""

from collections.abc import Hashable
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import count
from typing import Generic, TypeVar

_T = TypeVar("_T")


@dataclass(slots=True)
class _Flow(Generic[_T]):
    turn: float
    waiting: list[tuple[float, int, _T]] = field(default_factory=list)


class FairQueue(Generic[_T]):
    """Items that wait in flows; `head` is the next one."""

    def __init__(self) -> None:
        self._flows: dict[Hashable, _Flow[_T]] = {}
        self._turns: list[tuple[float, int, Hashable]] = []
        self._aside: list[tuple[float, int, Hashable]] = []
        self._clock = 0.0
        self._tickets = count()

    def push(self, flow: Hashable, since: float, item: _T) -> None:
        """Add `item` to `flow`. It has waited since `since`, on any one clock."""
        ticket = next(self._tickets)
        known = self._flows.setdefault(flow, _Flow(self._clock))
        if not known.waiting:
            # An idle flow earns no credit but keeps its deficit.
            known.turn = max(known.turn, self._clock)
            heappush(self._turns, (known.turn, ticket, flow))
        heappush(known.waiting, (since, ticket, item))

    def head(self) -> _T | None:
        """Return the next item, except those set aside."""
        if not self._turns:
            return None
        return self._flows[self._turns[0][2]].waiting[0][2]

    def drop(self) -> None:
        """Remove the head without using its flow's turn."""
        flow = self._flows[self._turns[0][2]]
        heappop(flow.waiting)
        if not flow.waiting:
            heappop(self._turns)

    def serve(self, weight: float = 1.0) -> None:
        """Remove the head; its flow's next turn is 1 / `weight` later."""
        _, ticket, name = heappop(self._turns)
        flow = self._flows[name]
        heappop(flow.waiting)
        self._clock = max(self._clock, flow.turn)
        flow.turn += 1.0 / weight
        if flow.waiting:
            heappush(self._turns, (flow.turn, ticket, name))

    def set_aside(self) -> None:
        """Set the head's flow aside until `restore`; it keeps its turn."""
        self._aside.append(heappop(self._turns))

    def restore(self) -> None:
        """Restore all flows that were set aside."""
        for turn in self._aside:
            heappush(self._turns, turn)
        self._aside.clear()
