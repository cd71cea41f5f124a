"""The Limiter: who may call a model when. One queue and lane per rate-limited key, one budget.

Gates report what waits and what has ended, several times a second, and take granted slots home.
Knows Gates, their deaths and its own restart; does not know Ray, prices or replies. A key's
arithmetic is in `lane`, the order of its calls in `turnstile`, money in `budget`.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from time import monotonic, time
from types import MappingProxyType
from typing import Protocol, TypeVar

from mirror_ray.engine.allowance import DayCount
from mirror_ray.engine.breaker import Breaker
from mirror_ray.engine.budget import SWEEP_SCOPE, Budget, PurseStats
from mirror_ray.engine.lane import strictest
from mirror_ray.engine.slots import Answer, Granted, Report
from mirror_ray.engine.stakes import Spent, Stakes
from mirror_ray.engine.token_ratio import TokenRatio
from mirror_ray.engine.turnstile import Ticket, Turnstile
from mirror_ray.engine.visitors import Visitors
from mirror_ray.providers.model import Limits
from mirror_ray.records.money import Begun

T = TypeVar("T")

EXCHANGE_S = 0.1
EXCHANGES_PER_S = 100
"""Of all Gates together: with many of them each reports less often, and is granted more at once."""

AHEAD_S = 0.15
"""A slot is granted so long before its time that its Gate hears of it."""


class Ledger(Protocol):
    """What outlives the Limiter."""

    async def spent(self) -> Spent:
        """Costs so far, and what is at stake beside them."""
        ...

    async def begin(self, asks: Sequence[Begun]) -> None:
        """Makes durable that these may be asked, and what they may cost."""
        ...

    async def claimed(self, days: Mapping[str, int]) -> Mapping[str, int]:
        """Key → calls that were claimed of its day; days by number, as `DayCount` counts them."""
        ...

    async def claim(self, key: str, day: int, calls: int) -> None:
        """Makes durable that up to `calls` calls of the day may have been made."""
        ...


@dataclass(frozen=True, slots=True)
class LaneStats:
    """What one key is doing.

    Args:
        calls: granted so far; of these `refused` were turned away for their rate.
        waiting, in_flight: calls now.
        paused_s: what is left of a pause.
        per_minute: the pace now; `ceiling_per_minute` the most it may become, inf if unknown.
    """

    calls: int
    refused: int
    waiting: int
    in_flight: int
    paused_s: float
    per_minute: float
    ceiling_per_minute: float


@dataclass(frozen=True, slots=True)
class LimiterStats:
    """The whole Limiter.

    Args:
        spent_usd: known costs, those of earlier runs included.
        presumed_usd: worst cases of calls whose cost stayed unknown, earlier runs included;
            the budget counts them.
        reserved_usd: worst cases of the calls under way.
        lanes: key → what it is doing.
        purses: scope → what it has spent and may spend.
        breakers: model → "closed", "open" or "half open".
    """

    spent_usd: float
    presumed_usd: float
    reserved_usd: float
    lanes: Mapping[str, LaneStats]
    purses: Mapping[str, PurseStats]
    breakers: Mapping[str, str]

    @property
    def calls(self) -> int:
        """Calls granted so far."""
        return sum(lane.calls for lane in self.lanes.values())

    @property
    def waiting(self) -> int:
        """Calls that wait for their turn."""
        return sum(lane.waiting for lane in self.lanes.values())


class Limiter:
    """Grants calls within every key's limits and every scope's budget.

    Args:
        limits: every key that may be asked for; where one comes twice, the stricter bounds hold.
        ceilings: scope → ceiling in USD.
        weights: cell → share of a key's turns relative to others; 1 where it is not named.
        ledger: what earlier runs, and earlier lives of the Limiter, have spent and claimed.
        clock: seconds on a steady clock; `unix`: of Unix time, for days.
    """

    def __init__(
        self,
        limits: Sequence[Limits],
        ceilings: Mapping[str, float] = MappingProxyType({}),
        *,
        weights: Mapping[str, float] = MappingProxyType({}),
        ledger: Ledger | None = None,
        clock: Callable[[], float] = monotonic,
        unix: Callable[[], float] = time,
    ) -> None:
        self._limits: dict[str, Limits] = {}
        for one in limits:
            self._limits[one.key] = strictest(one, self._limits.get(one.key, one))
        self._ceilings = ceilings
        self._weights = weights
        self._ledger = ledger
        self._clock, self._unix = clock, unix
        self._breakers: dict[str, Breaker] = _Made(Breaker)
        self._opening: asyncio.Task[_Books] | None = None
        self._claims: dict[str, asyncio.Task[None]] = {}

    async def exchange(self, report: Report) -> Answer:
        """Hears a Gate, and tells it what it has been granted or denied since it last asked.

        Raises:
            EngineError: a call of a key without limits, or the ledger is out of reach.
        """
        books = await self._open()
        now_s, unix_s = self._clock(), self._unix()
        gate = books.visitors.hear(report, now_s)
        if gate is None:
            return Answer(known=False)
        books.visitors.mind_the_silent(now_s)
        again_s = max(EXCHANGE_S, len(books.visitors) / EXCHANGES_PER_S)
        for key, turnstile in books.turnstiles.items():
            if turnstile.waiting:
                turnstile.plan(now_s, unix_s, now_s + again_s + AHEAD_S)
                self._claim_calls(key, turnstile, unix_s)
        granted, gate.granted = gate.granted, []
        denied, gate.denied = gate.denied, []
        await self._note(report.gate_id, granted)
        now_s = self._clock()
        return Answer(
            known=True,
            granted=tuple(
                Granted(ticket.call_id, max(0.0, ticket.started.at_s - now_s))
                for ticket in granted
                if ticket.started is not None
            ),
            denied=tuple(denied),
            again_s=again_s,
            tight=frozenset(key for key, one in books.turnstiles.items() if one.tight),
        )

    async def stats(self) -> LimiterStats:
        """Counters, cheap enough to ask for once a second."""
        books = await self._open()
        now_s = self._clock()
        books.visitors.mind_the_silent(now_s)
        whole = books.budget.purse(SWEEP_SCOPE)
        return LimiterStats(
            spent_usd=whole.spent_usd,
            presumed_usd=whole.presumed_usd,
            reserved_usd=whole.reserved_usd,
            purses=books.budget.stats(),
            breakers={model: breaker.state for model, breaker in self._breakers.items()},
            lanes={
                key: LaneStats(
                    calls=turnstile.lane.calls,
                    refused=turnstile.lane.refusals,
                    waiting=turnstile.waiting,
                    in_flight=turnstile.lane.in_flight,
                    paused_s=turnstile.lane.paused_s(now_s),
                    per_minute=60 * turnstile.lane.pace.per_s,
                    ceiling_per_minute=60 * turnstile.lane.pace.ceiling_per_s,
                )
                for key, turnstile in books.turnstiles.items()
            },
        )

    async def _open(self) -> "_Books":
        """The books, which begin with what the ledger says."""
        if self._opening is None or (self._opening.done() and self._opening.exception()):
            self._opening = asyncio.create_task(self._read_ledger())
        return await asyncio.shield(self._opening)

    async def _read_ledger(self) -> "_Books":
        ledger = self._ledger
        spent = Spent({}, {}, ()) if ledger is None else await ledger.spent()
        budget = Budget(self._ceilings, spent.usd, spent.presumed_usd)
        ratios: dict[str, TokenRatio] = _Made(lambda _: TokenRatio())
        grant_ids = count(1)
        turnstiles = {
            key: Turnstile(
                limits,
                budget=budget,
                breakers=self._breakers,
                ratios=ratios,
                weights=self._weights,
                grant_ids=grant_ids,
            )
            for key, limits in self._limits.items()
        }
        days = {key: one.lane.day for key, one in turnstiles.items() if one.lane.day is not None}
        today = {key: day.day_at(self._unix()) for key, day in days.items()}
        claimed = {} if ledger is None else await ledger.claimed(today)
        for key, day in days.items():
            day.resume(today[key], claimed.get(key, 0))
        stakes = Stakes(spent.stakes, budget, grant_ids, noted=ledger is not None)
        return _Books(budget, turnstiles, Visitors(turnstiles, budget, stakes, self._clock()))

    async def _note(self, asker: str, granted: Sequence[Ticket]) -> None:
        """Has written down what calls may cost before they go: whoever is killed, they count."""
        asks = [
            Begun(
                call.episode_id,
                call.ask_index,
                asker,
                call.cell_id,
                call.before_usd + (call.worst_case_usd or 0.0),
            )
            for call in (ticket.call for ticket in granted)
            if call.worst_case_usd != 0.0
        ]
        if asks and self._ledger is not None:
            await self._ledger.begin(asks)

    def _claim_calls(self, key: str, turnstile: Turnstile, unix_s: float) -> None:
        """Has more of the day's calls written down before they are made."""
        day = turnstile.lane.day
        wish = None if day is None else day.wish(unix_s)
        if day is None or wish is None:
            return
        if self._ledger is None:
            day.claim(day.day, wish)
        elif key not in self._claims:
            self._claims[key] = asyncio.create_task(self._claim(key, day, self._ledger, wish))
        elif self._claims[key].done():
            # An error of the ledger's is raised here, to a Gate.
            self._claims.pop(key).result()

    async def _claim(self, key: str, day: DayCount, ledger: Ledger, calls: int) -> None:
        of_day = day.day
        await ledger.claim(key, of_day, calls)
        day.claim(of_day, calls)


@dataclass(frozen=True, slots=True)
class _Books:
    budget: Budget
    turnstiles: Mapping[str, Turnstile]
    visitors: Visitors


class _Made(dict[str, T]):
    """Values that are made from their keys when they are first asked for."""

    def __init__(self, make: Callable[[str], T]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, key: str) -> T:
        value = self[key] = self._make(key)
        return value
