"""Whatever a server reports of costs and tokens: nothing is given back, and no neighbour pays."""

import asyncio
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mirror_ray.core.types import Quota
from mirror_ray.engine.limiter.actor import Limiter
from mirror_ray.engine.limiter.budget import SWEEP_SCOPE, Budget, scopes_of
from mirror_ray.engine.limiter.client import LimiterClient
from mirror_ray.engine.limiter.messages import (
    CallResult,
    ClientReport,
    EndedCall,
    LimiterCall,
    RecentCalls,
    ReportedCall,
)
from mirror_ray.engine.limiter.worst_cases import WorstCases
from mirror_ray.providers.model import Limits
from support.engine.limiter_scenes import call, with_client
from support.engine.virtual_time import Clock, run_virtually

NO_COST = [math.nan, math.inf, -math.inf, -1000.0, 1e300, 2**80, -1, "1.5", True, [1]]
SCOPES = scopes_of("model", "cell")

hostile_usd = st.sampled_from(NO_COST) | st.floats() | st.floats(0.0, 2.0) | st.none()


@given(
    ceiling_usd=st.floats(0.0, 5.0),
    steps=st.lists(st.tuples(st.booleans(), hostile_usd, hostile_usd), max_size=40),
)
def test_no_cost_makes_a_account_any_fuller(ceiling_usd, steps):
    """Each step begins a call where it fits, or ends the oldest one, or corrects one."""
    budget = Budget({SWEEP_SCOPE: ceiling_usd}, {SWEEP_SCOPE: -5.0}, {SWEEP_SCOPE: math.nan})
    under_way: list[tuple[int, float]] = []
    spent_usd = 0.0
    for number, (begins, worst_usd, cost_usd) in enumerate(steps):
        before = budget.account(SWEEP_SCOPE)
        if begins and budget.verdict(worst_usd, SCOPES).answer == "fits":
            budget.reserve(number, worst_usd, SCOPES)
            is_bound = isinstance(worst_usd, float) and 0 <= worst_usd <= 1e12
            under_way.append((number, worst_usd if is_bound else 0.0))
        elif under_way:
            grant_id, worst = under_way.pop(0)
            budget.settle(grant_id, cost_usd)
            after = budget.account(SWEEP_SCOPE)
            known = isinstance(cost_usd, float) and 0 <= cost_usd <= 1e12
            spent_usd += cost_usd if known else 0.0
            gone_usd = after.spent_usd + after.presumed_usd
            expected_usd = before.spent_usd + before.presumed_usd + (cost_usd if known else worst)
            assert gone_usd == pytest.approx(expected_usd, rel=1e-9, abs=1e-9)
        after = budget.account(SWEEP_SCOPE)
        assert after.spent_usd >= before.spent_usd
        assert after.presumed_usd >= before.presumed_usd >= 0.0
        assert after.spent_usd == pytest.approx(spent_usd, rel=1e-6, abs=1e-9)


@pytest.mark.parametrize("usd", NO_COST)
def test_what_is_no_cost_does_not_correct_a_presumed_one(usd):
    budget = Budget({SWEEP_SCOPE: 1.0})
    budget.reserve(1, 0.75, SCOPES)
    budget.settle(1, usd)
    budget.correct(0.75, usd, SCOPES)
    account = budget.account(SWEEP_SCOPE)
    assert (account.spent_usd, account.presumed_usd, account.reserved_usd) == (0.0, 0.75, 0.0)
    assert budget.verdict(0.26, SCOPES).answer == "never"


@pytest.mark.parametrize("usd", NO_COST)
def test_who_waits_at_a_client_gets_its_slot_whatever_another_s_call_has_cost(usd):
    async def scenario(clock: Clock, client: LimiterClient, limiter: Limiter):
        odd = await client.slot(call("odd", usd=0.25, model="odd"))
        waiting = [asyncio.create_task(client.slot(call("good", usd=0.25))) for _ in range(5)]
        quota = Quota(usd, usd, usd, usd, usd, usd)
        client.settle(odd, CallResult("none", usd, usd, usd, quota))
        for one in asyncio.as_completed(waiting):
            client.settle(await one, CallResult(cost_usd=0.25))
            assert clock() < 30.0
        await client.close()
        return await limiter.stats()

    stats = with_client(scenario, Limits("k", rpm=600, tpm=6000, concurrency=1), {SWEEP_SCOPE: 5.0})
    assert (stats.spent_usd, stats.presumed_usd, stats.reserved_usd) == (1.25, 0.25, 0.0)
    assert (stats.keys["k"].in_flight, stats.keys["k"].waiting) == (0, 0)


@pytest.mark.parametrize("tokens", [2**63 - 1, 10**15])
def test_billed_tokens_hold_a_key_up_for_twenty_times_the_estimate_at_most(tokens):
    async def scenario(clock: Clock, client: LimiterClient, _: Limiter) -> float:
        client.settle(
            await client.slot(call("odd", tokens=1000)), CallResult(tokens=tokens, cost_usd=0.0)
        )
        client.settle(
            await client.slot(call("good", tokens=100)), CallResult(tokens=100, cost_usd=0.0)
        )
        await client.close()
        return clock()

    # 20,000 tokens at 60,000 a minute.
    assert with_client(scenario, Limits("k", rpm=600, tpm=60_000)) < 30.0


def test_one_item_of_a_report_fails_no_other():
    async def scenario(clock: Clock) -> None:
        limiter = Limiter([Limits("k", rpm=600)], {SWEEP_SCOPE: 5.0}, clock=clock, unix=clock)
        stray = LimiterCall("other", "m", "c", worst_case_usd=1.0)
        odd = call(usd=math.nan, before_usd=-5.0, tokens=-(2**70))
        report = ClientReport(
            "gate",
            (
                ReportedCall(1, stray, 0.0),
                ReportedCall(2, call(usd=0.5), 0.0),
                ReportedCall(3, odd, 0.0),
            ),
            ended=(
                EndedCall(7, stray, CallResult(cost_usd=1.0)),
                EndedCall(8, call(), CallResult(cost_usd=0.5)),
            ),
            registers=True,
            in_flight=(ReportedCall(9, stray, 1.0), ReportedCall(10, call(usd=0.5), 1.0)),
            recent=(RecentCalls("other", 1.0, 5, 5), RecentCalls("k", 1.0, 5, 5)),
        )
        answer = await limiter.exchange(report)
        assert [(number, why.error_kind) for number, why in answer.denied] == [(1, "internal")]
        granted = {one.call_id: one.worst_case_usd for one in answer.granted}
        for _ in range(50):
            await asyncio.sleep(0.1)
            granted |= {
                one.call_id: one.worst_case_usd
                for one in (await limiter.exchange(ClientReport("gate"))).granted
            }
        assert granted.keys() == {2, 3}
        stats = await limiter.stats()
        assert (stats.spent_usd, stats.reserved_usd) == (0.5, 1.5)

    run_virtually(scenario)


def test_what_calls_cost_above_their_worst_case_is_the_worst_case_of_the_next():
    cases = WorstCases({"known": 2.0})
    free, dear, unpriced = call(usd=0.0), call(usd=3.0), call(usd=None)
    assert [cases.usd(one) for one in (free, dear, unpriced)] == [0.0, 3.0, None]
    assert not cases.cost(dear, 3.0)
    assert not cases.cost(free, None)
    assert (cases.usd(free), cases.unnoted()) == (0.0, [])
    assert cases.cost(call(usd=0.0, episode_id="e"), 1.6)
    assert cases.cost(free, 0.5)
    assert [cases.usd(one) for one in (free, dear, unpriced)] == [1.6, 3.0, 1.6]
    assert [(one.usd, one.episode_id) for one in cases.unnoted()] == [(1.6, "e"), (0.5, "")]
    assert cases.unnoted() == []
    assert cases.usd(call(usd=0.1, model="known")) == 2.0
