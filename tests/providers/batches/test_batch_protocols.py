"""Makers' batches: asks and replies are those of single calls; foreign batches are told apart."""

import asyncio
import json
from dataclasses import replace

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from mirror_ray.providers.batches.service import service_for
from mirror_ray.providers.hosted import Hosted
from mirror_ray.providers.mock.limits import Enforced
from mirror_ray.providers.mock.mock_server import MockServer
from mirror_ray.providers.price_tiers import at_tier
from mirror_ray.providers.probe import request_for
from support.providers.batch_entries import entry

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
    monkeypatch.setattr(service, "_lines", lambda *_: _given(told))
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
    monkeypatch.setattr(service, "_lines", lambda *_: _given(*strange, line))
    (result,) = [one async for one in service.results("b", 1)]
    assert result.reply.error_kind == kind
    assert (result.reply.cost_usd == 0.0) == (kind == "shed")
    assert "k" * 30 not in repr(result)
