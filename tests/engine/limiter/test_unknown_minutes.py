"""A limit that nobody states, counted anew with every minute: found by using two minutes up."""

import asyncio

import pytest

from mirror_ray.engine.limiter.rate_discovery import FOUND_FOR_S
from mirror_ray.engine.limiter.refusal_history import RejectionHistory, WindowQuota
from mirror_ray.providers.model import Limits
from support.engine.long_runs import Run, played
from support.engine.pretended_provider import Minute, Provider, Wire
from support.engine.virtual_time import Clock

pytestmark = pytest.mark.thorough("engine/limiter/test_pacing.py and test_concurrency_discovery.py")


def late_refusals(run: Run, from_s: float) -> int:
    return sum(at_s >= from_s for at_s in run.provider.refused)


@pytest.mark.parametrize(
    ("rpm", "askers", "phase_s"), [(600, 14, 0.0), (600, 14, 17.0), (3000, 70, 17.0)]
)
def test_after_some_minutes_there_are_no_refusals_any_more(rpm, askers, phase_s):
    run = played(
        Limits("k"),
        lambda clock: Provider(clock, Minute(rpm, phase_s)),
        askers=[askers] * 3,
        until_s=600.0,
    )
    assert late_refusals(run, 300.0) == 0
    assert run.share(rpm, 60.0) >= 0.97


def test_a_quota_that_was_raised_is_found_in_time():
    async def raised(clock: Clock, provider: Provider, _: Wire) -> None:
        await asyncio.sleep(300)
        provider.requests.per_minute = 1200

    until_s = 300 + FOUND_FOR_S + 300
    run = played(
        Limits("k"),
        lambda clock: Provider(clock, Minute(600)),
        askers=[20] * 3,
        until_s=until_s,
        meddling=raised,
    )
    assert run.provider.per_minute(until_s - 180, until_s) > 1000


def gone(history: RejectionHistory, begin_s: float, taken: int, refused: int) -> float:
    """So many calls a tenth of a second apart; returns when the last one went."""
    at_s = begin_s
    for number in range(taken + refused):
        at_s = begin_s + number / 10
        history.granted(at_s)
        if number >= taken:
            history.refused(at_s)
    return at_s


@pytest.mark.parametrize(
    ("first", "second", "found"), [(300, 300, 300), (300, 304, 300), (300, 310, None)]
)
def test_only_two_minutes_alike_are_a_quota(first, second, found):
    history, walls = RejectionHistory(), WindowQuota()
    assert walls.exhausted(history, gone(history, 0.0, 0, 20) + 1) is None
    walls.passed(10.0)
    assert walls.exhausted(history, gone(history, 10.0, first, 20) + 1) is None
    # Still the same wall.
    assert walls.exhausted(history, gone(history, 45.0, 0, 5) + 1) is None
    walls.passed(70.0)
    assert walls.exhausted(history, gone(history, 70.0, second, 20) + 1) == found


def test_a_wall_after_more_than_a_minute_says_nothing():
    history, walls = RejectionHistory(), WindowQuota()
    for begin_s in (10.0, 100.0):
        walls.exhausted(history, gone(history, begin_s - 5, 0, 20) + 1)
        walls.passed(begin_s)
        assert walls.exhausted(history, gone(history, begin_s, 600, 20) + 1) is None
