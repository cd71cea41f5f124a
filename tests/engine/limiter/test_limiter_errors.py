"""What fails at the Limiter is said to those who wait."""

import asyncio

import pytest

from mirror_ray.core.errors import EngineError
from mirror_ray.engine.limiter.actor import Limiter
from mirror_ray.engine.limiter.client import LimiterClient
from mirror_ray.engine.limiter.messages import ClientReport, LimiterAnswer, LimiterCall
from mirror_ray.providers.model import Limits
from support.engine.limiter_scenes import FREE, call, with_client
from support.engine.pretended_provider import Wire
from support.engine.virtual_time import Clock, run_virtually


def test_a_key_without_limits_is_an_error():
    async def scenario(_: Clock, client: LimiterClient, __: Limiter) -> None:
        with pytest.raises(EngineError, match="no limits are known for 'other'"):
            await client.slot(LimiterCall("other", "model", "cell"))

    with_client(scenario, Limits("k"))


def test_a_limiter_that_does_not_come_back_is_an_error():
    async def scenario(clock: Clock) -> None:
        wire = Wire(Limiter([Limits("k")], clock=clock, unix=clock))
        wire.limiter = None
        with pytest.raises(EngineError, match="does not come back"):
            await LimiterClient(wire.exchange, clock=clock).slot(call())

    run_virtually(scenario)


def test_whatever_fails_at_the_limiter_is_told_to_those_who_wait_and_not_to_the_next():
    async def scenario(clock: Clock) -> None:
        limiter = Limiter([Limits("k")], clock=clock, unix=clock)
        fails = True

        async def exchange(report: ClientReport) -> LimiterAnswer:
            if fails:
                raise ValueError("a limit without a unit")
            return await Wire(limiter).exchange(report)

        client = LimiterClient(exchange, clock=clock)
        waiting = [client.slot(call()) for _ in range(3)]
        async with asyncio.timeout(60.0):
            told = await asyncio.gather(*waiting, return_exceptions=True)
        assert [(type(one), str(one)) for one in told] == [
            (EngineError, "a limit without a unit")
        ] * 3
        fails = False
        client.settle(await client.slot(call()), FREE)
        await client.close()
        assert (await limiter.stats()).keys["k"].calls == 1

    run_virtually(scenario)
