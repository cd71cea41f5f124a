"""Long runs against a provider that enforces limits, on a virtual clock: share used, refusals."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

import pytest
from pretended_provider import Bucket, Minute, Provider, Wire, demand
from virtual_time import Clock, run_virtually

from mirror_ray.engine.gate import Gate
from mirror_ray.engine.limiter import Limiter
from mirror_ray.engine.slots import Call
from mirror_ray.providers.model import Limits

Meddling = Callable[[Clock, Provider, Wire], Awaitable[None]]


@dataclass
class Run:
    """What came of a scenario; its counts begin at `from_s`, when the pace has settled."""

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
        call = Call(limits.key, "model", "cell", tokens=estimate)
        async with asyncio.TaskGroup() as everyone:
            if meddling is not None:
                everyone.create_task(meddling(clock, provider, wire))
            for number in askers:
                gate = Gate(wire.exchange, clock=clock)
                wanting = demand(
                    gate, provider, clock, askers=number, until_s=until_s, call=call, tokens=tokens
                )
                everyone.create_task(wanting)
        return Run(provider, until_s, wire.messages)

    return run_virtually(scenario)


@pytest.mark.parametrize(
    ("rpm", "askers", "until_s"), [(60, 4, 600.0), (600, 14, 120.0), (3000, 70, 60.0)]
)
def test_known_limit_is_used_and_never_exceeded(rpm, askers, until_s):
    run = played(
        Limits("k", rpm=rpm),
        lambda clock: Provider(clock, Bucket(rpm)),
        askers=[askers] * 3,
        until_s=until_s,
    )
    assert run.share(rpm) >= 0.98
    assert run.refused == 0


def test_sixty_thousand_a_minute_take_thirty_messages_a_second():
    run = played(
        Limits("k", rpm=60_000),
        lambda clock: Provider(clock, Bucket(60_000)),
        askers=[1400] * 3,
        until_s=6.0,
    )
    assert run.share(60_000, 1.0) >= 0.98
    assert run.refused == 0
    assert run.messages / run.until_s < 50


def test_rejections_that_count_do_not_happen():
    run = played(
        Limits("k", rpm=600), lambda clock: Provider(clock, Bucket(600, rejections_count=True))
    )
    assert run.share(600) >= 0.98
    assert run.refused == 0


def test_one_busy_worker_may_have_it_all():
    run = played(
        Limits("k", rpm=600), lambda clock: Provider(clock, Bucket(600)), askers=(40, 1, 1)
    )
    assert run.share(600) >= 0.98
    assert run.refused == 0


@pytest.mark.parametrize("phase_s", [0.0, 17.0, 59.9])
def test_fixed_window(phase_s):
    run = played(
        Limits("k", rpm=600, window="minute"), lambda clock: Provider(clock, Minute(600, phase_s))
    )
    assert run.share(600) >= 0.98
    assert run.refused == 0


@pytest.mark.parametrize("window", ["bucket", "minute"])
def test_tokens_are_the_bound_and_estimates_are_off(window):
    """Estimated at 1,000 tokens each, billed at 200 to 600: 75 calls a minute make 30,000."""
    quota = Bucket(30_000, burst_s=6.0) if window == "bucket" else Minute(30_000)
    run = played(
        Limits("k", tpm=30_000, window=window),
        lambda clock: Provider(clock, None, quota),
        askers=(30, 30, 30),
        estimate=1000,
        tokens=(200, 400, 600),
    )
    assert run.share(75, from_s=20.0) >= 0.97
    assert run.refused == 0
