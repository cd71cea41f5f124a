"""Budgets: never passed, whoever dies when."""

import asyncio
from collections import Counter

import pytest

from mirror_ray.engine.limiter.actor import Limiter
from mirror_ray.engine.limiter.budget import SWEEP_SCOPE
from mirror_ray.engine.limiter.client import LimiterClient, SendSlot
from mirror_ray.engine.limiter.messages import CallResult, Denied, LimiterCall
from mirror_ray.engine.limiter.sessions import EXPIRED_S
from mirror_ray.providers.model import Limits
from support.engine.limiter_scenes import Kept, call, with_client
from support.engine.pretended_provider import Wire
from support.engine.virtual_time import Clock, run_virtually


def test_money_is_never_exceeded_and_a_spent_cell_stops_alone():
    async def scenario(clock: Clock, client: LimiterClient, limiter: Limiter):
        async def one(cell: str) -> str:
            slot = await client.slot(call(cell, usd=1.0))
            if isinstance(slot, Denied):
                assert slot.error_kind == "budget"
                return "denied"
            await asyncio.sleep(2)
            client.settle(slot, CallResult(cost_usd=0.4))
            return "went"

        poor = asyncio.gather(*(one("poor") for _ in range(10)))
        rich = asyncio.gather(*(one("rich") for _ in range(10)))
        went = Counter(await poor), Counter(await rich)
        await client.close()
        return *went, await limiter.stats()

    ceilings = {SWEEP_SCOPE: 8.0, "cell:poor": 2.0}
    poor, rich, stats = with_client(scenario, Limits("k", rpm=6000), ceilings)
    # 0.4 + 0.4 + 0.4 leave less than 1.0, the worst case of a fourth.
    assert poor == {"went": 3, "denied": 7}
    assert rich == {"went": 10}
    assert stats.spent_usd == pytest.approx(13 * 0.4)
    assert stats.reserved_usd == 0.0


def restartable(clock: Clock, ledger: Kept, budget_usd: float) -> Limiter:
    return Limiter(
        [Limits("k", rpm=600)], {SWEEP_SCOPE: budget_usd}, ledger=ledger, clock=clock, unix=clock
    )


def ask(name: str, usd: float, **more) -> LimiterCall:
    return call(usd=usd, episode_id=name, ask_index=1, **more)


def test_a_restarted_limiter_knows_what_is_spent_and_what_is_under_way():
    async def scenario(clock: Clock) -> None:
        ledger = Kept()
        wire = Wire(restartable(clock, ledger, 3.0))
        client = LimiterClient(wire.exchange, clock=clock)
        slot = await client.slot(ask("done", 1.0))
        client.settle(slot, CallResult(cost_usd=1.0))
        ledger.record(ask("done", 1.0), client.client_id, 1.0)
        under_way = await client.slot(ask("under way", 1.0))
        await asyncio.sleep(1)
        wire.limiter = None
        asked = asyncio.create_task(client.slot(ask("next", 1.5)))
        await asyncio.sleep(5)
        wire.limiter = restartable(clock, ledger, 3.0)
        await asyncio.sleep(5)
        assert not asked.done(), "1 spent, 1 under way: 1.5 might not fit"
        client.settle(under_way, CallResult(cost_usd=0.25))
        assert isinstance(await asked, SendSlot)
        stats = await wire.limiter.stats()
        assert (stats.spent_usd, stats.reserved_usd, stats.presumed_usd) == (1.25, 1.5, 0.0)

    run_virtually(scenario)


@pytest.mark.parametrize("recorded", [True, False])
def test_what_ended_while_there_was_no_limiter_is_counted_once(recorded):
    async def scenario(clock: Clock) -> None:
        ledger = Kept()
        wire = Wire(restartable(clock, ledger, 3.0))
        client = LimiterClient(wire.exchange, clock=clock)
        slot = await client.slot(ask("e", 1.0))
        wire.limiter = None
        client.settle(slot, CallResult(cost_usd=0.5))
        if recorded:
            ledger.record(ask("e", 1.0), client.client_id, 0.5)
        await asyncio.sleep(5)
        wire.limiter = restartable(clock, ledger, 3.0)
        await client.slot(ask("next", 1.0))
        stats = await wire.limiter.stats()
        assert (stats.spent_usd, stats.reserved_usd, stats.presumed_usd) == (0.5, 1.0, 0.0)

    run_virtually(scenario)


def test_a_client_that_dies_with_the_limiter_is_presumed_to_have_spent_what_it_might():
    async def scenario(clock: Clock) -> None:
        ledger = Kept()
        dying, living = Wire(restartable(clock, ledger, 3.0)), Wire(restartable(clock, ledger, 3.0))
        living.limiter = dying.limiter
        victim, heir = (
            LimiterClient(dying.exchange, clock=clock),
            LimiterClient(living.exchange, clock=clock),
        )
        # A second attempt, after one that may have cost 0.25.
        await victim.slot(ask("lost", 1.0, before_usd=0.25))
        dying.limiter = living.limiter = None
        await asyncio.sleep(1)
        living.limiter = restartable(clock, ledger, 3.0)
        began_s = clock()
        asked = asyncio.create_task(heir.slot(ask("too dear", 2.0)))
        assert isinstance(await heir.slot(ask("cheap", 0.25)), SendSlot)
        assert not asked.done(), "its LimiterClient may come to tell that it cost nothing"
        assert isinstance(await asked, Denied)
        assert EXPIRED_S < clock() - began_s < EXPIRED_S + 2.0
        stats = await living.limiter.stats()
        assert (stats.spent_usd, stats.reserved_usd, stats.presumed_usd) == (0.0, 0.25, 1.25)

    run_virtually(scenario)


def test_nothing_goes_before_what_it_may_cost_is_written_down():
    class Slow(Kept):
        async def begin(self, asks) -> None:
            await asyncio.sleep(3)
            await super().begin(asks)

    async def scenario(clock: Clock) -> None:
        ledger = Slow()
        wire = Wire(restartable(clock, ledger, 3.0))
        client = LimiterClient(wire.exchange, clock=clock)
        await client.slot(ask("free", 0.0))
        assert (clock() < 1, ledger.charges.pending()) == (True, [])
        await client.slot(ask("priced", 1.0))
        assert clock() > 3
        assert ledger.charges.pending() == [("priced", 1, client.client_id, "cell", 1.0)]

    run_virtually(scenario)


@pytest.mark.parametrize(
    ("budget_usd", "at_once"),
    [pytest.param(0.05, 1, id="under a budget"), pytest.param(None, 8, id="without one")],
)
def test_a_model_without_a_known_cost_is_asked_once_until_it_is_known(
    budget_usd: float | None, at_once: int
):
    """Eight calls of $0.04 each: all in flight together would pass a budget of $0.05 by far."""
    running, most, went = 0, 0, 0

    async def scenario(clock: Clock, client: LimiterClient, limiter: Limiter):
        async def one(number: int) -> None:
            nonlocal running, most, went
            slot = await client.slot(call(usd=None, episode_id=f"e{number}"))
            if isinstance(slot, Denied):
                return
            running += 1
            most = max(most, running)
            await asyncio.sleep(5)
            running -= 1
            went += 1
            client.settle(slot, CallResult(cost_usd=0.04))

        await asyncio.gather(*(one(number) for number in range(8)))
        await client.close()
        return await limiter.stats()

    ceilings = {} if budget_usd is None else {SWEEP_SCOPE: budget_usd}
    stats = with_client(scenario, Limits("k", rpm=6000, concurrency=8), ceilings)
    assert most == at_once
    # After the first, another might cost as much: it would not fit.
    assert went == (8 if budget_usd is None else 1)
    assert stats.spent_usd == pytest.approx(went * 0.04)


@pytest.mark.parametrize("scopes", [[SWEEP_SCOPE], ["model:m0", "model:m1"], []])
def test_models_without_a_known_cost_share_the_budget_that_pays_for_them(scopes: list[str]):
    """Two of the four models have budgets of their own: each is asked once; the others as ever."""
    running: list[str] = []
    most = {"m0": 0, "m2": 0, "any": 0}

    async def scenario(clock: Clock, client: LimiterClient, limiter: Limiter):
        async def one(model: str, number: int) -> None:
            slot = await client.slot(call(model=model, usd=None, episode_id=f"{model}-{number}"))
            if isinstance(slot, Denied):
                return
            running.append(model)
            most["any"] = max(most["any"], len(set(running)))
            for name in ("m0", "m2"):
                most[name] = max(most[name], running.count(name))
            await asyncio.sleep(5)
            running.remove(model)
            client.settle(slot, CallResult(cost_usd=0.04))

        await asyncio.gather(*(one(f"m{n % 4}", n) for n in range(8)))
        await client.close()
        return await limiter.stats()

    stats = with_client(scenario, Limits("k", rpm=6000, concurrency=8), dict.fromkeys(scopes, 0.05))
    if SWEEP_SCOPE in scopes:
        assert most["any"] == 1
        # As of one model, a single call passes the budget.
        assert stats.spent_usd <= 0.05 + 0.04
    else:
        assert most["m0"] == (1 if scopes else 2)
        assert most["m2"] == 2


@pytest.mark.parametrize("end", ["error", "no cost", "free"])
def test_waiting_for_a_first_cost_ends(end: str):
    """A failed first call gives its place to another; a model that reports no cost, or none that
    is above 0, is asked as ever."""
    running, most = 0, 0

    async def scenario(clock: Clock, client: LimiterClient, limiter: Limiter):
        async def one(number: int) -> None:
            nonlocal running, most
            slot = await client.slot(call(usd=None, episode_id=f"e{number}"))
            assert not isinstance(slot, Denied)
            running += 1
            most = max(most, running)
            await asyncio.sleep(2)
            running -= 1
            if end == "error" and number < 4:
                client.settle(slot, CallResult(error_kind="server", cost_usd=0.0))
            else:
                client.settle(slot, CallResult(cost_usd=0.0 if end == "free" else None))

        await asyncio.gather(*(one(number) for number in range(8)))
        await client.close()
        return await limiter.stats()

    with_client(scenario, Limits("k", rpm=6000, concurrency=8), {SWEEP_SCOPE: 1.0})
    assert most > 1
    assert running == 0
