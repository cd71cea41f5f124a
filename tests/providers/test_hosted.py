"""Hosted models over real HTTP, against the loopback server."""

import asyncio
import gc
import logging
import subprocess
import sys
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from mirror_ray.providers.backend import backend_for
from mirror_ray.providers.hosted import Hosted
from mirror_ray.providers.hosted_call import call_parameters
from mirror_ray.providers.litellm_endpoint import LitellmEndpoint
from mirror_ray.providers.model import Limits, Model
from mirror_ray.providers.scripted import Scripted
from mirror_ray.reading.parsing import ANY_OBJECT
from support.providers.hosted_asks import KEY, ask, model_of, request_of

pytestmark = pytest.mark.usefixtures("loopback_key")


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
    # litellm puts the provider before the name that some servers state.
    assert reply.model_version.removeprefix(f"{provider}/") == "observer-2026-01-01"
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


async def test_json_alone_is_asked_for_by_the_provider_s_own_mode(loopback, provider):
    request = replace(request_of(), reply_schema=ANY_OBJECT)
    await ask(model_of(loopback, "blind", provider), request)
    sent = {"type": "json_object"}
    # Own servers enforce it only with a schema.
    sent |= {"schema": dict(ANY_OBJECT)} if provider == "hosted_vllm" else {}
    assert loopback.stats()["last_body"]["response_format"] == sent


async def test_without_a_form_nothing_is_said_of_it(loopback, provider):
    request = replace(request_of(), reply_schema=None)
    await ask(model_of(loopback, "blind", provider), request)
    assert "response_format" not in loopback.stats()["last_body"]


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


def test_who_imports_litellm_collects_garbage_as_before(loopback):
    before = gc.isenabled()
    try:
        for collects in (True, False):
            (gc.enable if collects else gc.disable)()
            LitellmEndpoint(model_of(loopback, "blind", "openai"))
            assert gc.isenabled() is collects
    finally:
        (gc.enable if before else gc.disable)()


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
