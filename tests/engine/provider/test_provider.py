"""A Provider between a real server, a real Limiter and a real Recorder."""

import asyncio
from dataclasses import replace

import pytest

from mirror_ray.providers.model import Limits
from support.engine.batch_scenes import maker
from support.engine.provider_scenes import ASKED, provider_of, request_of
from support.plans import hosted
from support.whole import mostly_thorough

pytestmark = pytest.mark.usefixtures("ray_session")


async def test_transient_failures_are_tried_again_and_counted(shared, loopback):
    model = hosted(loopback, "blind~503~1")
    async with provider_of(shared, model) as (provider, _):
        reply = (await provider.ask(request_of(model), ASKED)).reply
        counters = (await provider.stats())[1][model.name]
    assert (reply.error_kind, reply.attempts) == ("none", 2)
    assert (counters.calls, counters.answers, counters.waiting) == (2, 1, 0)
    assert (counters.retried, counters.errors) == ({"server": 1}, {})
    assert counters.last_error["server"].startswith("HTTP 503: ")
    # What the failed attempt cost is not known.
    assert (counters.cost_usd, counters.unpriced) == (reply.cost_usd, 1)


async def test_counters_are_told_once_they_change(shared, loopback):
    model = hosted(loopback, "blind")
    async with provider_of(shared, model) as (provider, _):
        nothing_yet, none = await provider.stats()
        await provider.ask(request_of(model), ASKED)
        change, counters = await provider.stats(nothing_yet)
        unchanged = await provider.stats(change)
        # A later process has other numbers.
        after_restart = await provider.stats(change + 1_000)
    assert (none, counters.keys()) == ({}, {model.name})
    assert unchanged == (change, {})
    assert after_restart == (change, counters)


async def test_failure_that_lasts_is_handed_on_and_is_no_answer(shared, loopback):
    model = hosted(loopback, "blind~500")
    request = request_of(model)
    async with provider_of(shared, model, max_attempts=2) as (provider, recorder):
        reply = (await provider.ask(request, ASKED)).reply
        recorded = await recorder.prefixes.remote([request.episode_id])
        counters = (await provider.stats())[1][model.name]
    assert (reply.error_kind, reply.attempts) == ("server", 2)
    assert recorded[request.episode_id] == ()
    assert counters.errors == {"server": 1}


@pytest.mark.parametrize(("fault", "kind"), [("echo_key", "auth"), ("filter", "content_filter")])
async def test_what_no_attempt_can_cure_is_asked_once(shared, loopback, fault, kind):
    model = hosted(loopback, f"blind~{fault}")
    before = loopback.stats()["calls"]
    async with provider_of(shared, model) as (provider, _):
        reply = (await provider.ask(request_of(model), ASKED)).reply
    assert (reply.error_kind, reply.attempts) == (kind, 1)
    assert loopback.stats()["calls"] == before + 1


async def test_what_failed_is_asked_anew(shared, loopback):
    model = hosted(loopback, "blind~500")
    request = request_of(model)
    before = loopback.stats()["calls"]
    async with provider_of(shared, model, max_attempts=1) as (provider, _):
        for _ in range(2):
            assert (await provider.ask(request, ASKED)).reply.error_kind == "server"
    assert loopback.stats()["calls"] == before + 2


@pytest.mark.parametrize("cancels", mostly_thorough(2, [True, False]))
async def test_a_stop_cancels_batches_that_are_out_if_the_run_is_to(tmp_path, cancels):
    async with maker(lasts_s=1e6) as made:
        model = made.model
        async with provider_of(tmp_path, model, cancel_batches=cancels) as (provider, recorder):
            asking = asyncio.create_task(provider.ask(request_of(model), ASKED))
            while [one.state for one in await recorder.batches.remote()] != ["out"]:
                await asyncio.sleep(0.01)
            await provider.stop()
            assert await asking is None
        assert any(path.endswith("cancel") for path in made.posted) == cancels


async def test_a_look_at_a_batch_that_fails_is_counted_and_changes_no_reply(tmp_path):
    async with maker(lasts_s=0.0) as made:
        model = made.model
        async with provider_of(tmp_path, model) as (provider, _):
            made.looks_fail(2)
            reply = (await provider.ask(request_of(model), ASKED)).reply
            counters = (await provider.stats())[1][model.name]
    assert (reply.error_kind, reply.attempts, made.begun) == ("none", 1, 1)
    assert counters.retried == {"server": 2}


async def test_a_call_that_may_exceed_the_budget_is_not_made(tmp_path, loopback):
    model = hosted(loopback, "blind")
    before = loopback.stats()["calls"]
    async with provider_of(tmp_path, model, budget_usd=1e-6) as (provider, _):
        reply = (await provider.ask(request_of(model), ASKED)).reply
    assert (reply.error_kind, reply.attempts) == ("budget", 0)
    assert "the sweep's budget is spent" in reply.error
    assert "raise budget_usd" in reply.error
    assert loopback.stats()["calls"] == before


async def test_settled_calls_give_back_what_they_did_not_cost(tmp_path, loopback):
    """Room for one worst case of about 0.0007 USD at a time, and for many real costs."""
    model = hosted(loopback, "blind")
    async with provider_of(tmp_path, model, budget_usd=0.004) as (provider, _):
        replies = await asyncio.gather(*(provider.ask(request_of(model), ASKED) for _ in range(4)))
    assert [one.reply.error_kind for one in replies] == ["none"] * 4


async def test_limited_model_waits_for_its_slots(tmp_path, loopback):
    model = replace(hosted(loopback, "blind"), limits=Limits("narrow", concurrency=1))
    async with provider_of(tmp_path, model) as (provider, _):
        replies = await asyncio.gather(*(provider.ask(request_of(model), ASKED) for _ in range(3)))
    assert [one.reply.error_kind for one in replies] == ["none"] * 3
