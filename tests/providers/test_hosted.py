"""Hosted models over real HTTP, against the loopback server."""

import asyncio
import logging
import subprocess
import sys
from dataclasses import replace
from datetime import UTC, datetime

import numpy as np
import pytest

from mirror_ray.providers.backend import backend_for
from mirror_ray.providers.hosted import Hosted
from mirror_ray.providers.hosted_call import call_parameters
from mirror_ray.providers.model import Limits, Model
from mirror_ray.providers.scripted import Scripted
from mirror_ray.tasks.selfid import FAMILY
from mirror_ray.types import Cell, EpisodeSpec, Request
from mirror_ray.world.encode import encode

KEY = "sk-loopback-0123456789abcdef"


@pytest.fixture(autouse=True)
def _key(monkeypatch):
    monkeypatch.setenv("LOOPBACK_KEY", KEY)


@pytest.fixture(params=["hosted_vllm", "openai"])
def provider(request):
    return request.param


def model_of(loopback, agent, provider="hosted_vllm", **changes):
    target = f"{provider}/{agent}"
    model = Model(
        name=f"local/{agent}",
        backend="hosted",
        target=target,
        limits=Limits(key=target),
        api_key_env="LOOPBACK_KEY",
        base_url=loopback.base_url,
        timeout_s=20.0,
    )
    return replace(model, **changes)


def request_of(user=None, **changes):
    """The first ask of an E1 episode, with two painted frames."""
    cell = Cell("selfid", "E1", (("subject", "local/observer"),), 0.2, "paper")
    spec = EpisodeSpec(cell, 7, 0)
    ask = next(FAMILY.play(spec, spec.rng()))
    frames = np.random.default_rng(5).integers(0, 256, (2, 48, 64, 3), dtype=np.uint8)
    request = Request(
        episode_id=spec.episode_id,
        ask_index=1,
        cell_id=cell.cell_id,
        model="local/observer",
        system=ask.system,
        user=user or ask.user,
        images=(encode(frames[0], "png"), encode(frames[1], "jpeg")),
        reply_schema=ask.reply_schema,
        temperature=0.2,
        max_tokens=300,
    )
    return replace(request, **changes)


async def ask(model, request=None):
    backend = Hosted(model)
    try:
        return await backend.reply(request or request_of())
    finally:
        await backend.aclose()


async def test_same_words_as_the_agent_in_process(loopback, provider):
    request = request_of()
    for agent in ("observer", "blind"):
        scripted = Scripted(Model(f"scripted/{agent}", "scripted", agent, Limits(agent)))
        expected = await scripted.reply(request)
        reply = await ask(model_of(loopback, agent, provider), request)
        assert reply.error_kind == "none", reply.error
        assert reply.text == expected.text


async def test_figures_of_a_reply(loopback, provider):
    before = datetime.now(UTC)
    prices = {"usd_per_mtok_in": 2.0, "usd_per_mtok_out": 10.0, "usd_per_mtok_cached": 0.5}
    request = request_of()
    reply = await ask(model_of(loopback, "observer", provider, **prices), request)
    characters = len(request.system) + len(request.user)
    assert reply.tokens_in == characters // 4 + 2 * 425
    assert reply.tokens_out == len(reply.text) // 4
    assert reply.tokens_cached == 16
    assert reply.tokens_image == 850
    expected_usd = ((reply.tokens_in - 16) * 2.0 + 16 * 0.5 + reply.tokens_out * 10.0) / 1_000_000
    assert reply.cost_usd == pytest.approx(expected_usd, rel=1e-12)
    assert reply.finish_reason == "stop"
    assert reply.model_version == "observer-2026-01-01"
    assert reply.attempts == 1
    assert reply.error is None
    assert 0 < reply.latency_s < 60
    started_at = datetime.fromisoformat(reply.started_at)
    assert started_at.utcoffset().total_seconds() == 0
    assert abs((started_at - before).total_seconds()) < 60


async def test_unknown_price_is_no_price(loopback, provider):
    reply = await ask(model_of(loopback, "observer", provider))
    assert reply.error_kind == "none"
    assert reply.cost_usd is None


async def test_what_the_provider_bills_comes_before_list_prices(loopback):
    prices = {"usd_per_mtok_in": 2.0, "usd_per_mtok_out": 10.0}
    reply = await ask(model_of(loopback, "blind~billed", "openrouter", **prices))
    assert reply.error_kind == "none"
    assert reply.cost_usd == 0.0123


async def test_sampling_goes_over_the_wire(loopback, provider):
    await ask(model_of(loopback, "blind", provider))
    body = loopback.stats()["last_body"]
    assert body["model"] == "blind"
    assert body["temperature"] == 0.2
    assert body["max_tokens"] == 300
    assert body["response_format"]["type"] == "json_schema"
    schema = body["response_format"]["json_schema"]
    assert schema["strict"] is True
    assert schema["schema"] == dict(request_of().reply_schema)


async def test_what_the_catalogue_denies_is_not_sent(loopback, provider):
    model = model_of(
        loopback,
        "blind",
        provider,
        sends_temperature=False,
        sends_schema=False,
        max_tokens=4096,
        extra={"top_p": 0.5},
    )
    await ask(model)
    body = loopback.stats()["last_body"]
    assert "temperature" not in body
    assert "response_format" not in body
    assert body["max_tokens"] == 4096
    assert body["top_p"] == 0.5


FAILURES = [
    ("429", "rate_limit", 0.05),
    ("quota", "auth", None),
    ("limits_429", "rate_limit", 0.1),
    ("daily", "rate_limit", 432.0),
    ("retry_info", "rate_limit", 34.0),
    ("no_allowance", "auth", None),
    ("payment", "auth", None),
    ("region", "auth", None),
    ("location", "auth", None),
    ("429_in_body", "rate_limit", None),
    ("free_429", "rate_limit", 0.0),
    ("context_in_body", "context_window", None),
    ("credits_in_body", "auth", None),
    ("mute", "server", None),
    ("500", "server", None),
    ("503", "server", 1.0),
    ("529", "server", None),
    ("404", "bad_request", None),
    ("413", "bad_request", None),
    ("context", "context_window", None),
    ("moderated", "content_filter", None),
    ("echo_key", "auth", None),
    ("drop", "connection", None),
    ("cut", "connection", None),
    ("html", "server", None),
    ("truncated", "server", None),
    ("error_body", "server", None),
    ("no_choices", "server", None),
    ("filter", "content_filter", None),
    ("refusal", "refusal", None),
    ("midway", "server", None),
]


@pytest.mark.parametrize(("fault", "kind", "wait_s"), FAILURES)
async def test_failures_are_told_not_raised_and_sent_once(loopback, provider, fault, kind, wait_s):
    calls = loopback.stats()["calls"]
    reply = await ask(model_of(loopback, f"blind~{fault}", provider))
    assert (reply.error_kind, reply.retry_after_s) == (kind, wait_s), reply.error
    assert reply.error
    assert "\n" not in reply.error
    assert loopback.stats()["calls"] == calls + 1


@pytest.mark.parametrize("fault", ["hang", "trickle"])
async def test_an_attempt_is_bounded_as_a_whole(loopback, provider, fault):
    reply = await ask(model_of(loopback, f"blind~{fault}", provider, timeout_s=0.5))
    assert reply.error_kind == "timeout"
    assert reply.text == ""
    assert "0.5 s" in reply.error
    assert reply.latency_s >= 0.5


async def test_nobody_listens(provider, loopback):
    model = model_of(loopback, "blind", provider, base_url="http://127.0.0.1:9/v1")
    reply = await ask(model)
    assert reply.error_kind == "connection"


async def test_cut_short_by_its_length_is_no_failure_of_the_call(loopback, provider):
    reply = await ask(model_of(loopback, "blind~length", provider))
    assert (reply.error_kind, reply.finish_reason) == ("none", "length")
    assert len(reply.text) == 40


async def test_thoughts_are_kept_apart(loopback, provider):
    plain = await ask(model_of(loopback, "mute", provider))
    field = await ask(model_of(loopback, "mute~reasoning", provider))
    tags = await ask(model_of(loopback, "mute~think", provider))
    assert plain.reasoning is None
    assert field.reasoning == "I looked at the mirror."
    assert tags.reasoning == "Is it me?"
    assert plain.text == field.text == tags.text.strip()


async def test_no_usage_is_unknown_not_zero(loopback, provider):
    prices = {"usd_per_mtok_in": 2.0, "usd_per_mtok_out": 10.0}
    reply = await ask(model_of(loopback, "blind~no_usage", provider, **prices))
    assert reply.error_kind == "none"
    figures = (reply.tokens_in, reply.tokens_out, reply.tokens_cached, reply.cost_usd)
    assert figures == (None, None, None, None)


async def test_the_key_is_neither_told_nor_logged(loopback, provider, caplog, capfd):
    caplog.set_level(logging.DEBUG)
    model = model_of(loopback, "blind~echo_key", provider)
    backend = Hosted(model)
    reply = await backend.reply(request_of())
    await backend.aclose()
    assert reply.error_kind == "auth"
    assert "Authorization: Bearer [key removed]" in reply.error
    written = capfd.readouterr()
    for text in (repr(reply), repr(model), repr(backend), caplog.text, written.out, written.err):
        assert KEY not in text
    assert "litellm" not in (written.out + written.err).lower()


async def test_a_key_is_asked_for_by_name(loopback, monkeypatch):
    monkeypatch.delenv("LOOPBACK_KEY")
    calls = loopback.stats()["calls"]
    reply = await ask(model_of(loopback, "blind"))
    assert reply.error_kind == "auth"
    assert "LOOPBACK_KEY" in reply.error
    assert loopback.stats()["calls"] == calls


async def test_a_server_without_a_key_gets_no_key_of_the_environment(loopback, monkeypatch):
    for name in ("OPENAI_API_KEY", "HOSTED_VLLM_API_KEY"):
        monkeypatch.setenv(name, KEY)
    for provider in ("openai", "hosted_vllm"):
        model = model_of(loopback, "blind~echo_key", provider, api_key_env=None)
        reply = await ask(model)
        assert reply.error_kind == "auth"
        assert loopback.stats()["last_key"] == "unused"


def test_scripted_sweeps_never_import_litellm():
    program = (
        "import sys; from mirror_ray.providers.backend import backend_for; "
        "from mirror_ray.providers.catalogue import load_catalogue; "
        "backend_for(load_catalogue().resolve('scripted/blind', 'here')); "
        "sys.exit('litellm' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


async def test_many_calls_on_one_loop(loopback):
    backend = backend_for(model_of(loopback, "blind"))
    requests = [request_of(f"{request_of().user} {number}") for number in range(12)]
    before = loopback.stats()
    replies = await asyncio.gather(*(backend.reply(request) for request in requests))
    await backend.aclose()
    after = loopback.stats()
    assert [reply.error_kind for reply in replies] == ["none"] * 12
    assert after["calls"] - before["calls"] == 12
    assert after["distinct"] - before["distinct"] == 12


async def test_a_fault_of_the_first_sendings_only(loopback):
    backend = backend_for(model_of(loopback, "blind~503~2"))
    kinds = [(await backend.reply(request_of())).error_kind for _ in range(3)]
    await backend.aclose()
    assert kinds == ["server", "server", "none"]


async def test_litellm_draws_up_no_log_record(loopback):
    """With somebody to read it, a call of litellm's own is logged, and ours are not."""
    model, request, logged = model_of(loopback, "observer"), request_of(), []
    backend = Hosted(model)
    # Only now: `Hosted` keeps it from looking for prices elsewhere when it is imported.
    import litellm
    from litellm.integrations.custom_logger import CustomLogger

    class Reader(CustomLogger):
        async def async_log_success_event(self, kwargs, response_obj, start_time, end_time):
            logged.append(kwargs["litellm_call_id"])

    reader = Reader()
    litellm.callbacks.append(reader)
    try:
        assert (await asyncio.create_task(backend.reply(request))).error_kind == "none"
        parameters = {**call_parameters(request, model), "api_key": KEY}
        await litellm.acompletion(**parameters, litellm_call_id="its own")
        # Records are drawn up in the order of the calls.
        async with asyncio.timeout(20):
            while not logged:
                await asyncio.sleep(0.02)
    finally:
        litellm.callbacks.remove(reader)
        await backend.aclose()
    assert logged == ["its own"]
