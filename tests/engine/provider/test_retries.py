"""What is tried again, what it is told to have cost, and what of it the Limiter hears."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from mirror_ray.core.types import Attempt, Quota, Reply, Request
from mirror_ray.engine.limiter.actor import Limiter
from mirror_ray.engine.limiter.budget import SWEEP_SCOPE
from mirror_ray.engine.limiter.client import LimiterClient
from mirror_ray.engine.limiter.messages import LimiterCall, LimiterStats
from mirror_ray.engine.provider.retries import KEEP_TRYING_S, NotSentError, Retrier, Route
from mirror_ray.providers.model import Limits
from support.engine.pretended_provider import Wire
from support.engine.virtual_time import Clock, run_virtually

REQUEST = Request("episode", 1, "cell", "model", "", "", (), None, None, 100)
CALL = LimiterCall("k", "model", "cell", tokens=100, worst_case_usd=1.0)
GOOD = Reply("yes", cost_usd=0.25, tokens_in=30, tokens_out=2, quota=Quota(rpm=600))


def failed(kind, **more) -> Reply:
    return Reply("", error_kind=kind, error=f"it is {kind}", started_at="now", **more)


class Script:
    """Answers as it is told, and goes on with the last line for ever."""

    def __init__(self, replies: Sequence[Reply | Exception]) -> None:
        self._replies = list(replies)
        self.unavailable: Reply | None = None

    async def available(self) -> Reply | None:
        return self.unavailable

    async def reply(self, request: Request) -> Reply:
        reply = self._replies.pop(0) if len(self._replies) > 1 else self._replies[0]
        if isinstance(reply, Exception):
            raise reply
        return reply

    async def aclose(self) -> None:
        pass


def asked(
    *replies: Reply | Exception,
    budget_usd: float = 100.0,
    max_attempts: int = 3,
    call: LimiterCall = CALL,
) -> tuple[Reply | Exception, LimiterStats, float, int]:
    """The reply, what the Limiter knows then, the seconds it took, and the calls made."""

    async def scenario(clock: Clock):
        limiter = Limiter([Limits("k")], {SWEEP_SCOPE: budget_usd}, clock=clock, unix=clock)
        client = LimiterClient(Wire(limiter).exchange, clock=clock)
        calls: list[str] = []
        retrier = Retrier(client, max_attempts, np.random.default_rng(0), calls.append, clock=clock)
        try:
            reply: Reply | Exception = await retrier.ask(REQUEST, Route(Script(replies), call))
        except ValueError as error:
            reply = error
        took_s = clock()
        await client.close()
        return reply, await limiter.stats(), took_s, len(calls)

    return run_virtually(scenario)


def test_every_failed_attempt_is_in_the_reply_and_what_is_known_of_costs_is_summed():
    reply, stats, _, calls = asked(
        failed("server", cost_usd=0.5, latency_s=2.0), failed("timeout"), GOOD
    )
    assert reply == replace(
        GOOD,
        quota=None,
        attempts=3,
        cost_usd=0.75,
        presumed_usd=1.0,
        failed_attempts=(
            Attempt("now", 2.0, "server", "it is server", 0.5),
            Attempt("now", 0.0, "timeout", "it is timeout", None),
        ),
    )
    assert calls == 3
    assert (stats.spent_usd, stats.presumed_usd, stats.reserved_usd) == (0.75, 1.0, 0.0)


def test_a_first_good_reply_is_left_as_it_is():
    reply, stats, _, _ = asked(GOOD)
    assert reply == replace(GOOD, quota=None)
    assert stats.keys["k"].ceiling_per_minute == pytest.approx(600 * 0.99)


def test_cost_is_unknown_only_if_nothing_is_known():
    reply, stats, _, _ = asked(failed("timeout"), max_attempts=1)
    assert (reply.cost_usd, reply.attempts, reply.failed_attempts) == (None, 1, ())
    assert stats.presumed_usd == reply.presumed_usd == 1.0


def test_a_reply_of_unknown_price_has_none_after_free_refusals_either():
    reply, stats, _, _ = asked(failed("rate_limit"), replace(GOOD, cost_usd=None))
    assert (reply.cost_usd, [one.cost_usd for one in reply.failed_attempts]) == (None, [0.0])
    assert (stats.spent_usd, stats.presumed_usd) == (0.0, 1.0)


def test_a_model_that_is_priced_at_nothing_costs_nothing_whatever_fails():
    free = replace(CALL, worst_case_usd=0.0)
    reply, stats, _, _ = asked(failed("timeout"), replace(GOOD, cost_usd=None), call=free)
    assert reply.cost_usd == stats.spent_usd == stats.presumed_usd == 0.0


class Slow:
    """Answers after a minute."""

    async def available(self) -> None:
        pass

    async def reply(self, request: Request) -> Reply:
        await asyncio.sleep(60.0)
        return GOOD


def test_after_a_stop_nothing_is_sent_that_was_not_sent_yet():
    async def scenario(clock: Clock):
        # One call at a time: the first is under way, the others wait for their slots.
        limiter = Limiter([Limits("k", concurrency=1)], {SWEEP_SCOPE: 100.0}, clock=clock)
        client = LimiterClient(Wire(limiter).exchange, clock=clock)
        calls: list[str] = []
        retrier = Retrier(client, 3, np.random.default_rng(0), calls.append, clock=clock)
        asks = [asyncio.create_task(retrier.ask(REQUEST, Route(Slow(), CALL))) for _ in range(5)]
        await asyncio.sleep(5.0)
        retrier.stop()
        outcomes = await asyncio.gather(*asks, return_exceptions=True)
        took_s = clock()
        await client.close()
        return outcomes, calls, took_s, await limiter.stats()

    outcomes, calls, took_s, stats = run_virtually(scenario)
    sent = [one for one in outcomes if isinstance(one, Reply)]
    assert (len(sent), len(calls)) == (1, 1)
    assert took_s < 70.0
    unsent = [one for one in outcomes if not isinstance(one, Reply)]
    assert all(isinstance(one, NotSentError) for one in unsent)
    # What is recorded of an ask that was not sent costs nothing.
    assert [(one.reply.attempts, one.reply.cost_usd) for one in unsent] == [(0, 0.0)] * 4
    assert (stats.spent_usd, stats.presumed_usd, stats.reserved_usd) == (0.25, 0.0, 0.0)


def test_a_stop_within_a_pause_keeps_what_the_attempts_have_cost():
    async def scenario(clock: Clock):
        limiter = Limiter([Limits("k")], {SWEEP_SCOPE: 100.0}, clock=clock)
        client = LimiterClient(Wire(limiter).exchange, clock=clock)
        calls: list[str] = []
        seen: list[str] = []
        retrier = Retrier(
            client,
            9,
            np.random.default_rng(0),
            calls.append,
            on_retry=lambda model, reply: seen.append(f"{model}: {reply.error_kind}"),
            clock=clock,
        )
        refusing = Script([failed("server", cost_usd=0.5, retry_after_s=300.0)])
        ask = asyncio.create_task(retrier.ask(REQUEST, Route(refusing, CALL)))
        await asyncio.sleep(10.0)
        retrier.stop()
        (outcome,) = await asyncio.gather(ask, return_exceptions=True)
        await client.close()
        return outcome, calls, seen, clock()

    outcome, calls, seen, took_s = run_virtually(scenario)
    assert isinstance(outcome, NotSentError)
    assert (outcome.reply.error_kind, outcome.reply.cost_usd) == ("server", 0.5)
    assert (len(calls), seen, took_s < 60.0) == (1, ["model: server"], True)


def test_attempts_are_bounded_by_number():
    reply, _, took_s, calls = asked(failed("server", cost_usd=0.0))
    assert (reply.error_kind, reply.attempts, len(reply.failed_attempts), calls) == (
        "server",
        3,
        2,
        3,
    )
    # Pauses of up to 1 and 2 s, and of at least half of that.
    assert 1.5 <= took_s <= 3.5


def test_a_refusal_for_the_rate_is_a_quarter_of_an_attempt():
    refused = [failed("rate_limit")] * 7
    reply, stats, _, _ = asked(*refused, GOOD, max_attempts=2)
    assert (reply.error_kind, reply.attempts) == ("none", 8)
    assert stats.spent_usd == 0.25
    assert asked(failed("rate_limit"), max_attempts=2)[0].attempts == 8


def test_attempts_are_bounded_by_time_too():
    reply, _, took_s, _ = asked(failed("server", retry_after_s=400.0), max_attempts=100)
    assert reply.attempts == 2
    assert took_s < KEEP_TRYING_S


@pytest.mark.parametrize("kind", ["auth", "bad_request", "content_filter", "context_window"])
def test_what_no_attempt_can_cure_is_tried_once(kind):
    reply, _, _, _ = asked(failed(kind), GOOD)
    assert (reply.error_kind, reply.attempts, reply.failed_attempts) == (kind, 1, ())


def test_a_budget_spent_on_failures_ends_the_attempts():
    reply, stats, _, calls = asked(failed("timeout"), GOOD, budget_usd=1.5)
    assert (reply.error_kind, reply.attempts, calls) == ("budget", 1, 1)
    assert [one.error_kind for one in reply.failed_attempts] == ["timeout"]
    assert "budget" in reply.error
    assert (stats.spent_usd, stats.presumed_usd) == (0.0, 1.0)


def test_a_slot_is_given_back_whatever_happens_and_its_cost_is_presumed():
    reply, stats, _, _ = asked(ValueError("a slip of ours"))
    assert isinstance(reply, ValueError)
    assert (stats.keys["k"].in_flight, stats.presumed_usd) == (0, 1.0)


def test_a_server_that_cannot_be_had_is_no_attempt_and_takes_no_slot():
    async def scenario(clock: Clock):
        limiter = Limiter([Limits("k")], clock=clock, unix=clock)
        client = LimiterClient(Wire(limiter).exchange, clock=clock)
        calls: list[str] = []
        retrier = Retrier(client, 3, np.random.default_rng(0), calls.append, clock=clock)
        server = Script([GOOD])
        server.unavailable = Reply("", error_kind="connection", error="it is gone", attempts=0)
        reply = await retrier.ask(REQUEST, Route(server, CALL))
        await client.close()
        return reply, calls, (await limiter.stats()).keys["k"].calls

    reply, calls, granted = run_virtually(scenario)
    assert (reply.error_kind, reply.error, reply.attempts) == ("connection", "it is gone", 0)
    assert (calls, granted) == ([], 0)
