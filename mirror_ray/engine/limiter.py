"""The Limiter: who may call a model when. Paced lanes per rate-limited key, one budget for all.

Knows queues, grants and their end; does not know Ray, models or replies. Within a key the oldest
call goes first; the arithmetic is in `lane` and `budget`.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from math import inf
from time import monotonic
from types import MappingProxyType
from typing import Literal

from mirror_ray.engine.budget import SWEEP_SCOPE, Budget, PurseStats
from mirror_ray.engine.lane import Lane
from mirror_ray.errors import EngineError
from mirror_ray.providers.model import Limits

GRANT_LIFE_S = 900.0
"""A grant not settled by then was held by a worker that died. Longer than any call may last."""


@dataclass(frozen=True, slots=True)
class Grant:
    """Leave to make one call; to be settled when the call has ended."""

    grant_id: int
    key: str


@dataclass(frozen=True, slots=True)
class Denied:
    """No call now or later.

    Args:
        scope: whose budget is spent, as `mirror_ray.engine.budget` names it.
    """

    reason: Literal["budget"]
    scope: str


@dataclass(frozen=True, slots=True)
class LaneStats:
    """What one key is doing: calls granted so far, waiting, under way; seconds of pause left."""

    calls: int
    waiting: int
    in_flight: int
    paused_s: float


@dataclass(frozen=True, slots=True)
class LimiterStats:
    """The whole Limiter.

    Args:
        spent_usd: known costs, those of earlier runs included.
        presumed_usd: worst cases of calls whose cost stayed unknown; the budget counts them.
        reserved_usd: worst cases of the calls under way.
        lanes: key → what it is doing.
        purses: scope → what it has spent and may spend.
    """

    spent_usd: float
    presumed_usd: float
    reserved_usd: float
    lanes: Mapping[str, LaneStats]
    purses: Mapping[str, PurseStats]

    @property
    def calls(self) -> int:
        """Calls granted so far."""
        return sum(lane.calls for lane in self.lanes.values())

    @property
    def waiting(self) -> int:
        """Calls that wait for their turn."""
        return sum(lane.waiting for lane in self.lanes.values())


@dataclass(frozen=True, slots=True)
class _Waiter:
    tokens: int
    worst_case_usd: float | None
    scopes: tuple[str, ...]
    turn: "asyncio.Future[Grant | Denied]"


@dataclass(frozen=True, slots=True)
class _Held:
    queue: "_Queue"
    tokens: int
    worst_case_usd: float | None
    scopes: tuple[str, ...]
    granted_s: float


@dataclass(slots=True)
class _Queue:
    key: str
    lane: Lane
    waiting: deque[_Waiter] = field(default_factory=deque)
    timer: asyncio.TimerHandle | None = None


class Limiter:
    """Grants calls within every key's limits and every scope's budget.

    Args:
        limits: every key that may be asked for; where one comes twice, the stricter bounds hold.
        ceilings: scope → ceiling in USD.
        spent: scope → known costs of earlier runs, which the ceilings count.
        grant_life_s: when to give up on a grant that nobody settles.
        clock: seconds on a steady clock that the event loop's timers follow.
    """

    def __init__(
        self,
        limits: Sequence[Limits],
        ceilings: Mapping[str, float] = MappingProxyType({}),
        *,
        spent: Mapping[str, float] = MappingProxyType({}),
        grant_life_s: float = GRANT_LIFE_S,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._queues = {key: _Queue(key, Lane(one)) for key, one in _strictest(limits).items()}
        self._budget = Budget(ceilings, spent)
        self._grant_life_s = grant_life_s
        self._clock = clock
        self._ids = count(1)
        self._held: dict[int, _Held] = {}
        self._lost: dict[int, _Held] = {}

    async def acquire(
        self,
        key: str,
        tokens: int,
        worst_case_usd: float | None,
        scopes: Sequence[str] = (SWEEP_SCOPE,),
    ) -> Grant | Denied:
        """Wait for a turn on `key`; the worst case is set aside until the grant is settled.

        Where the worst case does not fit now but might once calls under way turn out cheaper, the
        call waits; it is denied as soon as it could not fit even then.

        Args:
            tokens: estimate of input and reply together.
            worst_case_usd: what the call costs at most; None where no price is known.
            scopes: whose budgets pay for it.

        Raises:
            EngineError: no such key.
        """
        if key not in self._queues:
            raise EngineError(f"no limits are known for {key!r}; known: {sorted(self._queues)}")
        queue = self._queues[key]
        turn: asyncio.Future[Grant | Denied] = asyncio.get_running_loop().create_future()
        queue.waiting.append(_Waiter(tokens, worst_case_usd, tuple(scopes), turn))
        self._serve(queue)
        try:
            return await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                granted = turn.result()
                if isinstance(granted, Grant):
                    await self.settle(granted.grant_id, 0, 0.0, None, limited=False)
            raise

    async def settle(
        self,
        grant_id: int,
        tokens: int | None,
        cost_usd: float | None,
        retry_after_s: float | None,
        limited: bool,
    ) -> None:
        """The call of a grant has ended. A second settling of the same grant is ignored.

        Args:
            tokens: as billed; None leaves the estimate standing.
            cost_usd: as billed; None, where it is unknown, counts the worst case, unless the
                provider turned the call away. Pass 0.0 for a call that certainly cost nothing.
            retry_after_s: the provider's wish; the whole lane pauses.
            limited: the provider turned the call away for its rate.
        """
        now_s = self._clock()
        if limited and cost_usd is None:
            cost_usd = 0.0
        if grant_id in self._lost:
            lost = self._lost.pop(grant_id)
            if cost_usd is not None:
                self._budget.correct(lost.worst_case_usd, cost_usd, lost.scopes)
        elif grant_id in self._held:
            held = self._held.pop(grant_id)
            held.queue.lane.end(held.tokens, tokens)
            self._budget.settle(grant_id, cost_usd)
            if limited or retry_after_s is not None:
                held.queue.lane.turned_away(now_s, held.granted_s, retry_after_s)
            else:
                held.queue.lane.welcomed(held.granted_s)
        for queue in self._queues.values():
            self._serve(queue)

    async def stats(self) -> LimiterStats:
        """Counters, cheap enough to ask for once a second."""
        now_s = self._clock()
        self._give_up_lost(now_s)
        whole = self._budget.purse(SWEEP_SCOPE)
        return LimiterStats(
            spent_usd=whole.spent_usd,
            presumed_usd=whole.presumed_usd,
            reserved_usd=whole.reserved_usd,
            purses=self._budget.stats(),
            lanes={
                queue.key: LaneStats(
                    calls=queue.lane.calls,
                    waiting=sum(not waiter.turn.done() for waiter in queue.waiting),
                    in_flight=queue.lane.in_flight,
                    paused_s=queue.lane.paused_s(now_s),
                )
                for queue in self._queues.values()
            },
        )

    def _serve(self, queue: _Queue) -> None:
        """Let everyone go whose turn it is, and come back when the next one's may be."""
        now_s = self._clock()
        self._give_up_lost(now_s)
        wait_s = inf
        while queue.waiting:
            waiter = queue.waiting[0]
            verdict = self._budget.verdict(waiter.worst_case_usd, waiter.scopes)
            wait_s = queue.lane.wait_s(now_s)
            if waiter.turn.done():
                queue.waiting.popleft()
            elif verdict.answer == "never":
                queue.waiting.popleft()
                waiter.turn.set_result(Denied("budget", verdict.scope or SWEEP_SCOPE))
            elif verdict.answer == "fits" and wait_s == 0.0:
                queue.waiting.popleft()
                waiter.turn.set_result(self._grant(queue, waiter, now_s))
            else:
                wait_s = inf if wait_s == 0.0 else wait_s
                break
        self._come_back(queue, now_s, wait_s)

    def _grant(self, queue: _Queue, waiter: _Waiter, now_s: float) -> Grant:
        grant = Grant(next(self._ids), queue.key)
        queue.lane.start(now_s, waiter.tokens)
        self._budget.reserve(grant.grant_id, waiter.worst_case_usd, waiter.scopes)
        self._held[grant.grant_id] = _Held(
            queue, waiter.tokens, waiter.worst_case_usd, waiter.scopes, now_s
        )
        return grant

    def _come_back(self, queue: _Queue, now_s: float, wait_s: float) -> None:
        """Serve `queue` again after `wait_s`, or when the oldest grant's life ends."""
        if queue.timer is not None:
            queue.timer.cancel()
            queue.timer = None
        if not queue.waiting:
            return
        if self._held:
            oldest = next(iter(self._held.values()))
            wait_s = min(wait_s, oldest.granted_s + self._grant_life_s - now_s)
        if wait_s < inf:
            loop = asyncio.get_running_loop()
            queue.timer = loop.call_later(wait_s, self._serve, queue)

    def _give_up_lost(self, now_s: float) -> None:
        """Grants are held in the order of their age."""
        while self._held:
            grant_id, held = next(iter(self._held.items()))
            if now_s < held.granted_s + self._grant_life_s:
                return
            self._lost[grant_id] = self._held.pop(grant_id)
            held.queue.lane.end(held.tokens, None)
            self._budget.settle(grant_id, None)


def _strictest(limits: Sequence[Limits]) -> dict[str, Limits]:
    merged: dict[str, Limits] = {}
    for one in limits:
        other = merged.get(one.key, one)
        concurrency = [c for c in (one.concurrency, other.concurrency) if c is not None]
        merged[one.key] = Limits(
            one.key,
            rpm=min([r for r in (one.rpm, other.rpm) if r is not None], default=None),
            tpm=min([t for t in (one.tpm, other.tpm) if t is not None], default=None),
            concurrency=min(concurrency, default=None),
        )
    return merged
