"""When a Provider's replies are recorded, and that no request is paid for twice."""

import asyncio

import pytest

from mirror_ray.engine.provider import actor
from mirror_ray.engine.provider.counters import ModelCounters
from mirror_ray.engine.recorder import client
from mirror_ray.engine.rollout import Asked, RecordMismatchError
from support.engine.provider_scenes import ASKED, provider_of, request_of
from support.engine.recorder_samples import entry, finished
from support.plans import hosted, scripted

pytestmark = pytest.mark.usefixtures("ray_session")


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
