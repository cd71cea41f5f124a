import asyncio
from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from virtual_time import Clock, run_virtually

from mirror_ray.engine.lane import TOLERANCE_S
from mirror_ray.engine.limiter import Denied, Grant, Limiter
from mirror_ray.errors import EngineError
from mirror_ray.providers.model import Limits


@dataclass(frozen=True)
class Call:
    arrives_s: float
    lasts_s: float
    tokens: int = 0
    billed_tokens: int | None = None
    worst_usd: float | None = None
    cost_usd: float | None = 0.0


@dataclass(frozen=True)
class Went:
    call: int
    start_s: float
    end_s: float


def play(limiter_of, calls: list[Call]) -> tuple[list[Went], list[int], Limiter]:
    """Makes the calls; returns those that went, in the order they were granted, and the denied."""
    went: list[Went] = []
    denied: list[int] = []

    async def scenario(clock: Clock):
        limiter = limiter_of(clock)

        async def one(index: int, call: Call) -> None:
            await asyncio.sleep(call.arrives_s)
            verdict = await limiter.acquire("k", call.tokens, call.worst_usd)
            if isinstance(verdict, Denied):
                denied.append(index)
                return
            start_s = clock()
            went.append(Went(index, start_s, start_s + call.lasts_s))
            await asyncio.sleep(call.lasts_s)
            await limiter.settle(
                verdict.grant_id, call.billed_tokens, call.cost_usd, None, limited=False
            )

        await asyncio.gather(*(one(index, call) for index, call in enumerate(calls)))
        return limiter

    return went, denied, run_virtually(scenario)


def only(**bounds) -> list[Limits]:
    return [Limits("k", **bounds)]


arrivals = st.floats(0.0, 120.0, allow_nan=False)
durations = st.floats(0.0, 30.0, allow_nan=False)
worst_cases = st.integers(0, 500_000).map(lambda microdollars: microdollars / 1e6)


@settings(max_examples=60, deadline=None)
@given(
    rpm=st.floats(5.0, 3000.0),
    concurrency=st.integers(1, 20) | st.none(),
    times=st.lists(st.tuples(arrivals, durations), min_size=1, max_size=80),
)
def test_any_window_holds_at_most_the_rate_and_nobody_is_forgotten(rpm, concurrency, times):
    calls = [Call(arrives_s, lasts_s) for arrives_s, lasts_s in times]
    went, denied, limiter = play(
        lambda clock: Limiter(only(rpm=rpm, concurrency=concurrency), clock=clock), calls
    )
    assert not denied
    assert sorted(one.call for one in went) == list(range(len(calls)))
    starts = sorted(one.start_s for one in went)
    for first in range(len(starts)):
        for last in range(first, len(starts)):
            window_s = starts[last] - starts[first]
            assert last - first + 1 <= 1 + (window_s + TOLERANCE_S) * rpm / 60 + 1e-6
    if concurrency is not None:
        for one in went:
            under_way = [o for o in went if o.start_s <= one.start_s < o.end_s]
            assert len(under_way) <= concurrency
    stats = asyncio.run(limiter.stats())
    assert (stats.calls, stats.waiting, stats.lanes["k"].in_flight) == (len(calls), 0, 0)


@settings(max_examples=60, deadline=None)
@given(
    tpm=st.floats(100.0, 100_000.0),
    asks=st.lists(
        st.tuples(arrivals, st.integers(1, 3000), st.integers(0, 3000)), min_size=1, max_size=60
    ),
)
def test_any_window_holds_at_most_the_token_rate(tpm, asks):
    """Calls that end at once are settled before the next is granted: billed tokens are bounded."""
    calls = [Call(arrives_s, 0.0, tokens, billed) for arrives_s, tokens, billed in asks]
    went, _, _ = play(lambda clock: Limiter(only(tpm=tpm, concurrency=1), clock=clock), calls)
    assert len(went) == len(calls)
    largest = max(max(call.tokens, call.billed_tokens or 0) for call in calls)
    for first in range(len(went)):
        billed = 0
        for last in range(first, len(went)):
            billed += calls[went[last].call].billed_tokens or 0
            window_s = went[last].start_s - went[first].start_s
            assert billed <= largest + (window_s + TOLERANCE_S) * tpm / 60 + 1e-6


@settings(max_examples=40, deadline=None)
@given(
    times=st.lists(
        st.tuples(arrivals, durations), min_size=2, max_size=60, unique_by=lambda t: t[0]
    )
)
def test_the_oldest_call_goes_first(times):
    calls = [Call(arrives_s, lasts_s, tokens=7) for arrives_s, lasts_s in times]
    went, _, _ = play(
        lambda clock: Limiter(only(rpm=100, tpm=900, concurrency=4), clock=clock), calls
    )
    order = [calls[one.call].arrives_s for one in went]
    assert order == sorted(order)


@settings(max_examples=60, deadline=None)
@given(
    budget_usd=st.floats(0.0, 2.0),
    spent_usd=st.floats(0.0, 1.0),
    asks=st.lists(
        st.tuples(arrivals, durations, worst_cases, st.floats(0.0, 1.0) | st.none()),
        min_size=1,
        max_size=40,
    ),
)
def test_the_budget_holds_whatever_the_calls_cost(budget_usd, spent_usd, asks):
    calls = [
        Call(arrives_s, lasts_s, worst_usd=worst, cost_usd=None if share is None else worst * share)
        for arrives_s, lasts_s, worst, share in asks
    ]
    went, denied, limiter = play(
        lambda clock: Limiter(
            only(concurrency=5), {"sweep": budget_usd}, spent={"sweep": spent_usd}, clock=clock
        ),
        calls,
    )
    assert len(went) + len(denied) == len(calls)
    paid = [calls[one.call] for one in went]
    worst_total = sum(c.worst_usd if c.cost_usd is None else c.cost_usd for c in paid)
    if any(call.worst_usd for call in paid):
        assert spent_usd + worst_total <= budget_usd + 1e-6
    stats = asyncio.run(limiter.stats())
    assert stats.spent_usd == pytest.approx(spent_usd + sum(c.cost_usd or 0.0 for c in paid))
    assert stats.presumed_usd == pytest.approx(
        sum(c.worst_usd for c in paid if c.cost_usd is None), abs=1e-9
    )
    assert stats.reserved_usd == 0.0
    for index in denied:
        gone_usd = stats.spent_usd + stats.presumed_usd
        assert gone_usd + calls[index].worst_usd > budget_usd - 1e-9


def test_pacing_follows_the_schedule_exactly():
    """60 a minute: one a second, the tolerance of 0.1 s taken once, at the start."""
    went, _, _ = play(lambda clock: Limiter(only(rpm=60), clock=clock), [Call(0.0, 0.0)] * 4)
    assert [one.start_s for one in went] == pytest.approx([0.0, 0.9, 1.9, 2.9])


def test_a_long_sweep_uses_its_whole_allowance():
    went, _, _ = play(lambda clock: Limiter(only(rpm=3000), clock=clock), [Call(0.0, 1.0)] * 6000)
    assert went[-1].start_s == pytest.approx(6000 / 50, rel=0.01)


def test_tokens_are_settled_afterwards():
    """600 tokens at 600 a minute block a minute; when 60 were billed, six seconds."""
    calls = [Call(0.0, 0.0, tokens=600, billed_tokens=60), Call(1.0, 0.0, tokens=600)]
    went, _, _ = play(lambda clock: Limiter(only(tpm=600), clock=clock), calls)
    assert went[1].start_s == pytest.approx(6.0 - TOLERANCE_S)


def test_unlimited_keys_do_not_wait():
    went, _, _ = play(lambda clock: Limiter(only(), clock=clock), [Call(0.0, 5.0)] * 50)
    assert {one.start_s for one in went} == {0.0}


def test_a_key_named_twice_keeps_the_stricter_bounds():
    limits = [Limits("k", rpm=600, concurrency=1), Limits("k", rpm=60), Limits("other")]
    went, _, _ = play(lambda clock: Limiter(limits, clock=clock), [Call(0.0, 0.0)] * 3)
    assert [one.start_s for one in went] == pytest.approx([0.0, 0.9, 1.9])


def test_an_unknown_key_is_named():
    async def scenario(clock: Clock) -> None:
        await Limiter(only(), clock=clock).acquire("typo", 1, None)

    with pytest.raises(EngineError, match="typo"):
        run_virtually(scenario)


async def _granted(limiter: Limiter, worst_usd: float | None = None, tokens: int = 1) -> Grant:
    grant = await limiter.acquire("k", tokens, worst_usd)
    assert isinstance(grant, Grant)
    return grant


def test_retry_after_pauses_the_whole_lane():
    async def scenario(clock: Clock) -> float:
        limiter = Limiter([Limits("k"), Limits("free")], clock=clock)
        grant = await _granted(limiter)
        await limiter.settle(grant.grant_id, None, None, 20.0, limited=True)
        await limiter.acquire("free", 1, None)
        assert clock() == 0.0
        assert (await limiter.stats()).lanes["k"].paused_s == 20.0
        await _granted(limiter)
        return clock()

    assert run_virtually(scenario) == 20.0


@pytest.mark.parametrize(
    ("hint_s", "pause_s"), [(float("inf"), 300.0), (1e9, 300.0), (-5.0, 0.0), (float("nan"), 0.0)]
)
def test_an_absurd_hint_stops_nobody_for_good(hint_s, pause_s):
    async def scenario(clock: Clock) -> float:
        limiter = Limiter(only(), clock=clock)
        grant = await _granted(limiter)
        await limiter.settle(grant.grant_id, None, None, hint_s, limited=True)
        await _granted(limiter)
        return clock()

    assert run_virtually(scenario) == pause_s


def test_refusals_without_a_hint_pause_longer_each_time_but_once_per_wave():
    async def scenario(clock: Clock) -> list[float]:
        limiter = Limiter(only(), clock=clock)
        starts = []
        for _ in range(3):
            wave = [await _granted(limiter) for _ in range(10)]
            starts.append(clock())
            await asyncio.sleep(0.5)
            for grant in wave:
                await limiter.settle(grant.grant_id, None, None, None, limited=True)
        await _granted(limiter)
        return [*starts, clock()]

    # Each wave lasts 0.5 s; then pauses of 1, 2 and 4 s.
    assert run_virtually(scenario) == pytest.approx([0.0, 1.5, 4.0, 8.5])


def test_a_dead_workers_grant_expires_and_its_worst_case_stays_counted():
    async def scenario(clock: Clock) -> None:
        limiter = Limiter(only(concurrency=1), {"sweep": 1.0}, grant_life_s=60.0, clock=clock)
        lost = await _granted(limiter, worst_usd=0.7)
        await asyncio.sleep(10.0)
        next_grant = await _granted(limiter, worst_usd=0.3)
        assert clock() == 60.0
        stats = await limiter.stats()
        assert (stats.presumed_usd, stats.reserved_usd) == (0.7, 0.3)
        await limiter.settle(next_grant.grant_id, None, 0.3, None, limited=False)
        assert await limiter.acquire("k", 1, 0.1) == Denied("budget", "sweep")
        # The worker was only slow after all.
        await limiter.settle(lost.grant_id, None, 0.2, None, limited=False)
        stats = await limiter.stats()
        assert (stats.spent_usd, stats.presumed_usd) == pytest.approx((0.5, 0.0))
        assert isinstance(await limiter.acquire("k", 1, 0.1), Grant)

    run_virtually(scenario)


def test_a_call_waits_while_the_budget_may_still_turn_out_to_suffice():
    async def scenario(clock: Clock) -> None:
        limiter = Limiter(only(), {"sweep": 1.0}, clock=clock)
        first = await _granted(limiter, worst_usd=0.8)
        second = asyncio.create_task(limiter.acquire("k", 1, 0.8))
        await asyncio.sleep(3.0)
        assert not second.done()
        await limiter.settle(first.grant_id, None, 0.1, None, limited=False)
        assert isinstance(await second, Grant)
        assert await limiter.acquire("k", 1, 0.95) == Denied("budget", "sweep")

    run_virtually(scenario)


def test_a_second_settling_is_ignored():
    async def scenario(clock: Clock) -> None:
        limiter = Limiter(only(concurrency=1), {"sweep": 1.0}, clock=clock)
        grant = await _granted(limiter, worst_usd=0.5)
        for _ in range(2):
            await limiter.settle(grant.grant_id, 5, 0.2, None, limited=False)
        stats = await limiter.stats()
        assert (stats.spent_usd, stats.lanes["k"].in_flight) == (0.2, 0)

    run_virtually(scenario)


@pytest.mark.parametrize("already_granted", [False, True])
def test_a_cancelled_caller_leaves_no_trace(already_granted):
    async def scenario(clock: Clock) -> None:
        limiter = Limiter(only(concurrency=1), {"sweep": 1.0}, clock=clock)
        first = await _granted(limiter, worst_usd=0.1)
        second = asyncio.create_task(limiter.acquire("k", 1, 0.5))
        await asyncio.sleep(1.0)
        if already_granted:
            await limiter.settle(first.grant_id, None, 0.1, None, limited=False)
        second.cancel()
        with pytest.raises(asyncio.CancelledError):
            await second
        if not already_granted:
            await limiter.settle(first.grant_id, None, 0.1, None, limited=False)
        await _granted(limiter, worst_usd=0.9)
        stats = await limiter.stats()
        assert (stats.reserved_usd, stats.waiting, stats.lanes["k"].in_flight) == (0.9, 0, 1)

    run_virtually(scenario)
