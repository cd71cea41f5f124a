"""Clients die: their calls, slots and turns are neither lost nor doubled, nor are calls of a
day."""

import asyncio

import pytest

from mirror_ray.engine.limiter.actor import Limiter
from mirror_ray.engine.limiter.budget import SWEEP_SCOPE
from mirror_ray.engine.limiter.circuit_breaker import FAILURES_IN_A_ROW, FIRST_REST_S
from mirror_ray.engine.limiter.client import LimiterClient, SendSlot
from mirror_ray.engine.limiter.messages import UNUSED, CallResult
from mirror_ray.engine.limiter.sessions import EXPIRED_S, LATE_S
from mirror_ray.providers.model import Limits
from support.engine.limiter_scenes import FREE, Kept, call
from support.engine.pretended_provider import Wire
from support.engine.virtual_time import Clock, run_virtually


def test_a_dead_workers_calls_count_until_they_must_be_over_and_what_waited_is_forgotten():
    async def scenario(clock: Clock) -> None:
        limits = Limits("k", rpm=6000, concurrency=2)
        limiter = Limiter([limits], {SWEEP_SCOPE: 10.0}, clock=clock, unix=clock)
        dying, living = Wire(limiter), Wire(limiter)
        victim, heir = (
            LimiterClient(dying.exchange, clock=clock),
            LimiterClient(living.exchange, clock=clock),
        )
        slots = [await victim.slot(call(usd=1.0, lasts_at_most_s=40.0)) for _ in range(2)]
        waiting = asyncio.create_task(victim.slot(call(usd=1.0)))
        await asyncio.sleep(1)
        dying.limiter = None
        died_s = clock()

        await heir.slot(call(usd=1.0, lasts_at_most_s=40.0))
        waited_s = clock() - died_s
        assert EXPIRED_S < waited_s < 40.0 + LATE_S + 1.0
        assert clock() > 40.0
        stats = await limiter.stats()
        assert stats.presumed_usd == 2.0
        assert stats.keys["k"].in_flight == 1

        # The dead speaks after all: what it did is known now.
        dying.limiter = limiter
        victim.settle(slots[0], CallResult(cost_usd=0.25))
        await asyncio.sleep(1)
        stats = await limiter.stats()
        assert (stats.spent_usd, stats.presumed_usd) == (0.25, 0.0)
        assert stats.reserved_usd == 2.0, "one call of each is under way"
        waiting.cancel()

    run_virtually(scenario)


def test_slots_that_a_dead_worker_did_not_fetch_are_free_again():
    async def scenario(clock: Clock) -> tuple[int, float]:
        limiter = Limiter([Limits("k", rpm=60)], clock=clock, unix=clock)
        dying, living = Wire(limiter), Wire(limiter)
        victim, heir = (
            LimiterClient(dying.exchange, clock=clock),
            LimiterClient(living.exchange, clock=clock),
        )
        waiting = [asyncio.create_task(victim.slot(call())) for _ in range(50)]
        await asyncio.sleep(5)
        dying.limiter = None
        began_s = clock()
        for _ in range(20):
            heir.settle(await heir.slot(call()), FREE)
        took_s = clock() - began_s
        await asyncio.sleep(EXPIRED_S)
        await heir.slot(call())
        stats = await limiter.stats()
        for one in waiting:
            one.cancel()
        return sum(one.waiting for one in stats.keys.values()), took_s

    waiting, took_s = run_virtually(scenario)
    assert waiting == 0
    assert took_s < 23.0, "the dead one's turns went to the living"


def test_calls_of_a_day_are_counted_over_all_lives_and_go_on_at_midnight():
    midnight_s = 120.0

    async def scenario(clock: Clock) -> tuple[int, list[float]]:
        ledger, limits = Kept(), Limits("k", rpm=600, rpd=200)
        went: list[float] = []

        async def play(until_s: float) -> None:
            """One run of the program, which ends or is killed then; 300 asks want a call."""
            limiter = Limiter(
                [limits], ledger=ledger, clock=clock, unix=lambda: clock() + 86_400 - midnight_s
            )
            client = LimiterClient(Wire(limiter).exchange, clock=clock)

            async def one() -> None:
                slot = await client.slot(call())
                went.append(clock())
                client.settle(slot, FREE)

            asks = [asyncio.create_task(one()) for _ in range(300)]
            await asyncio.sleep(until_s - clock())
            for ask in asks:
                ask.cancel()
            await asyncio.gather(*asks, return_exceptions=True)

        await play(10.0)
        await play(60.0)
        first_day = len(went)
        await play(midnight_s + 60)
        return first_day, went

    first_day, went = run_virtually(scenario)
    assert 190 <= first_day <= 200, "what was claimed and not used is lost with the first life"
    assert not any(60 < at_s < midnight_s for at_s in went)
    assert sum(at_s >= midnight_s for at_s in went) == 200


def test_calls_of_before_are_no_probes_of_a_model_that_is_down():
    """The breaker of a new Limiter opens by what one client tells, while another has calls out."""

    async def scenario(clock: Clock) -> None:
        limits = [Limits("k", rpm=6000)]
        first = Limiter(limits, clock=clock, unix=clock)
        wires = Wire(first), Wire(first)
        clients = [LimiterClient(wire.exchange, clock=clock) for wire in wires]
        slots = [
            [await client.slot(call()) for _ in range(FAILURES_IN_A_ROW)] for client in clients
        ]
        for wire in wires:
            wire.limiter = None
        for slot in slots[0]:
            clients[0].settle(slot, CallResult("connection", cost_usd=0.0))
        second = Limiter(limits, clock=clock, unix=clock)
        for wire in wires:
            wire.limiter = second
            await asyncio.sleep(2)
        assert (await second.stats()).breakers == {"model": "open"}
        for slot in slots[1]:
            clients[1].settle(slot, CallResult("timeout", cost_usd=0.0))
        began_s = clock()
        probe = await clients[0].slot(call())
        assert isinstance(probe, SendSlot)
        assert clock() - began_s < FIRST_REST_S + 1.0
        clients[0].settle(probe, FREE)

    run_virtually(scenario)


def test_while_a_probe_is_out_no_dead_call_lets_another_go():
    async def scenario(clock: Clock) -> None:
        limiter = Limiter([Limits("k", rpm=6000)], clock=clock, unix=clock)
        dying, living = Wire(limiter), Wire(limiter)
        victim, heir = (
            LimiterClient(dying.exchange, clock=clock),
            LimiterClient(living.exchange, clock=clock),
        )
        await victim.slot(call(lasts_at_most_s=40.0))
        dying.limiter = None
        await asyncio.sleep(38)
        for _ in range(FAILURES_IN_A_ROW):
            heir.settle(await heir.slot(call()), CallResult("server", cost_usd=0.0))
        await heir.slot(call())
        assert clock() < 40.0 + LATE_S, "before the dead one's call is given up"
        waiting = asyncio.create_task(heir.slot(call()))
        await asyncio.sleep(30)
        assert not waiting.done()
        waiting.cancel()

    run_virtually(scenario)


@pytest.mark.parametrize("result", [UNUSED, CallResult("shed", cost_usd=0.0), None])
def test_a_probe_that_tells_nothing_leaves_the_turn_to_another(result):
    """It is given back unused, it is shed, or its client dies with it."""

    async def scenario(clock: Clock) -> None:
        limiter = Limiter([Limits("k", rpm=6000)], clock=clock, unix=clock)
        dying, living = Wire(limiter), Wire(limiter)
        victim, heir = (
            LimiterClient(dying.exchange, clock=clock),
            LimiterClient(living.exchange, clock=clock),
        )
        for _ in range(FAILURES_IN_A_ROW):
            victim.settle(await victim.slot(call()), CallResult("server", cost_usd=0.0))
        probe = await victim.slot(call(lasts_at_most_s=1.0))
        if result is None:
            dying.limiter = None
        else:
            victim.settle(probe, result)
        async with asyncio.timeout(EXPIRED_S + LATE_S + 5.0):
            assert isinstance(await heir.slot(call()), SendSlot)

    run_virtually(scenario)


def test_what_ended_while_its_client_was_not_heard_of_is_over_with_what_it_cost():
    async def scenario(clock: Clock) -> None:
        limits = [Limits("k", rpm=6000, concurrency=1)]
        limiter = Limiter(limits, {SWEEP_SCOPE: 10.0}, clock=clock, unix=clock)
        cut, whole = Wire(limiter), Wire(limiter)
        silent, other = (
            LimiterClient(cut.exchange, clock=clock),
            LimiterClient(whole.exchange, clock=clock),
        )
        slot = await silent.slot(call(usd=1.0, lasts_at_most_s=100.0))
        cut.limiter = None
        waiting = asyncio.create_task(other.slot(call(usd=1.0)))
        await asyncio.sleep(EXPIRED_S + 2)
        silent.settle(slot, CallResult(cost_usd=0.25))
        await asyncio.sleep(2)
        assert not waiting.done()
        cut.limiter = limiter
        await asyncio.sleep(2)
        assert waiting.done()
        stats = await limiter.stats()
        assert (stats.spent_usd, stats.presumed_usd, stats.reserved_usd) == (0.25, 0.0, 1.0)

    run_virtually(scenario)


@pytest.mark.parametrize("caller_stays", [True, False])
@pytest.mark.parametrize("silent_s", [EXPIRED_S + 2, 45.0])
def test_a_slot_that_its_client_never_heard_of_has_cost_nothing(silent_s, caller_stays):
    async def scenario(clock: Clock) -> None:
        limiter = Limiter([Limits("k", rpm=6000)], {SWEEP_SCOPE: 10.0}, clock=clock, unix=clock)
        cut, whole = Wire(limiter), Wire(limiter)
        client, other = (
            LimiterClient(cut.exchange, clock=clock),
            LimiterClient(whole.exchange, clock=clock),
        )
        cut.loses_every = 1
        waiting = asyncio.create_task(client.slot(call(usd=1.0, lasts_at_most_s=30.0)))
        await asyncio.sleep(0.1)
        cut.limiter = None
        while clock() < silent_s:
            other.settle(await other.slot(call()), FREE)
            await asyncio.sleep(1)
        stats = await limiter.stats()
        assert stats.reserved_usd + stats.presumed_usd == 1.0, "it may have gone"
        cut.loses_every, cut.limiter = None, limiter
        if caller_stays:
            client.settle(await waiting, CallResult(cost_usd=0.25))
        else:
            waiting.cancel()
        await asyncio.sleep(1)
        stats = await limiter.stats()
        spent_usd = 0.25 if caller_stays else 0.0
        assert (stats.spent_usd, stats.presumed_usd, stats.reserved_usd) == (spent_usd, 0.0, 0.0)
        assert stats.keys["k"].in_flight == 0

    run_virtually(scenario)
