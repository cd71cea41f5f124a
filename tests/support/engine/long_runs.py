"""Minutes of demand on a mock provider, on a virtual clock, and the outcome."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from mirror_ray.engine.limiter.actor import Limiter
from mirror_ray.engine.limiter.client import LimiterClient
from mirror_ray.engine.limiter.messages import LimiterCall
from mirror_ray.providers.model import Limits
from support.engine.pretended_provider import Provider, Wire, demand
from support.engine.virtual_time import Clock, run_virtually

Meddling = Callable[[Clock, Provider, Wire], Awaitable[None]]


@dataclass
class Run:
    """The outcome of a scenario; its counts begin at `from_s`, when the pace has settled."""

    provider: Provider
    until_s: float
    messages: int

    def share(self, per_minute: float, from_s: float = 2.0) -> float:
        return self.provider.per_minute(from_s, self.until_s) / per_minute

    @property
    def refused(self) -> float:
        tried = len(self.provider.taken) + len(self.provider.refused)
        return len(self.provider.refused) / tried


def played(
    limits: Limits,
    provider_of: Callable[[Clock], Provider],
    *,
    askers: Sequence[int] = (14, 14, 14),
    until_s: float = 120.0,
    estimate: int = 0,
    tokens: Sequence[int] = (0,),
    meddling: Meddling | None = None,
) -> Run:
    """One worker per entry of `askers`, each with so many asks at a time, until then."""

    async def scenario(clock: Clock) -> Run:
        wire = Wire(Limiter([limits], clock=clock, unix=clock))
        provider = provider_of(clock)
        call = LimiterCall(limits.key, "model", "cell", tokens=estimate)
        async with asyncio.TaskGroup() as everyone:
            if meddling is not None:
                everyone.create_task(meddling(clock, provider, wire))
            for number in askers:
                client = LimiterClient(wire.exchange, clock=clock)
                wanting = demand(
                    client,
                    provider,
                    clock,
                    askers=number,
                    until_s=until_s,
                    call=call,
                    tokens=tokens,
                )
                everyone.create_task(wanting)
        return Run(provider, until_s, wire.messages)

    return run_virtually(scenario)
