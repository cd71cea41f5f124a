"""The Limiter decides when each call is sent, with one queue per rate-limited key and a budget.

Clients report waiting and ended calls several times a second, and receive granted slots.
`key_limits` computes a key's limits, `key_queue` the order of its calls, `budget` the money."""

import asyncio
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from math import inf
from time import monotonic, time
from types import MappingProxyType
from typing import TypeVar

from mirror_ray.engine.limiter.budget import SWEEP_SCOPE, Budget, model_scope
from mirror_ray.engine.limiter.circuit_breaker import PATIENCE_S, CircuitBreaker
from mirror_ray.engine.limiter.inherited_calls import InheritedCalls, Ledger, Spent
from mirror_ray.engine.limiter.key_limits import strictest
from mirror_ray.engine.limiter.key_queue import KeyScheduler, QueuedCall
from mirror_ray.engine.limiter.live_settings import AS_PLANNED, LiveSettings
from mirror_ray.engine.limiter.messages import (
    ClientReport,
    Granted,
    KeyStats,
    LimiterAnswer,
    LimiterStats,
)
from mirror_ray.engine.limiter.rates import DailyQuota
from mirror_ray.engine.limiter.sessions import ClientSessions
from mirror_ray.engine.limiter.token_ratio import TokenRatio
from mirror_ray.engine.limiter.worst_cases import WorstCases
from mirror_ray.providers.model import Limits
from mirror_ray.records.journal.charges import Overrun, PendingCall

_T = TypeVar("_T")

EXCHANGE_S = 0.1
EXCHANGES_PER_S = 100
"""Reports per second of all clients together: the more clients, the less often each reports."""

AHEAD_S = 0.15
"""A slot is granted this long before its time, so that its client receives it by then."""


class Limiter:
    """Grants calls within every key's limits and every scope's budget.

    Args:
        limits: every key in use; if a key occurs twice, the stricter bounds apply.
        ceilings: scope → ceiling in USD.
        weights: cell → relative share of a key's turns; 1 if absent.
        supervised: models whose servers the run watches itself, so the run decides how long to
            wait.
        ledger: costs and claims of earlier runs and of earlier Limiters of this one.
        live: settings that replace these; None grants nothing until `set_live`.
        clock: returns seconds on a monotonic clock.
        unix: returns Unix time, which separates days.
    """

    def __init__(
        self,
        limits: Sequence[Limits],
        ceilings: Mapping[str, float] = MappingProxyType({}),
        *,
        weights: Mapping[str, float] = MappingProxyType({}),
        supervised: Collection[str] = (),
        ledger: Ledger | None = None,
        live: LiveSettings | None = AS_PLANNED,
        clock: Callable[[], float] = monotonic,
        unix: Callable[[], float] = time,
    ) -> None:
        self._limits: dict[str, Limits] = {}
        for one in limits:
            self._limits[one.key] = strictest(one, self._limits.get(one.key, one))
        self._ceilings = ceilings
        self._weights = weights
        self._ledger = ledger
        self._live = live
        self._clock, self._unix = clock, unix
        self._breakers: dict[str, CircuitBreaker] = _KeyedDefaults(
            lambda model: CircuitBreaker(model, inf if model in supervised else PATIENCE_S)
        )
        self._opening: asyncio.Task[_State] | None = None
        self._claims: dict[str, asyncio.Task[None]] = {}

    async def exchange(self, report: ClientReport) -> LimiterAnswer:
        """Apply a client's report; return the calls granted or denied since its last report. Raise
        EngineError if the ledger cannot be reached."""
        state = await self._open()
        now_s, unix_s = self._clock(), self._unix()
        session = state.sessions.apply_report(report, now_s)
        if session is None:
            return LimiterAnswer(known=False)
        state.sessions.expire_silent(now_s)
        again_s = max(EXCHANGE_S, len(state.sessions) / EXCHANGES_PER_S)
        for key, scheduler in state.schedulers.items():
            if scheduler.waiting and self._live is not None and not self._live.paused:
                scheduler.plan(now_s, unix_s, now_s + again_s + AHEAD_S)
                self._claim_calls(key, scheduler, unix_s)
        granted, session.granted = session.granted, []
        denied, session.denied = session.denied, []
        await self._note(report.client_id, granted, state.worst_cases.unnoted())
        now_s = self._clock()
        return LimiterAnswer(
            known=True,
            granted=tuple(
                Granted(
                    queued.call_id,
                    max(0.0, queued.started.at_s - now_s),
                    queued.call.worst_case_usd,
                )
                for queued in granted
                if queued.started is not None
            ),
            denied=tuple(denied),
            again_s=again_s,
            tight=frozenset(key for key, one in state.schedulers.items() if one.tight),
        )

    async def stats(self) -> LimiterStats:
        """Return counters; cheap enough to be called once a second."""
        state = await self._open()
        now_s = self._clock()
        state.sessions.expire_silent(now_s)
        whole = state.budget.account(SWEEP_SCOPE)
        return LimiterStats(
            spent_usd=whole.spent_usd,
            presumed_usd=whole.presumed_usd,
            reserved_usd=whole.reserved_usd,
            accounts=state.budget.stats(),
            breakers={model: breaker.state for model, breaker in self._breakers.items()},
            unreachable={
                model: down
                for model, breaker in self._breakers.items()
                if (down := breaker.unreachable(now_s)) is not None
            },
            keys={
                key: KeyStats(
                    calls=scheduler.key_limits.calls,
                    refused=scheduler.key_limits.refusals,
                    waiting=scheduler.waiting,
                    in_flight=scheduler.key_limits.in_flight,
                    paused_s=scheduler.key_limits.paused_s(now_s),
                    per_minute=60 * scheduler.key_limits.pace.per_s,
                    ceiling_per_minute=60 * scheduler.key_limits.pace.ceiling_per_s,
                )
                for key, scheduler in state.schedulers.items()
            },
        )

    async def set_live(self, live: LiveSettings) -> None:
        """Replace settings of the sweep from now on; repeating the same ones changes nothing. Raise
        EngineError if the ledger cannot be reached."""
        state, before = await self._open(), self._live or AS_PLANNED
        self._live = live
        if live.budget_usd != before.budget_usd:
            planned_usd = self._ceilings.get(SWEEP_SCOPE)
            usd = planned_usd if live.budget_usd is None else live.budget_usd
            state.budget.set_ceiling(SWEEP_SCOPE, usd)
        for key, change in live.keys.items():
            if key in state.schedulers and change != before.keys.get(key):
                state.schedulers[key].key_limits.retune(change.over(self._limits[key]))
        if live.retries > before.retries:
            for breaker in self._breakers.values():
                breaker.close()

    async def _open(self) -> "_State":
        if self._opening is None or (self._opening.done() and self._opening.exception()):
            self._opening = asyncio.create_task(self._read_ledger())
        return await asyncio.shield(self._opening)

    async def _read_ledger(self) -> "_State":
        ledger = self._ledger
        spent = Spent({}, {}, ()) if ledger is None else await ledger.spent()
        budget = Budget(self._ceilings, spent.usd, spent.presumed_usd)
        ratios: dict[str, TokenRatio] = _KeyedDefaults(lambda _: TokenRatio())
        worst_cases = WorstCases(spent.highest_usd)
        grant_ids = count(1)
        schedulers = {
            key: KeyScheduler(
                limits,
                budget=budget,
                breakers=self._breakers,
                ratios=ratios,
                worst_cases=worst_cases,
                weights=self._weights,
                grant_ids=grant_ids,
            )
            for key, limits in self._limits.items()
        }
        days = {
            key: one.key_limits.day
            for key, one in schedulers.items()
            if one.key_limits.day is not None
        }
        today = {key: day.day_at(self._unix()) for key, day in days.items()}
        claimed = {} if ledger is None else await ledger.claimed(today)
        for key, day in days.items():
            day.resume(today[key], claimed.get(key, 0))
        inherited = InheritedCalls(spent.inherited, budget, grant_ids, noted=ledger is not None)
        for model, usd in spent.highest_usd.items():
            budget.raise_to(usd, model_scope(model))
        sessions = ClientSessions(schedulers, budget, inherited, self._clock())
        return _State(budget, worst_cases, schedulers, sessions)

    async def _note(
        self, asker: str, granted: Sequence[QueuedCall], overruns: Sequence[Overrun]
    ) -> None:
        """Note durably what calls may cost before they are sent, so that they count after any
        crash."""
        asks = [
            PendingCall(
                call.episode_id,
                call.ask_index,
                asker,
                call.cell_id,
                call.before_usd + (call.worst_case_usd or 0.0),
            )
            for call in (queued.call for queued in granted)
            if call.worst_case_usd != 0.0
        ]
        if self._ledger is None:
            return
        if overruns:
            await self._ledger.overrun(overruns)
        if asks:
            await self._ledger.begin(asks)

    def _claim_calls(self, key: str, scheduler: KeyScheduler, unix_s: float) -> None:
        """Note durably how many of the day's calls are claimed, before they are sent."""
        day = scheduler.key_limits.day
        wish = None if day is None else day.wish(unix_s)
        if day is None or wish is None:
            return
        if self._ledger is None:
            day.claim(day.day, wish)
        elif key not in self._claims:
            self._claims[key] = asyncio.create_task(self._claim(key, day, self._ledger, wish))
        elif self._claims[key].done():
            # An error of the ledger is raised here, to a client.
            self._claims.pop(key).result()

    async def _claim(self, key: str, day: DailyQuota, ledger: Ledger, calls: int) -> None:
        of_day = day.day
        await ledger.claim(key, of_day, calls)
        day.claim(of_day, calls)


@dataclass(frozen=True, slots=True)
class _State:
    budget: Budget
    worst_cases: WorstCases
    schedulers: Mapping[str, KeyScheduler]
    sessions: ClientSessions


class _KeyedDefaults(dict[str, _T]):
    def __init__(self, make: Callable[[str], _T]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, key: str) -> _T:
        value = self[key] = self._make(key)
        return value
