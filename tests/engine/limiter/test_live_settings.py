"""Limits, budget and pauses that change while calls wait, on a virtual clock."""

import asyncio

from mirror_ray.engine.limiter.budget import SWEEP_SCOPE
from mirror_ray.engine.limiter.client import SendSlot
from mirror_ray.engine.limiter.live_settings import KeyChange, LiveSettings
from mirror_ray.engine.limiter.messages import Denied
from mirror_ray.providers.model import Limits
from support.engine.limiter_scenes import FREE, call, with_client


async def sent_in(clock, client, span_s, wanted=10_000):
    """Calls that are sent within so many seconds, each of which ends at once."""
    sent = 0

    async def one():
        nonlocal sent
        slot = await client.slot(call())
        sent += 1
        client.settle(slot, FREE)

    calls = [asyncio.create_task(one()) for _ in range(wanted)]
    await asyncio.sleep(span_s)
    for one_of in calls:
        one_of.cancel()
    await asyncio.gather(*calls, return_exceptions=True)
    return sent


def test_a_pause_sends_nothing_until_it_ends():
    async def scenario(clock, client, limiter):
        await limiter.set_live(LiveSettings(paused=True))
        while_paused = await sent_in(clock, client, 60.0, wanted=50)
        await limiter.set_live(LiveSettings())
        return while_paused, await sent_in(clock, client, 60.0, wanted=50)

    assert with_client(scenario, Limits("k", rpm=600.0)) == (0, 50)


def test_a_limiter_that_restarted_sends_nothing_before_it_is_told_what_holds():
    async def scenario(clock, client, limiter):
        untold = await sent_in(clock, client, 30.0, wanted=5)
        await limiter.set_live(LiveSettings())
        return untold, await sent_in(clock, client, 30.0, wanted=5)

    assert with_client(scenario, Limits("k", rpm=600.0), live=None) == (0, 5)


def test_another_rate_holds_from_then_on_and_telling_it_again_changes_nothing():
    async def scenario(clock, client, limiter):
        counts = []
        for rpm in (60.0, 600.0, 30.0):
            live = LiveSettings(keys={"k": KeyChange(rpm=rpm)})
            await limiter.set_live(live)
            await limiter.set_live(live)
            counts.append(await sent_in(clock, client, 60.0, wanted=700))
        return counts

    slow, fast, slower = with_client(scenario, Limits("k", rpm=120.0))
    assert 55 <= slow <= 62
    assert 560 <= fast <= 612
    assert 27 <= slower <= 32


def test_fewer_calls_at_once():
    async def scenario(clock, client, limiter):
        await limiter.set_live(LiveSettings(keys={"k": KeyChange(concurrency=2)}))
        slots = [asyncio.create_task(client.slot(call())) for _ in range(5)]
        await asyncio.sleep(30.0)
        held = sum(one.done() for one in slots)
        for one in slots:
            one.cancel()
        return held

    assert with_client(scenario, Limits("k", rpm=6000.0, concurrency=4)) == 2


def test_a_lower_budget_denies_and_a_higher_one_pays_again():
    async def scenario(clock, client, limiter):
        await limiter.set_live(LiveSettings(budget_usd=0.5))
        denied = await client.slot(call(usd=1.0))
        await limiter.set_live(LiveSettings(budget_usd=2.0))
        paid = await client.slot(call(usd=1.0))
        await limiter.set_live(LiveSettings())
        whole = (await limiter.stats()).accounts[SWEEP_SCOPE].ceiling_usd
        return denied, paid, whole

    denied, paid, whole = with_client(scenario, Limits("k", rpm=6000.0), {SWEEP_SCOPE: 3.0})
    assert isinstance(denied, Denied)
    assert denied.closed_scope == SWEEP_SCOPE
    assert isinstance(paid, SendSlot)
    assert whole == 3.0
