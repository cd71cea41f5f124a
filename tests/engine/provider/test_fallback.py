"""A call that its provider sheds: it waits at its price, or is made at the standard one."""

from dataclasses import replace

import numpy as np

from mirror_ray.core.types import Reply, Request
from mirror_ray.engine.limiter.actor import Limiter
from mirror_ray.engine.limiter.budget import SWEEP_SCOPE
from mirror_ray.engine.limiter.circuit_breaker import FAILURES_IN_A_ROW
from mirror_ray.engine.limiter.client import LimiterClient
from mirror_ray.engine.limiter.messages import LimiterCall, LimiterStats
from mirror_ray.engine.provider.retries import SHED_PATIENCE_S, Retrier, Route
from mirror_ray.providers.model import Limits
from support.engine.pretended_provider import Wire
from support.engine.virtual_time import Clock, run_virtually

REQUEST = Request("episode", 1, "cell", "model", "", "", (), None, None, 100)
AT_FLEX = LimiterCall("k (flex)", "model", "cell", tokens=100, worst_case_usd=1.0)
AT_STANDARD = replace(AT_FLEX, key="k")
SHED = Reply("", error_kind="shed", error="no capacity", started_at="now")


class Lane:
    """Sheds the first calls, and answers all others."""

    def __init__(self, sheds: float, answer: Reply) -> None:
        self._sheds, self._answer = sheds, answer
        self.calls = 0

    async def available(self) -> None:
        pass

    async def reply(self, _: Request) -> Reply:
        self.calls += 1
        return SHED if self.calls <= self._sheds else self._answer

    async def aclose(self) -> None:
        pass


def asked(flex: Lane, standard: Lane | None, n: int = 1, max_attempts: int = 3):
    """The replies to `n` asks in turn, what the Limiter knows then, and the seconds they took."""

    async def scenario(clock: Clock):
        limits = [Limits("k", rpm=600), Limits("k (flex)", rpm=600)]
        limiter = Limiter(limits, {SWEEP_SCOPE: 100.0}, clock=clock, unix=clock)
        client = LimiterClient(Wire(limiter).exchange, clock=clock)
        retrier = Retrier(
            client, max_attempts, np.random.default_rng(0), lambda _: None, clock=clock
        )
        fallback = None if standard is None else Route(standard, AT_STANDARD)
        replies = []
        for index in range(n):
            request = replace(REQUEST, ask_index=index)
            replies.append(await retrier.ask(request, Route(flex, AT_FLEX), fallback))
        took_s = clock()
        await client.close()
        stats: LimiterStats = await limiter.stats()
        return replies, stats, took_s

    return run_virtually(scenario)


def test_a_shed_call_waits_longer_than_failures_may_last():
    flex = Lane(20, Reply("yes", cost_usd=0.5, service_tier="flex"))
    (reply,), stats, took_s = asked(flex, None)
    # Far more than three attempts, and than the ten minutes of other failures.
    assert (reply.text, reply.attempts, len(reply.failed_attempts)) == ("yes", 21, 20)
    assert 600 < took_s < SHED_PATIENCE_S
    assert {one.error_kind for one in reply.failed_attempts} == {"shed"}
    # Nothing of it was processed.
    assert {one.cost_usd for one in reply.failed_attempts} == {0.0}
    assert (reply.cost_usd, stats.spent_usd, stats.presumed_usd) == (0.5, 0.5, 0.0)


def test_in_the_end_it_gives_up():
    (reply,), stats, took_s = asked(Lane(1e9, SHED), None)
    assert (reply.error_kind, reply.cost_usd) == ("shed", 0.0)
    assert SHED_PATIENCE_S / 2 < took_s <= SHED_PATIENCE_S + 1
    assert (stats.spent_usd, stats.reserved_usd) == (0.0, 0.0)


def test_a_shed_call_is_made_at_the_standard_price_at_once():
    flex = Lane(1e9, SHED)
    standard = Lane(0, Reply("yes", cost_usd=1.0, service_tier="standard"))
    replies, stats, took_s = asked(flex, standard, n=5)
    assert [one.service_tier for one in replies] == ["standard"] * 5
    assert [one.attempts for one in replies] == [2] * 5
    # Each call asks for the cheaper price first.
    assert (flex.calls, standard.calls) == (5, 5)
    assert stats.spent_usd == 5.0
    # Two calls of each ask, at ten a second.
    assert took_s < 5.0


def test_failures_of_the_standard_lane_are_counted_as_ever():
    failing = Reply("", error_kind="server", error="it is down")
    flex, standard = Lane(1e9, SHED), Lane(0, failing)
    (reply,), _, _ = asked(flex, standard, max_attempts=3)
    assert (reply.error_kind, flex.calls, standard.calls) == ("server", 1, 3)


def test_shed_calls_slow_neither_lane_and_open_no_circuit():
    n = 3 * FAILURES_IN_A_ROW
    _, stats, _ = asked(Lane(1e9, SHED), Lane(0, Reply("yes", cost_usd=1.0)), n=n)
    for key in ("k", "k (flex)"):
        assert stats.keys[key].refused == 0
        assert stats.keys[key].per_minute >= 0.9 * 600
    assert stats.breakers["model"] == "closed"


def test_shed_calls_hide_no_provider_that_is_down():
    failing = Reply("", error_kind="server", error="it is down")
    _, stats, _ = asked(Lane(1e9, SHED), Lane(0, failing), n=4, max_attempts=4)
    assert stats.breakers["model"] != "closed"
