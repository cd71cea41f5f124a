"""Somebody else uses the same key: what the provider says is left is not overdrawn."""

import asyncio
import random
from math import inf

import pytest

from mirror_ray.engine.limiter.shared_usage import SharedUsage
from mirror_ray.providers.model import Limits
from support.engine.long_runs import Run, played
from support.engine.pretended_provider import Bucket, Minute, Provider, Quotas, Wire
from support.engine.virtual_time import Clock

THOROUGH = pytest.mark.thorough("its other case, and engine/limiter/test_pacing.py")

RPM, UNTIL_S = 600, 300.0


def shared(quota: Quotas, window: str, others_per_minute: float, *, tells_left: bool = True) -> Run:
    async def others(clock: Clock, provider: Provider, _: Wire) -> None:
        times = random.Random(0)
        while others_per_minute and clock() < UNTIL_S:
            quota.takes(clock())
            await asyncio.sleep(times.expovariate(others_per_minute / 60))

    return played(
        Limits("k", rpm=RPM, window=window),
        lambda clock: Provider(clock, quota, tells_left=tells_left),
        until_s=UNTIL_S,
        meddling=others,
    )


@pytest.mark.thorough("engine/limiter/test_pacing.py")
@pytest.mark.parametrize(
    ("quota", "window"),
    [(Bucket(RPM, 1.0), "bucket"), (Bucket(RPM, 60.0), "bucket"), (Minute(RPM), "minute")],
)
def test_alone_what_is_left_keeps_nobody_back(quota, window):
    run = shared(quota, window, 0.0)
    assert run.share(RPM) >= 0.98
    assert run.refused == 0.0


@pytest.mark.parametrize("others", [pytest.param(150, marks=THOROUGH), 300])
def test_a_bucket_that_others_draw_on_is_not_overdrawn(others):
    run = shared(Bucket(RPM, 60.0), "bucket", others)
    assert run.refused <= 0.01
    assert run.share(RPM - others) >= 0.98
    untold = shared(Bucket(RPM, 60.0), "bucket", others, tells_left=False)
    assert untold.refused > 2 * run.refused


@pytest.mark.parametrize(
    "others", [pytest.param(150, marks=THOROUGH), 300, pytest.param(500, marks=THOROUGH)]
)
def test_a_minute_that_others_draw_on_is_not_overdrawn(others):
    run = shared(Minute(RPM), "minute", others)
    assert run.refused <= 0.003
    assert run.share(RPM - others) >= 0.98
    untold = shared(Minute(RPM), "minute", others, tells_left=False)
    assert untold.refused > 10 * run.refused


def test_a_spent_minute_is_waited_for_and_old_news_are_ignored():
    remaining = SharedUsage(refills=False)
    for second in range(20):
        # Ten calls a second by us, ten by others.
        remaining.stated(
            float(second), 10 * second, 400 - 20 * second, per_s=10.0, resets_at_s=60.0
        )
    assert remaining.next_s(19.0, 190) == 19.0
    # Twenty were left at 19 s; by 19.5 s others have taken some of them.
    assert remaining.next_s(19.5, 200) == 19.5
    assert remaining.next_s(19.5, 210) == 60.0
    remaining.stated(18.5, 185, 500, per_s=10.0, resets_at_s=61.0)
    assert remaining.next_s(19.5, 210) == 60.0
    assert remaining.next_s(60.5, 210) == 60.5


def test_a_spent_bucket_is_waited_for_as_far_as_it_refills():
    remaining = SharedUsage(refills=True)
    for second in range(60):
        # Eight calls a second by us, four by others: two more than are refilled.
        remaining.stated(float(second), 8 * second, 118 - 2 * second, per_s=10.0, resets_at_s=None)
    assert remaining.next_s(59.0, 8 * 59) == pytest.approx(59 + 1 / 6, abs=0.01)
    assert remaining.next_s(59.0, 8 * 59 + 6) == pytest.approx(59 + 7 / 6, abs=0.05)
    assert remaining.next_s(70.0, 8 * 59 + 6) == 70.0


def test_nothing_is_known_before_the_first_reply():
    assert SharedUsage(refills=True).next_s(5.0, 10**6) == 5.0
    assert SharedUsage(refills=False).next_s(inf, 0) == inf
