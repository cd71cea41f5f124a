"""One Limiter, its Gates and a ledger, on a virtual clock."""

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TypeVar

from pretended_provider import Wire
from virtual_time import Clock, run_virtually

from mirror_ray.engine.budget import SWEEP_SCOPE
from mirror_ray.engine.gate import Gate
from mirror_ray.engine.limiter import Limiter
from mirror_ray.engine.slots import Call, Result
from mirror_ray.engine.stakes import Spent, Stake
from mirror_ray.providers.model import Limits
from mirror_ray.records.money import TABLES, Begun, Money

T = TypeVar("T")
FREE = Result(cost_usd=0.0)


def call(cell: str = "cell", usd: float | None = 0.0, model: str = "model", **more) -> Call:
    return Call("k", model, cell, worst_case_usd=usd, **more)


def with_gate(
    scenario: Callable[[Clock, Gate, Limiter], Awaitable[T]], limits: Limits, *rest, **more
) -> T:
    """Runs `scenario` with one Gate before a Limiter of one key."""

    async def whole(clock: Clock) -> T:
        limiter = Limiter([limits], *rest, clock=clock, unix=clock, **more)
        return await scenario(clock, Gate(Wire(limiter).exchange, clock=clock), limiter)

    return run_virtually(whole)


class Kept:
    """A ledger in memory, which outlives Limiters; its sums are the real ones."""

    def __init__(self) -> None:
        db = sqlite3.connect(":memory:")
        db.executescript(TABLES)
        self.money = Money(db)
        self._days: dict[tuple[str, int], int] = {}

    async def spent(self) -> Spent:
        sums = self.money.sums()
        return Spent(
            {SWEEP_SCOPE: sum(sums.spent_usd.values())},
            {SWEEP_SCOPE: sum(sums.presumed_usd.values())},
            [Stake(one, (SWEEP_SCOPE,)) for one in sums.begun],
        )

    def at_most_usd(self) -> float:
        """What may be spent by now, as far as it is written down."""
        sums = self.money.sums()
        begun_usd = sum(one.at_most_usd for one in sums.begun)
        return sum((*sums.spent_usd.values(), *sums.presumed_usd.values(), begun_usd))

    async def begin(self, asks: Sequence[Begun]) -> None:
        await asyncio.sleep(0.005)
        self.money.begin(asks)

    async def claimed(self, days: Mapping[str, int]) -> Mapping[str, int]:
        return {key: calls for (key, day), calls in self._days.items() if days.get(key) == day}

    async def claim(self, key: str, day: int, calls: int) -> None:
        await asyncio.sleep(0.005)
        self._days[key, day] = max(calls, self._days.get((key, day), 0))

    def record(self, asked: Call, asker: str, cost_usd: float, presumed_usd: float = 0.0) -> None:
        """An ask's reply is durable, with its cost."""
        episode_id = asked.episode_id
        self.money.come_back(episode_id, asked.ask_index, asker)
        self.money.spend({episode_id: cost_usd}, {episode_id: presumed_usd})
