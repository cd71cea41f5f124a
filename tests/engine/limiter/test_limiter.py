"""The Limiter between clients that come and go: turns, breakers, bounds."""

import asyncio
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mirror_ray.engine.limiter.actor import Limiter
from mirror_ray.engine.limiter.circuit_breaker import FAILURES_IN_A_ROW, LONGEST_REST_S, PATIENCE_S
from mirror_ray.engine.limiter.client import LimiterClient, SendSlot
from mirror_ray.engine.limiter.messages import CallResult, Denied
from mirror_ray.engine.limiter.rates import CATCH_UP_S
from mirror_ray.providers.model import Limits
from support.engine.limiter_scenes import FREE, call, with_client
from support.engine.pretended_provider import Provider, Wire, demand
from support.engine.virtual_time import Clock, run_virtually

arrivals = st.floats(0.0, 120.0, allow_nan=False)


@settings(max_examples=50)
@given(
    rpm=st.floats(5.0, 3000.0),
    concurrency=st.integers(1, 20) | st.none(),
    times=st.lists(st.tuples(arrivals, st.floats(0.0, 30.0)), min_size=1, max_size=80),
)
def test_any_span_holds_at_most_the_rate_and_nobody_is_forgotten(rpm, concurrency, times):
    async def scenario(clock: Clock, client: LimiterClient, limiter: Limiter):
        went: list[tuple[float, float]] = []

        async def one(arrives_s: float, lasts_s: float) -> None:
            await asyncio.sleep(arrives_s)
            slot = await client.slot(call())
            went.append((clock(), clock() + lasts_s))
            await asyncio.sleep(lasts_s)
            client.settle(slot, FREE)

        await asyncio.gather(*(one(*when) for when in times))
        await client.close()
        return sorted(went), await limiter.stats()

    went, stats = with_client(scenario, Limits("k", rpm=rpm, concurrency=concurrency))
    key_stats = stats.keys["k"]
    assert (key_stats.calls, key_stats.waiting, key_stats.in_flight) == (len(times), 0, 0)
    for first, (begin_s, _) in enumerate(went):
        for last in range(first, len(went)):
            span_s = went[last][0] - begin_s
            assert last - first + 1 <= 1 + (span_s + CATCH_UP_S) * rpm / 60 + 1e-6
    if concurrency is not None:
        for begin_s, _ in went:
            assert sum(b <= begin_s < e for b, e in went) <= concurrency


@settings(max_examples=50)
@given(
    tpm=st.floats(3000.0, 100_000.0),
    window=st.sampled_from(["bucket", "minute"]),
    asks=st.lists(
        st.tuples(arrivals, st.integers(1, 3000), st.integers(0, 3000)), min_size=1, max_size=60
    ),
)
def test_any_minute_holds_at_most_the_tokens(tpm, window, asks):
    """One call at a time, so that each is billed before the next goes."""

    async def scenario(clock: Clock, client: LimiterClient, _: Limiter):
        billed: list[tuple[float, int]] = []

        async def one(arrives_s: float, estimated: int, tokens: int) -> None:
            await asyncio.sleep(arrives_s)
            slot = await client.slot(call(tokens=estimated))
            billed.append((clock(), tokens))
            client.settle(slot, CallResult(cost_usd=0.0, tokens=tokens))

        await asyncio.gather(*(one(*ask) for ask in asks))
        return billed

    billed = with_client(scenario, Limits("k", rpm=60_000, tpm=tpm, concurrency=1, window=window))
    assert len(billed) == len(asks)
    largest = 3000
    for begin_s, _ in billed:
        in_minute = sum(tokens for at_s, tokens in billed if begin_s <= at_s < begin_s + 60)
        assert in_minute <= tpm * (1 + CATCH_UP_S / 60) + largest + 1e-6


def test_cells_take_turns_by_weight_and_a_busy_one_starves_nobody():
    async def scenario(clock: Clock, client: LimiterClient, _: Limiter):
        went: Counter[str] = Counter()

        async def one(cell: str) -> None:
            slot = await client.slot(call(cell))
            went[cell] += 1
            client.settle(slot, FREE)

        asks = [asyncio.create_task(one("busy")) for _ in range(200)]
        asks += [asyncio.create_task(one("heavy")) for _ in range(200)]
        asks += [asyncio.create_task(one("light")) for _ in range(200)]
        await asyncio.sleep(20)
        for ask in asks:
            ask.cancel()
        await asyncio.gather(*asks, return_exceptions=True)
        return went

    went = with_client(scenario, Limits("k", rpm=300), weights={"heavy": 3.0})
    assert went["heavy"] == pytest.approx(3 * went["light"], abs=3)
    assert went["busy"] == pytest.approx(went["light"], abs=1)


def test_a_call_that_is_tried_again_keeps_its_age():
    async def scenario(clock: Clock, client: LimiterClient, _: Limiter):
        order: list[str] = []

        async def one(name: str, waited_s: float) -> None:
            client.settle(await client.slot(call(), waited_s), FREE)
            order.append(name)

        first = asyncio.create_task(one("first", 0.0))
        await first
        await asyncio.gather(one("young", 0.0), one("old", 30.0), one("oldest", 60.0))
        return order

    assert with_client(scenario, Limits("k", rpm=6)) == ["first", "oldest", "old", "young"]


def test_a_model_that_is_down_is_left_alone_and_found_to_be_back():
    async def scenario(clock: Clock, client: LimiterClient, limiter: Limiter):
        sent: list[float] = []

        async def one() -> None:
            began_s = clock()
            while True:
                slot = await client.slot(call(), clock() - began_s)
                sent.append(clock())
                await asyncio.sleep(0.1)
                down = 10 <= clock() < 100
                client.settle(slot, CallResult("server" if down else "none", cost_usd=0.0))
                if not down:
                    return
                await asyncio.sleep(1)

        for _ in range(1200):
            asyncio.get_running_loop().call_later(_ / 10, lambda: asyncio.create_task(one()))
        await asyncio.sleep(240)
        return sent, await limiter.stats()

    sent, stats = with_client(scenario, Limits("k", rpm=6000))
    assert sum(10 <= at_s < 100 for at_s in sent) <= FAILURES_IN_A_ROW + 20
    assert {one.waiting for one in stats.keys.values()} == {0}
    assert stats.breakers == {"model": "closed"}
    assert len(sent) >= 1200


def test_a_server_that_stays_away_is_said_to_be_and_closes_its_model_in_the_end():
    async def scenario(clock: Clock, client: LimiterClient, limiter: Limiter):
        ends: list[Denied] = []

        async def one() -> None:
            began_s = clock()
            while not isinstance(slot := await client.slot(call(), clock() - began_s), Denied):
                await asyncio.sleep(0.1)
                client.settle(slot, CallResult("connection", cost_usd=0.0))
                await asyncio.sleep(1)
            ends.append(slot)

        asks = [asyncio.create_task(one()) for _ in range(40)]
        await asyncio.sleep(30)
        down = (await limiter.stats()).unreachable["model"]
        waiting = (await limiter.stats()).keys["k"].waiting
        await asyncio.gather(*asks)
        return down, waiting, ends, clock()

    down, waiting, ends, took_s = with_client(scenario, Limits("k", rpm=6000))
    assert down.error_kind == "connection"
    assert 25 < down.since_s <= 30
    assert 0 <= down.next_try_s <= LONGEST_REST_S
    assert waiting >= 35
    assert {(one.error_kind, one.closed_scope) for one in ends} == {("connection", "model:model")}
    assert len(ends) == 40
    assert took_s < PATIENCE_S + 2 * LONGEST_REST_S


def test_a_wrong_key_is_told_to_all_who_ask_and_not_tried_again_and_again():
    async def scenario(clock: Clock, client: LimiterClient, _: Limiter):
        sent, told = 0, Counter()

        async def one() -> None:
            nonlocal sent
            slot = await client.slot(call())
            if isinstance(slot, Denied):
                told[slot.error_kind] += 1
                assert "model" in slot.reason
                return
            sent += 1
            client.settle(slot, CallResult("auth", cost_usd=0.0))

        for _ in range(200):
            await one()
        other = await client.slot(call(model="another"))
        assert isinstance(other, SendSlot)
        return sent, told

    sent, told = with_client(scenario, Limits("k", rpm=6000))
    assert sent <= 6
    assert told["auth"] == 200 - sent


def test_callers_who_go_leave_their_place_and_their_slot():
    async def scenario(clock: Clock, client: LimiterClient, limiter: Limiter):
        held = await client.slot(call())
        waiting = [asyncio.create_task(client.slot(call())) for _ in range(5)]
        await asyncio.sleep(1)
        for one in waiting[:4]:
            one.cancel()
        client.settle(held, FREE)
        client.settle(await waiting[4], FREE)
        await client.close()
        return await limiter.stats()

    key_stats = with_client(scenario, Limits("k", rpm=6000, concurrency=1)).keys["k"]
    assert (key_stats.calls, key_stats.waiting, key_stats.in_flight) == (2, 0, 0)


def test_a_call_that_goes_after_midnight_is_of_the_new_day():
    """It is planned before: slots are granted a little ahead."""
    midnight_s = 30.05

    async def scenario(clock: Clock) -> list[float]:
        limits = [Limits("k", rpm=600, rpd=20)]
        limiter = Limiter(limits, clock=clock, unix=lambda: clock() + 86_400 - midnight_s)
        client = LimiterClient(Wire(limiter).exchange, clock=clock)
        went: list[float] = []

        async def one() -> None:
            slot = await client.slot(call())
            went.append(clock())
            client.settle(slot, FREE)

        await asyncio.sleep(midnight_s - 1.0)
        asks = [asyncio.create_task(one()) for _ in range(60)]
        await asyncio.sleep(60.0)
        for ask in asks:
            ask.cancel()
        return went

    went = run_virtually(scenario)
    assert min(went) < midnight_s < max(went)
    assert sum(at_s >= midnight_s for at_s in went) == 20


def test_where_a_key_comes_twice_the_stricter_bounds_hold():
    async def scenario(clock: Clock) -> int:
        limits = [Limits("k", rpm=6000, concurrency=7), Limits("k", rpm=9000, concurrency=3)]
        wire = Wire(Limiter(limits, clock=clock, unix=clock))
        provider = Provider(clock)
        client = LimiterClient(wire.exchange, clock=clock)
        await demand(client, provider, clock, askers=10, until_s=10.0, call=call())
        return provider.most_under_way

    assert run_virtually(scenario) == 3
