"""Makers' batches: asks and replies are those of single calls; foreign batches are told apart."""

import asyncio
import json
from dataclasses import replace
from io import BytesIO
from time import time

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from mirror_ray.providers.batches.makers import service_for
from mirror_ray.providers.batches.service import (
    LostBatchError,
    SoughtBatch,
    UndecidedBatchError,
)
from mirror_ray.providers.catalogue import load_catalogue
from mirror_ray.providers.hosted import Hosted
from mirror_ray.providers.mock.limits import Enforced
from mirror_ray.providers.mock.server import MockServer
from mirror_ray.providers.price_tiers import at_tier
from mirror_ray.providers.probe import request_for
from support.engine.batch_scenes import Life, maker, request_of

ENTRIES = {
    "anthropic": "anthropic/claude-sonnet-4-6",
    "gemini": "gemini/gemini-2.5-flash",
    "openai": "openai/gpt-5.1",
}
KEYS = {"anthropic": "ANTHROPIC_API_KEY", "gemini": "GEMINI_API_KEY", "openai": "OPENAI_API_KEY"}
REPLIES = {
    "anthropic": {
        "id": "m1",
        "type": "message",
        "role": "assistant",
        "model": "claude-x",
        "content": [
            {"type": "thinking", "thinking": "hm", "signature": "s"},
            {"type": "text", "text": "left"},
        ],
        "stop_reason": "max_tokens",
        "usage": {"input_tokens": 90, "cache_read_input_tokens": 10, "output_tokens": 7},
    },
    "gemini": {
        "candidates": [
            {
                "content": {
                    "role": "model",
                    "parts": [{"text": "hm", "thought": True}, {"text": "left"}],
                },
                "finishReason": "MAX_TOKENS",
            }
        ],
        "usageMetadata": {
            "promptTokenCount": 100,
            "cachedContentTokenCount": 10,
            "candidatesTokenCount": 4,
            "thoughtsTokenCount": 3,
            "totalTokenCount": 107,
        },
        "modelVersion": "gemini-x",
    },
}
RESULT_LINES = {
    "anthropic": lambda body: {
        "custom_id": "k-0",
        "result": {"type": "succeeded", "message": body},
    },
    "gemini": lambda body: {"key": "k-0", "response": body},
}


def entry(protocol: str, monkeypatch, base_url=None):
    monkeypatch.setenv(KEYS[protocol], "sk-" + "k" * 30)
    return replace(load_catalogue().resolve(ENTRIES[protocol], "x"), base_url=base_url)


@pytest.mark.parametrize("protocol", ["anthropic", "gemini"])
async def test_an_ask_and_its_reply_are_those_of_a_single_call(protocol, monkeypatch):
    sent = []

    async def answer(request):
        sent.append((await request.json(), dict(request.headers)))
        return web.json_response(REPLIES[protocol])

    app = web.Application()
    app.router.add_post("/{path:.*}", answer)
    server = TestServer(app)
    await server.start_server()
    listed = entry(protocol, monkeypatch, str(server.make_url("/")).rstrip("/"))
    request = request_for(listed)
    assert request.images
    assert request.reply_schema
    hosted = Hosted(listed)
    single = await hosted.reply(request)
    await hosted.aclose()
    service = service_for(at_tier(listed, "batch"))
    line = json.loads(service.line(await service.body(request), "k-0"))
    assert line == {
        {"anthropic": "custom_id", "gemini": "key"}[protocol]: "k-0",
        {"anthropic": "params", "gemini": "request"}[protocol]: sent[0][0],
    }
    assert len(sent) == 1

    told = json.dumps(RESULT_LINES[protocol](REPLIES[protocol])).encode() + b"\n"
    monkeypatch.setattr(service._wire, "lines", lambda *_: _given(told))
    (result,) = [one async for one in service.results("b", 1)]
    assert result.custom_id == "k-0"
    timeless = {"started_at": "", "latency_s": 0.0, "quota": None}
    # It has the batch's price, half of a single call's, and its tier; nothing else differs.
    half = {"cost_usd": result.reply.cost_usd, "service_tier": "batch"}
    assert result.reply == replace(single, **timeless, **half)
    fresh, cached = result.reply.tokens_in - 10, 10
    terms = listed.batch
    usd = fresh * terms.usd_per_mtok_in + cached * terms.usd_per_mtok_cached
    usd += result.reply.tokens_out * terms.usd_per_mtok_out
    assert result.reply.cost_usd == pytest.approx(usd / 1e6, rel=1e-12)
    await service.aclose()
    await server.close()


async def test_the_mock_answers_single_calls_in_each_maker_s_words(monkeypatch):
    """A sweep may ask a model in batches in one stage, and by single calls in another."""
    names = {"openai/gpt-5.1": "k", "claude-sonnet-4-6": "k", "gemini-2.5-flash": "k"}
    server = MockServer(names, {"k": Enforced()}, [], flex_key_of={"gemini-2.5-flash": "k"})
    monkeypatch.setattr(
        server, "_reply", lambda call: f"{call.system}|{call.user}|{len(call.images)}"
    )
    ready = asyncio.get_running_loop().create_future()

    async def on_ready(port):
        ready.set_result(f"http://127.0.0.1:{port}")

    serving = asyncio.create_task(server.serve("127.0.0.1", 0, on_ready))
    root = await ready
    replies = []
    for protocol, base_url in (
        ("openai", f"{root}/v1"),
        ("anthropic", root),
        ("gemini", f"{root}/v1beta"),
    ):
        model = entry(protocol, monkeypatch, base_url)
        if protocol == "openai":
            model = replace(model, target=f"hosted_vllm/{model.name}")
        if protocol == "gemini":
            model = at_tier(model, "flex")
        hosted = Hosted(model)
        replies.append(await hosted.reply(request_for(model)))
        await hosted.aclose()
    serving.cancel()
    assert {one.error_kind for one in replies} == {"none"}, replies
    assert (
        len({(one.text, one.tokens_in, one.tokens_out, one.tokens_cached) for one in replies}) == 1
    )
    assert replies[0].text.endswith("|1")


async def _given(*lines):
    for line in lines:
        yield line


@pytest.mark.parametrize(
    ("protocol", "told", "kind"),
    [
        ("anthropic", {"result": {"type": "expired"}}, "shed"),
        ("anthropic", {"result": {"type": "canceled"}}, "shed"),
        ("anthropic", {"result": 7}, "server"),
        ("anthropic", {"result": {"type": "succeeded", "message": []}}, "server"),
        (
            "anthropic",
            {"result": {"type": "errored", "error": {"error": {"type": "invalid_request_error"}}}},
            "bad_request",
        ),
        ("anthropic", {"result": {"type": "errored", "error": {"type": ["x"]}}}, "server"),
        (
            "anthropic",
            {"result": {"type": "succeeded", "message": {"content": [{"type": 1}], "usage": []}}},
            "server",
        ),
        ("gemini", {"error": {"code": 1}}, "shed"),
        ("gemini", {"error": {"code": 3, "message": "no"}}, "bad_request"),
        ("gemini", {"error": {"code": 10**30}}, "server"),
        ("gemini", {"status": {"code": 8, "message": "slow down"}}, "rate_limit"),
        ("gemini", {"response": []}, "server"),
        ("gemini", {"response": {"candidates": {}, "usageMetadata": 3}}, "server"),
    ],
)
async def test_results_that_are_no_replies_have_their_kind(protocol, told, kind, monkeypatch):
    service = service_for(at_tier(entry(protocol, monkeypatch), "batch"))
    name = "custom_id" if protocol == "anthropic" else "key"
    line = json.dumps({name: "k-0", **told}).encode()
    strange = [b"", b"7", b"[" * 90_000, b'{"key": 1, "custom_id": {}}']
    monkeypatch.setattr(service._wire, "lines", lambda *_: _given(*strange, line))
    (result,) = [one async for one in service.results("b", 1)]
    assert result.reply.error_kind == kind
    assert (result.reply.cost_usd == 0.0) == (kind == "shed")
    assert "k" * 30 not in repr(result)


async def _found(service, sought):
    """The batch's name, "undecided" or "none"."""
    try:
        return await service.find(sought) or "none"
    except UndecidedBatchError:
        return "undecided"


def test_of_anthropic_s_batches_ours_is_the_one_whose_results_have_its_asks_names():
    async def scenario():
        async with maker("anthropic", lasts_s=60.0) as made:
            service = service_for(made.model)
            seen = []
            sought = SoughtBatch("ours", time(), 2, frozenset({"msgbatch_1"}))

            async def begun(key, asks):
                file = b"".join(
                    [
                        service.line(await service.body(request_of(i)), f"{key}-{i}")
                        for i in range(asks)
                    ]
                )
                with BytesIO(file) as lines:
                    return await service.begin("", lines, key)

            # Another of ours whose name is known, and one that is too small.
            assert await begun("other", 9) == "msgbatch_1"
            await begun("small", 1)
            seen.append(await _found(service, sought))
            stranger = await begun("stranger", 3)
            seen.append(await _found(service, sought))
            _end(made, stranger)
            seen.append(await _found(service, sought))
            ours = await begun("ours", 2)
            seen.append(await _found(service, sought))
            _end(made, ours)
            seen.append(await _found(service, sought) == ours)
            # Of another day.
            made.batches.jobs[stranger].created_at -= 7200
            later = replace(sought, batch_key="never", known=frozenset({"msgbatch_1", ours}))
            seen.append(await _found(service, later))
            await service.aclose()
            return seen

    seen = asyncio.run(scenario())
    assert seen == ["none", "undecided", "none", "undecided", True, "none"]


def _end(made, name):
    job = made.batches.jobs[name]
    job.created_at = time() - 61.0
    assert job.is_due(made.batches.manner)
    job.end(made.batches.answer, made.batches.manner, made.batches.rng)


def test_an_ask_whose_batch_s_name_was_lost_waits_for_a_stranger_s_to_end(tmp_path):
    """Neither bought twice, nor given another lab's reply."""

    async def scenario():
        async with maker("anthropic", lasts_s=1.2) as made:
            stranger = Life(made, tmp_path / "a")
            stranger.ask(*map(request_of, range(100, 105)))
            await stranger.until(lambda: made.begun == 1)
            first = Life(made, tmp_path / "j", "sending")
            first.ask(*map(request_of, range(3)))
            await asyncio.sleep(0.3)
            await first.die()
            # As if the process had died behind that note: it may have begun its batch.
            (note,) = await (second := Life(made, tmp_path / "j")).log.unanswered()
            await second.log.note(note._replace(state="sending", asks=()))
            second.ask(*map(request_of, range(3)))
            await asyncio.sleep(0.6)
            before = made.begun
            replies = await second.replies()
            await stranger.replies()
            for life in (second, stranger):
                await life.close()
            return made, before, replies

    made, before, replies = asyncio.run(scenario())
    assert before == 1
    assert made.begun == 2
    assert [one.text for one in replies] == [f"answer to {request_of(i).user}" for i in range(3)]
    assert set(made.billed.values()) == {1}


@pytest.mark.parametrize(
    ("told", "seen"),
    [
        ({"metadata": {"state": "BATCH_STATE_RUNNING"}}, (False, (), None, None)),
        ({"metadata": 7}, (False, (), None, None)),
        (
            {
                "done": True,
                "metadata": {
                    "state": "JOB_STATE_SUCCEEDED",
                    "output": {"responsesFile": "files/r1"},
                },
            },
            (True, ("r1",), None, None),
        ),
        (
            {"done": True, "metadata": {"state": "JOB_STATE_EXPIRED"}},
            (True, (), None, "expired"),
        ),
        (
            {
                "metadata": {"state": "BATCH_STATE_CANCELLED"},
                "response": {"responsesFile": "files/r2"},
            },
            (True, ("r2",), None, "cancelled"),
        ),
        (
            {
                "metadata": {"state": "BATCH_STATE_FAILED"},
                "error": {"code": 8, "message": "quota"},
            },
            (True, (), '{"code": 8, "message": "quota"}', None),
        ),
    ],
)
async def test_how_far_a_gemini_batch_is(told, seen, monkeypatch):
    service = service_for(at_tier(entry("gemini", monkeypatch), "batch"))

    async def call(*_, **__):
        return told

    monkeypatch.setattr(service._wire, "call", call)
    got = await service.progress("b1")
    assert (got.ended, got.results, got.refused, got.unreached) == seen
    assert got.for_now == (got.refused is not None)


async def test_a_gemini_upload_goes_to_its_own_server_alone(monkeypatch):
    service = service_for(at_tier(entry("gemini", monkeypatch), "batch"))
    asked = []

    async def exchange(_, address, *__, **___):
        asked.append(address)
        return {"x-goog-upload-url": "https://elsewhere.example.org/upload"}, b""

    monkeypatch.setattr(service._wire, "exchange", exchange)
    with pytest.raises(ConnectionError, match="another server"), BytesIO(b"{}\n") as lines:
        await service.upload(lines, "k")
    assert asked == ["https://generativelanguage.googleapis.com/upload/v1beta/files"]
    await service.aclose()


@pytest.mark.parametrize("protocol", ["anthropic", "gemini"])
def test_a_batch_that_is_gone_is_lost(protocol):
    async def scenario():
        async with maker(protocol) as made:
            service = service_for(made.model)
            with pytest.raises(LostBatchError):
                await service.progress("nothing")
            with pytest.raises(LostBatchError):
                _ = [one async for one in service.results("nothing", 1)]
            await service.aclose()

    asyncio.run(scenario())
