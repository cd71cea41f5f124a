"""A Provider between a real server, a real Limiter and a real Recorder."""

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple
from uuid import uuid4

import pytest
import ray

from mirror_ray.core.identity import Cell, EpisodeSpec
from mirror_ray.core.types import Request
from mirror_ray.engine.limiter.actor import Limiter
from mirror_ray.engine.provider import actor
from mirror_ray.engine.provider.actor import LINGER_S, Provider, ProviderConfig
from mirror_ray.engine.provider.counters import ModelCounters
from mirror_ray.engine.recorder import client
from mirror_ray.engine.recorder.actor import Recorder
from mirror_ray.engine.rollout import Asked, RecordMismatchError
from mirror_ray.families.selfid.family import FAMILY
from mirror_ray.providers.model import Limits, Model
from mirror_ray.providers.price_tiers import lanes_of
from support.engine.batch_scenes import maker
from support.engine.recorder_samples import SCHEMAS, entry, finished
from support.plans import hosted, scripted
from support.whole import mostly_thorough

pytestmark = pytest.mark.usefixtures("ray_session")

ASKED = Asked("words", None, {})


def request_of(model: Model, ask_index: int = 1, episode: str = "") -> Request:
    """The words of an E1 episode's first ask, without a picture: the blind agent needs none."""
    cell = Cell("selfid", "E1", (("subject", model.name),), 0.2, "paper")
    spec = EpisodeSpec(cell, 0, 0)
    ask = next(FAMILY.play(spec, spec.rng()))
    return Request(
        episode_id=episode or uuid4().hex[:16],
        ask_index=ask_index,
        cell_id=cell.cell_id,
        model=model.name,
        system=ask.system,
        # Distinct words, so that the server counts distinct requests.
        user=f"{ask.user} {uuid4().hex}",
        images=(),
        reply_schema=None,
        temperature=0.2,
        max_tokens=100,
    )


class Actors(NamedTuple):
    run: str
    limiter: Any
    recorder: Any


def started(folder: Path, models: Sequence[Model], budget_usd: float | None = None) -> Actors:
    run = uuid4().hex
    limiter = ray.remote(Limiter).options(name=f"limiter-{run}", num_cpus=0)
    recorder = ray.remote(Recorder).options(name=f"recorder-{run}", num_cpus=0)
    ceilings = {} if budget_usd is None else {"sweep": budget_usd}
    limits = tuple(lane.limits for model in models for lane in lanes_of(model))
    return Actors(run, limiter.remote(limits, ceilings), recorder.remote(str(folder), SCHEMAS))


@pytest.fixture(scope="module")
def shared(ray_session, loopback, tmp_path_factory) -> Iterator[Actors]:
    """Of several tests, since each actor is a process: no budget, and nothing is counted."""
    agents = ("blind", "blind~503~1", "blind~500", "blind~echo_key", "blind~filter")
    actors = started(tmp_path_factory.mktemp("run"), [hosted(loopback, one) for one in agents])
    yield actors
    for each in actors[1:]:
        ray.kill(each)


@asynccontextmanager
async def provider_of(
    actors: Actors | Path,
    model: Model,
    *,
    budget_usd=None,
    max_attempts=3,
    linger_s=LINGER_S,
    under_way=None,
    cancel_batches=False,
) -> AsyncIterator:
    """Yield a Provider that uses these actors, or starts actors for the run directory."""
    own = started(actors, [model], budget_usd) if isinstance(actors, Path) else None
    run, _, recorder = own or actors
    config = ProviderConfig(
        models={model.name: model},
        limiter=f"limiter-{run}",
        recorder=f"recorder-{run}",
        max_attempts=max_attempts,
        cancel_batches=cancel_batches,
    )
    provider = Provider(0, config, under_way, linger_s)
    try:
        yield provider, recorder
    finally:
        await provider.close()
        for each in own[1:] if own else ():
            ray.kill(each)


async def test_an_answer_is_durable_before_it_is_handed_on(shared, loopback):
    model = hosted(loopback, "blind")
    request = request_of(model)
    async with provider_of(shared, model) as (provider, recorder):
        reply = (await provider.ask(request, Asked("words", "sha", {"mirror_px": 3}))).reply
        (entry,) = (await recorder.prefixes.remote([request.episode_id]))[request.episode_id]
    assert (reply.error_kind, reply.attempts) == ("none", 1)
    assert (entry.reply, entry.frame_sha, entry.facts) == (reply, "sha", {"mirror_px": 3})


async def test_an_agent_s_answer_waits_for_nothing_and_is_sent_with_no_other_message(
    tmp_path, monkeypatch
):
    monkeypatch.setattr(client, "FREE_LINGER_S", 1e6)
    model = scripted("blind")
    ended, goes_on = request_of(model, episode="ended"), request_of(model, episode="goes-on")
    async with provider_of(tmp_path, model, linger_s=1e6, under_way=lambda: 4) as (
        provider,
        recorder,
    ):
        for request in (ended, goes_on):
            assert (await provider.ask(request, ASKED)).reply.error_kind == "none"
        assert await recorder.prefixes.remote(["ended", "goes-on"]) == {"ended": (), "goes-on": ()}
        # Two that somebody waits for make half of four: they go, and free replies go on waiting.
        ends = [finished(name, [entry(name, 1, "x")]) for name in ("ended", "another")]
        await asyncio.gather(*map(provider.recorder_client.finish, ends))
        recorded = await recorder.prefixes.remote(["ended", "goes-on"])
        kept = await recorder.finished.remote(["ended", "goes-on"])
        stats = await recorder.stats.remote()
    assert kept == {"ended": (1, "none")}
    assert [len(recorded[name]) for name in ("ended", "goes-on")] == [0, 0]
    assert stats.replies == 0


async def test_nothing_is_bought_before_the_recorder_has_answered(shared, loopback, monkeypatch):
    model = hosted(loopback, "blind")
    reached = asyncio.Event()
    async with provider_of(shared, model) as (provider, _):
        monkeypatch.setattr(provider.recorder_client, "reach", reached.wait)
        before = loopback.stats()["calls"]
        asking = asyncio.create_task(provider.ask(request_of(model), ASKED))
        await asyncio.sleep(0.3)
        assert loopback.stats()["calls"] == before
        reached.set()
        assert (await asking).reply.error_kind == "none"
    assert loopback.stats()["calls"] == before + 1


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


async def test_an_answer_waits_for_others_as_long_as_it_is_told_to(tmp_path, loopback, monkeypatch):
    monkeypatch.setattr(actor, "LINGER_S", 0.0)
    model = hosted(loopback, "blind")
    async with provider_of(tmp_path, model, linger_s=1e6, under_way=lambda: 4) as (
        provider,
        recorder,
    ):
        first = asyncio.create_task(provider.ask(request_of(model), ASKED))
        while not (await provider.stats())[1].get(model.name, ModelCounters()).answers:
            await asyncio.sleep(0.01)
        await asyncio.gather(first, provider.ask(request_of(model), ASKED))
        stats = await recorder.stats.remote()
    assert (stats.replies, stats.commits) == (2, 1)


async def test_an_answer_waits_for_none_that_has_come(shared, loopback):
    model = hosted(loopback, "blind")
    async with provider_of(shared, model, linger_s=1e6) as (provider, _):
        for _ in range(3):
            await provider.ask(request_of(model), ASKED)


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


async def test_equal_asks_share_one_call_now_and_later(shared, loopback):
    model = hosted(loopback, "blind")
    request = request_of(model)
    before = loopback.stats()["calls"]
    async with provider_of(shared, model) as (provider, _):
        together = await asyncio.gather(*(provider.ask(request, ASKED) for _ in range(5)))
        later = await provider.ask(request, ASKED)
        with pytest.raises(RecordMismatchError):
            await provider.ask(request, Asked("other words", None, {}))
    assert all(one == later for one in together)
    assert loopback.stats()["calls"] == before + 1


async def test_call_whose_caller_died_is_answered_and_kept(shared, loopback):
    model = hosted(loopback, "blind")
    request = request_of(model)
    before = loopback.stats()["calls"]
    async with provider_of(shared, model) as (provider, _):
        caller = asyncio.create_task(provider.ask(request, ASKED))
        while not (await provider.stats())[1].get(model.name, ModelCounters()).calls:
            await asyncio.sleep(0.01)
        caller.cancel()
        reply = (await provider.ask(request, ASKED)).reply
    assert reply.error_kind == "none"
    assert loopback.stats()["calls"] == before + 1


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
