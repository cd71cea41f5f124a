"""One key's allowance, by the times that it names: no clock, no client."""

from itertools import count

import pytest

from mirror_ray.core.types import Quota
from mirror_ray.engine.limiter.budget import Budget
from mirror_ray.engine.limiter.circuit_breaker import CircuitBreaker
from mirror_ray.engine.limiter.key_limits import KeyLimits
from mirror_ray.engine.limiter.key_queue import ClientSession, KeyScheduler, QueuedCall
from mirror_ray.engine.limiter.messages import CallResult
from mirror_ray.engine.limiter.rates import ARRIVAL_S, WINDOW_S
from mirror_ray.engine.limiter.token_ratio import TokenRatio
from mirror_ray.engine.limiter.worst_cases import WorstCases
from mirror_ray.providers.model import Limits
from support.engine.limiter_scenes import call


@pytest.mark.parametrize(("stated", "is_full"), [(2500.0, False), (1500.0, True)])
def test_a_quota_of_tokens_that_a_reply_states_holds_where_none_was_given(stated, is_full):
    """After two calls of 1,000 tokens a minute of 2,500 has 500 left, one of 1,500 nothing."""
    limits = KeyLimits(Limits("k", window="minute"))
    for said in (9000.0, stated, stated):
        started = limits.start(0.0, 0.0, 1000.0)
        limits.end(0.0, started, CallResult(tokens=1000, quota=Quota(tpm=said)))
    assert (limits.next_s(0.0, 0.0, 500.0) == WINDOW_S + ARRIVAL_S) == is_full


def test_tokens_go_at_the_pace_that_was_stated_last():
    limits = KeyLimits(Limits("k"))
    for said in (60_000.0, 600.0):
        started = limits.start(0.0, 0.0, 600.0)
        limits.end(0.0, started, CallResult(tokens=600, quota=Quota(tpm=said)))
    sent_s = limits.next_s(0.0, 0.0, 600.0)
    limits.start(sent_s, sent_s, 600.0)
    assert limits.next_s(sent_s, sent_s, 600.0) - sent_s >= 60.0


def test_a_rate_grows_only_while_calls_wait_for_their_turn():
    """What is sent when nobody waits proves nothing of the rate that a key sustains."""
    model = call().model
    scheduler = KeyScheduler(
        Limits("k"),
        budget=Budget({}),
        breakers={model: CircuitBreaker(model)},
        ratios={model: TokenRatio()},
        worst_cases=WorstCases(),
        weights={},
        grant_ids=count(1),
    )
    session = ClientSession("c", 0.0)
    pace = scheduler.key_limits.pace
    for number in range(40):
        scheduler.push(QueuedCall(session, number, call(), 0.0))
    scheduler.plan(0.0, 0.0, 0.1)
    first_per_s = pace.per_s
    scheduler.plan(1.0, 1.0, 1.1)
    grown_per_s = pace.per_s
    assert grown_per_s > first_per_s
    scheduler.plan(2.0, 2.0, 1000.0)
    assert scheduler.waiting == 0
    at_the_end_per_s = pace.per_s
    for now_s in (3.0, 4.0, 5.0):
        scheduler.plan(now_s, now_s, now_s + 0.1)
    assert pace.per_s == at_the_end_per_s
