"""Long runs against a provider that enforces limits, on a virtual clock: share used, refusals."""

import asyncio

import pytest

from mirror_ray.core.types import Quota
from mirror_ray.engine.limiter.actor import Limiter
from mirror_ray.engine.limiter.messages import CallResult
from mirror_ray.providers.model import Limits
from support.engine.long_runs import played
from support.engine.pretended_provider import Bucket, Minute, Provider, Wire
from support.engine.virtual_time import Clock
from support.whole import mostly_thorough


@pytest.mark.parametrize(
    ("rpm", "askers", "until_s"), [(60, 4, 600.0), (600, 14, 120.0), (3000, 70, 60.0)]
)
def test_known_limit_is_used_and_never_exceeded(rpm, askers, until_s):
    run = played(
        Limits("k", rpm=rpm),
        lambda clock: Provider(clock, Bucket(rpm)),
        askers=[askers] * 3,
        until_s=until_s,
    )
    assert run.share(rpm) >= 0.98
    assert run.refused == 0


def test_sixty_thousand_a_minute_take_thirty_messages_a_second():
    run = played(
        Limits("k", rpm=60_000),
        lambda clock: Provider(clock, Bucket(60_000)),
        askers=[1400] * 3,
        until_s=6.0,
    )
    assert run.share(60_000, 1.0) >= 0.98
    assert run.refused == 0
    assert run.messages / run.until_s < 50


def test_rejections_that_count_do_not_happen():
    run = played(
        Limits("k", rpm=600), lambda clock: Provider(clock, Bucket(600, rejections_count=True))
    )
    assert run.share(600) >= 0.98
    assert run.refused == 0


def test_one_busy_worker_may_have_it_all():
    run = played(
        Limits("k", rpm=600), lambda clock: Provider(clock, Bucket(600)), askers=(40, 1, 1)
    )
    assert run.share(600) >= 0.98
    assert run.refused == 0


@pytest.mark.parametrize("phase_s", [0.0, 17.0, 59.9])
def test_fixed_window(phase_s):
    run = played(
        Limits("k", rpm=600, window="minute"), lambda clock: Provider(clock, Minute(600, phase_s))
    )
    assert run.share(600) >= 0.98
    assert run.refused == 0


@pytest.mark.parametrize("window", ["bucket", "minute"])
def test_tokens_are_the_bound_and_estimates_are_off(window):
    """Estimated at 1,000 tokens each, billed at 200 to 600: 75 calls a minute make 30,000."""
    quota = Bucket(30_000, burst_s=6.0) if window == "bucket" else Minute(30_000)
    run = played(
        Limits("k", tpm=30_000, window=window),
        lambda clock: Provider(clock, None, quota),
        askers=(30, 30, 30),
        estimate=1000,
        tokens=(200, 400, 600),
    )
    assert run.share(75, from_s=20.0) >= 0.97
    assert run.refused == 0


@pytest.mark.parametrize(
    ("rpm", "askers", "until_s"),
    mostly_thorough(3, [(600, 20, 180.0), (3000, 100, 90.0), (20_000, 700, 60.0)]),
)
def test_unknown_limit_is_found_within_a_minute(rpm, askers, until_s):
    run = played(
        Limits("k"),
        lambda clock: Provider(clock, Bucket(rpm)),
        askers=[askers] * 3,
        until_s=until_s,
    )
    assert run.share(rpm, from_s=30.0) >= 0.95
    assert run.refused <= 0.02


def test_what_a_provider_tells_of_its_limit_is_kept_from_then_on():
    told = CallResult(quota=Quota(rpm=600, requests_left=5))
    run = played(Limits("k"), lambda clock: Provider(clock, Bucket(600), told=lambda: told))
    assert run.share(600, from_s=10.0) >= 0.98
    assert run.refused == 0


def test_limit_halved_in_mid_run():
    async def halve(_: Clock, provider: Provider, __: Wire) -> None:
        await asyncio.sleep(60)
        provider.requests.per_minute = 300

    run = played(
        Limits("k", rpm=600),
        lambda clock: Provider(clock, Bucket(600)),
        askers=(20, 20, 20),
        until_s=180.0,
        meddling=halve,
    )
    assert run.share(300, from_s=75.0) >= 0.95
    assert run.refused <= 0.03


def test_refusals_at_random_do_not_slow_anyone_down():
    """One call in eight is refused whatever the rate: 87.5 % of the limit's calls are taken."""

    class Moody(Bucket):
        calls = 0

        def takes(self, now_s: float, amount: float = 1.0) -> bool:
            self.calls += 1
            return super().takes(now_s, amount) and self.calls % 8 != 0

    run = played(
        Limits("k", rpm=600),
        lambda clock: Provider(clock, Moody(600)),
        askers=(20, 20, 20),
        until_s=240.0,
    )
    assert run.share(600, from_s=60.0) >= 0.85


def test_a_killed_limiter_comes_back_without_a_burst():
    async def kill(clock: Clock, _: Provider, wire: Wire) -> None:
        for _ in range(3):
            await asyncio.sleep(30)
            wire.limiter = None
            await asyncio.sleep(3)
            wire.limiter = Limiter([Limits("k", rpm=600, concurrency=12)], clock=clock, unix=clock)

    run = played(
        Limits("k", rpm=600, concurrency=12),
        lambda clock: Provider(clock, Bucket(600), latency_s=1.0),
        meddling=kill,
        until_s=120.0,
    )
    assert run.refused == 0
    assert run.provider.most_under_way <= 12
    # Each death costs its 3 s, 2 s in which the clients tell what they hold, and what it took.
    assert run.share(600) >= 0.82


def test_found_limit_is_known_to_the_next_limiter():
    async def kill(clock: Clock, _: Provider, wire: Wire) -> None:
        await asyncio.sleep(60)
        wire.limiter = Limiter([Limits("k")], clock=clock, unix=clock)

    run = played(
        Limits("k"),
        lambda clock: Provider(clock, Bucket(600)),
        askers=(20, 20, 20),
        until_s=120.0,
        meddling=kill,
    )
    assert run.provider.per_minute(65.0, 75.0) >= 0.9 * 600
    assert run.refused <= 0.03


def test_lost_answers_lose_no_call_and_let_none_go_twice():
    def losing(wire: Wire) -> None:
        wire.loses_every = 5

    async def lose(_: Clock, __: Provider, wire: Wire) -> None:
        losing(wire)

    run = played(
        Limits("k", rpm=600, concurrency=12),
        lambda clock: Provider(clock, Bucket(600)),
        meddling=lose,
    )
    assert run.refused == 0
    assert run.provider.most_under_way <= 12


def test_concurrency_is_used_and_never_exceeded():
    """12 at a time of 1 s each are 720 a minute; who waits for an end hears of it soon."""
    run = played(Limits("k", rpm=60_000, concurrency=12), Provider)
    assert run.provider.most_under_way == 12
    assert run.share(720) >= 0.85


def test_spent_minute_with_a_hint_is_waited_for():
    """The whole minute's calls go in its first seconds; then the provider says when it ends."""

    def provider_of(clock: Clock) -> Provider:
        def hint() -> CallResult:
            return CallResult(retry_after_s=60 - (clock() % 60))

        return Provider(clock, Minute(60, phase_s=0.0), latency_s=0.2, told=hint)

    run = played(Limits("k", rpm=600), provider_of, until_s=300.0)
    assert run.refused <= 0.15
    assert run.share(60) >= 0.9
