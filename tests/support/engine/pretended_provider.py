"""A mock provider that enforces limits, and workers that call it, on a virtual clock.

The workers' clients and the Limiter are the real ones; only the wire between them is a function
call."""

import asyncio
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from mirror_ray.core.types import Quota
from mirror_ray.engine.limiter.actor import Limiter
from mirror_ray.engine.limiter.client import LimiterClient
from mirror_ray.engine.limiter.messages import (
    CallResult,
    ClientReport,
    Denied,
    LimiterAnswer,
    LimiterCall,
    LimiterUnreachableError,
)
from support.engine.virtual_time import Clock


@dataclass
class Bucket:
    """Refills steadily; holds what `burst_s` brings."""

    per_minute: float
    burst_s: float = 1.0
    rejections_count: bool = False
    level: float = field(default=-1.0, init=False)
    at_s: float = field(default=0.0, init=False)

    def takes(self, now_s: float, amount: float = 1.0) -> bool:
        per_s = self.per_minute / 60
        most = max(amount, per_s * self.burst_s)
        level = most if self.level < 0 else min(most, self.level + (now_s - self.at_s) * per_s)
        taken = level >= amount - 1e-9
        if taken or self.rejections_count:
            level = max(0.0, level - amount)
        self.level, self.at_s = level, now_s
        return taken

    def told(self, _: float) -> Quota:
        """The content of headers right after a call."""
        missing = self.per_minute / 60 * self.burst_s - self.level
        return Quota(self.per_minute, int(self.level), 60 * missing / self.per_minute)


@dataclass
class Minute:
    """Restarts with every minute of a clock that is `phase_s` late."""

    per_minute: float
    phase_s: float = 17.0
    used: float = field(default=0.0, init=False)
    minute: int = field(default=-1, init=False)

    def takes(self, now_s: float, amount: float = 1.0) -> bool:
        minute = int((now_s + self.phase_s) // 60)
        if minute != self.minute:
            self.minute, self.used = minute, 0.0
        if self.used + amount > self.per_minute + 1e-9:
            return False
        self.used += amount
        return True

    def told(self, now_s: float) -> Quota:
        """The content of headers right after a call."""
        left_s = 60 - (now_s + self.phase_s) % 60
        return Quota(self.per_minute, int(self.per_minute - self.used), left_s)


Quotas = Bucket | Minute


@dataclass
class Provider:
    """Enforces its quotas; what it takes lasts `latency_s` and is answered."""

    clock: Clock
    requests: Quotas | None = None
    tokens: Quotas | None = None
    latency_s: float = 1.0
    told: Callable[[], CallResult] = CallResult
    """The further content of its answers."""
    tells_left: bool = False
    """Whether they report what is left of the requests."""
    taken: list[float] = field(default_factory=list)
    refused: list[float] = field(default_factory=list)
    billed: list[tuple[float, int]] = field(default_factory=list)
    under_way: int = 0
    most_under_way: int = 0

    async def call(self, tokens: int) -> CallResult:
        now_s = self.clock()
        if (self.tokens is not None and not self.tokens.takes(now_s, tokens)) or (
            self.requests is not None and not self.requests.takes(now_s)
        ):
            self.refused.append(now_s)
            quota = self._quota(now_s)
            await asyncio.sleep(0.05)
            return replace(self._said(quota), error_kind="rate_limit", cost_usd=0.0)
        quota = self._quota(now_s)
        self.taken.append(now_s)
        self.billed.append((now_s, tokens))
        self.under_way += 1
        self.most_under_way = max(self.most_under_way, self.under_way)
        try:
            await asyncio.sleep(self.latency_s)
        finally:
            self.under_way -= 1
        return replace(self._said(quota), tokens=tokens, cost_usd=0.0)

    def _quota(self, now_s: float) -> Quota | None:
        return self.requests.told(now_s) if self.requests and self.tells_left else None

    def _said(self, quota: Quota | None) -> CallResult:
        return self.told() if quota is None else replace(self.told(), quota=quota)

    def per_minute(self, begin_s: float, end_s: float) -> float:
        """Calls taken per minute between two times."""
        return 60 * sum(begin_s <= at_s < end_s for at_s in self.taken) / (end_s - begin_s)


class Wire:
    """The wire between clients and the Limiter, which may die and restart."""

    def __init__(self, limiter: Limiter) -> None:
        self.limiter: Limiter | None = limiter
        self.messages = 0
        self.loses_every: int | None = None
        """Every n-th answer is lost in transit."""

    async def exchange(self, report: ClientReport) -> LimiterAnswer:
        self.messages += 1
        await asyncio.sleep(0.001)
        if self.limiter is None:
            raise LimiterUnreachableError("dead")
        limiter = self.limiter
        answer = await limiter.exchange(report)
        if limiter is not self.limiter:
            raise LimiterUnreachableError("died with the answer")
        if self.loses_every is not None and self.messages % self.loses_every == 0:
            raise LimiterUnreachableError("the answer was lost")
        return answer


async def ask(
    client: LimiterClient, provider: Provider, call: LimiterCall, clock: Clock, tokens: int
) -> None:
    """One ask, tried until it is admitted."""
    began_s = clock()
    for attempt in range(200):
        slot = await client.slot(call, clock() - began_s)
        assert not isinstance(slot, Denied), slot
        result = await provider.call(tokens)
        client.settle(slot, result)
        if result.error_kind == "none":
            return
        jitter = random.Random(f"{began_s}{attempt}").uniform(0.5, 1.0)
        await asyncio.sleep(max(result.retry_after_s or 0.0, jitter))
    raise AssertionError("never taken")


async def demand(
    client: LimiterClient,
    provider: Provider,
    clock: Clock,
    *,
    askers: int,
    until_s: float,
    call: LimiterCall,
    tokens: Sequence[int] = (0,),
) -> None:
    """`askers` asks at a time, one after the other, until then."""

    async def asker(number: int) -> None:
        turn = number
        while clock() < until_s:
            await ask(client, provider, call, clock, tokens[turn % len(tokens)])
            turn += askers

    await asyncio.gather(*(asker(number) for number in range(askers)))
