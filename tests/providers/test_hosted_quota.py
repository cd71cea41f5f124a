"""Headers of limits reach the reply over real HTTP and through litellm, welcome or turned away."""

import json
from dataclasses import replace

import pytest

from mirror_ray.core.types import Quota, Request
from mirror_ray.providers.hosted import Hosted
from mirror_ray.providers.model import Limits, Model
from support.canned_server import Canned, canned_server

TOLD = Quota(
    rpm=600,
    requests_left=590,
    requests_reset_s=1.0,
    tpm=150_000,
    tokens_left=149_000,
    tokens_reset_s=0.4,
)


async def ask(loopback, provider, fault):
    target = f"{provider}/mute~{fault}"
    backend = Hosted(
        Model("local/mute", "hosted", target, Limits(target), base_url=loopback.base_url)
    )
    words = Request("e", 1, "c", "local/mute", "system", "user", (), None, 0.2, 50)
    try:
        return await backend.reply(words)
    finally:
        await backend.aclose()


@pytest.mark.parametrize("provider", ["hosted_vllm", "openai", "openrouter"])
async def test_the_allowance_is_told_with_every_reply(loopback, provider):
    taken = await ask(loopback, provider, "limits")
    assert taken.error_kind == "none", taken.error
    assert taken.quota == TOLD
    turned_away = await ask(loopback, provider, "limits_429")
    assert turned_away.error_kind == "rate_limit"
    assert turned_away.quota == replace(TOLD, requests_left=0)


@pytest.mark.parametrize("provider", ["openai", "openrouter"])
async def test_an_allowance_within_a_body_is_told(loopback, provider):
    reply = await ask(loopback, provider, "free_429")
    assert reply.error_kind == "rate_limit"
    assert reply.quota == Quota(rpm=20, requests_left=0, requests_reset_s=0.0)


async def test_anthropics_allowance_comes_with_a_reply():
    message = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "claude-sonnet-4-5",
        "content": [{"type": "text", "text": "red"}],
        "stop_reason": "end_turn",
        "usage": {"input_tokens": 10, "output_tokens": 1},
    }
    headers = {
        "anthropic-ratelimit-requests-limit": "50",
        "anthropic-ratelimit-requests-remaining": "49",
        "anthropic-ratelimit-requests-reset": "2020-01-01T00:00:00Z",
        "anthropic-ratelimit-tokens-limit": "48000",
        "anthropic-ratelimit-tokens-remaining": "47000",
    }
    target = "anthropic/claude-sonnet-4-5"
    with canned_server({"v": Canned(200, json.dumps(message), headers)}) as address:
        model = Model("c", "hosted", target, Limits(target), base_url=f"{address}/v")
        backend = Hosted(model)
        reply = await backend.reply(Request("e", 1, "c", "c", "s", "u", (), None, None, 50))
        await backend.aclose()
    assert (reply.error_kind, reply.text) == ("none", "red"), reply.error
    assert reply.quota == Quota(50, 49, 0.0, 48_000, 47_000)


@pytest.mark.parametrize("fault", ["filter", "daily", "500", "drop"])
async def test_no_allowance_is_made_up(loopback, fault):
    assert (await ask(loopback, "hosted_vllm", fault)).quota is None


@pytest.mark.parametrize("provider", ["hosted_vllm", "openai", "openrouter"])
async def test_silence_is_the_models_own_where_tokens_were_counted(loopback, provider):
    assert (await ask(loopback, provider, "spoken_silence")).error_kind == "none"
    unsaid = await ask(loopback, provider, "mute")
    assert (unsaid.error_kind, unsaid.text) == ("server", "")


async def test_an_enforced_allowance(loopback_with_allowance):
    replies = [await ask(loopback_with_allowance, "hosted_vllm", "filter") for _ in range(3)]
    # 60 a minute with a burst of two: the third within a second has to wait.
    kinds = [reply.error_kind for reply in replies]
    assert kinds == ["content_filter", "content_filter", "rate_limit"]
    assert 0 < replies[2].retry_after_s <= 1
