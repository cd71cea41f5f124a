"""One Limiter, its clients and a ledger, on a virtual clock."""

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TypeVar

from mirror_ray.engine.limiter.actor import Limiter
from mirror_ray.engine.limiter.budget import SWEEP_SCOPE
from mirror_ray.engine.limiter.client import LimiterClient
from mirror_ray.engine.limiter.inherited_calls import InheritedCall, Spent
from mirror_ray.engine.limiter.messages import CallResult, LimiterCall
from mirror_ray.providers.model import Limits
from mirror_ray.records.journal.charges import TABLES, Charges, Overrun, PendingCall
from mirror_ray.records.journal.journal_tables import teach
from support.engine.pretended_provider import Wire
from support.engine.virtual_time import Clock, run_virtually

T = TypeVar("T")
FREE = CallResult(cost_usd=0.0)


def call(cell: str = "cell", usd: float | None = 0.0, model: str = "model", **more) -> LimiterCall:
    return LimiterCall("k", model, cell, worst_case_usd=usd, **more)


def with_client(
    scenario: Callable[[Clock, LimiterClient, Limiter], Awaitable[T]], limits: Limits, *rest, **more
) -> T:
    """Runs `scenario` with one client before a Limiter of one key."""

    async def whole(clock: Clock) -> T:
        limiter = Limiter([limits], *rest, clock=clock, unix=clock, **more)
        return await scenario(clock, LimiterClient(Wire(limiter).exchange, clock=clock), limiter)

    return run_virtually(whole)


class Kept:
    """A ledger in memory, which outlives Limiters; its sums are the real ones."""

    def __init__(self) -> None:
        db = sqlite3.connect(":memory:")
        teach(db)
        db.executescript(TABLES)
        self.charges = Charges(db)
        self._days: dict[tuple[str, int], int] = {}

    async def spent(self) -> Spent:
        sums = self.charges.sums()
        return Spent(
            {SWEEP_SCOPE: sum(sums.spent_usd.values())},
            {SWEEP_SCOPE: sum(sums.presumed_usd.values())},
            [InheritedCall(one, (SWEEP_SCOPE,)) for one in sums.pending],
            self.charges.highest_usd(),
        )

    def at_most_usd(self) -> float:
        """The possible spending by now, as far as it is durable."""
        sums = self.charges.sums()
        pending_usd = sum(one.at_most_usd for one in sums.pending)
        return sum((*sums.spent_usd.values(), *sums.presumed_usd.values(), pending_usd))

    async def begin(self, asks: Sequence[PendingCall]) -> None:
        await asyncio.sleep(0.005)
        self.charges.begin(asks)

    async def overrun(self, calls: Sequence[Overrun]) -> None:
        await asyncio.sleep(0.005)
        self.charges.overrun(calls)

    async def claimed(self, days: Mapping[str, int]) -> Mapping[str, int]:
        return {key: calls for (key, day), calls in self._days.items() if days.get(key) == day}

    async def claim(self, key: str, day: int, calls: int) -> None:
        await asyncio.sleep(0.005)
        self._days[key, day] = max(calls, self._days.get((key, day), 0))

    def record(
        self, asked: LimiterCall, asker: str, cost_usd: float, presumed_usd: float = 0.0
    ) -> None:
        """An ask's reply is durable, with its cost."""
        episode_id = asked.episode_id
        self.charges.settle(episode_id, asked.ask_index, asker)
        self.charges.spend({episode_id: cost_usd}, {episode_id: presumed_usd})
