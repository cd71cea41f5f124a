"""Replies that no honest server sends, over real HTTP: each is one storable `Reply`."""

import json
from dataclasses import fields
from math import isfinite

import pytest

from mirror_ray.core.error_kinds import ERROR_KINDS
from mirror_ray.providers.completion_body import MAX_TOKENS, MAX_USD
from mirror_ray.providers.hosted import Hosted
from mirror_ray.providers.hosted_reply import MOST_LABEL_CHARS, MOST_REPLY_CHARS
from mirror_ray.providers.model import Limits, Model
from support.canned_server import Canned, canned_server
from support.hostile_completions import HONEST, ODD, completion, with_odd
from support.providers.hosted_asks import ask, model_of, request_of
from support.whole import one_in

LABELS = {"model", "choices.0.finish_reason", "choices.0.native_finish_reason"}
COUNTS = {
    "usage.prompt_tokens",
    "usage.completion_tokens",
    "usage.total_tokens",
    "usage.prompt_tokens_details.cached_tokens",
    "usage.prompt_tokens_details.image_tokens",
    "usage.completion_tokens_details.reasoning_tokens",
}
LEAVES_THE_REPLY_WHOLE = sorted(
    {
        *LABELS,
        *COUNTS,
        *("id", "object", "created", "system_fingerprint", "service_tier", "provider"),
        *("usage", "usage.cost", "usage.cost_details", "usage.prompt_tokens_details"),
        *("usage.completion_tokens_details", "choices.0.index", "choices.0.logprobs"),
        *("choices.0.message.role", "choices.0.message.reasoning_content"),
        *("choices.0.message.reasoning", "choices.0.message.tool_calls"),
        *("choices.0.message.annotations", "choices.0.message.audio"),
        *("choices.0.message.provider_specific_fields", "choices.0.message.thinking_blocks"),
        *("choices.0.provider_specific_fields", "_hidden_params", "_response_headers"),
    }
)
MAY_COST_THE_REPLY = (
    *("choices", "choices.0", "choices.0.message", "choices.0.message.content"),
    *("choices.0.message.refusal", "choices.0.error", "error"),
)


def name_of(path, odd):
    return f"{path}~{odd}".replace(".", "~")


@pytest.fixture(scope="module")
def hostile():
    paths = (*LEAVES_THE_REPLY_WHOLE, *(path for path in MAY_COST_THE_REPLY if path != "choices.0"))
    bodies = {name_of(path, odd): with_odd(path, ODD[odd]) for path in paths for odd in ODD}
    bodies |= {name_of("choices.0", odd): with_odd("choices", [ODD[odd]]) for odd in ODD}
    bodies |= {name_of("body", odd): json.dumps(ODD[odd]) for odd in ODD}
    bodies |= {
        "choices~thousands": with_odd("choices", list(HONEST["choices"]) * 5000),
        "choices~none": with_odd("choices", []),
        "long": completion(content="a" * (MOST_REPLY_CHARS + 1)),
        "longest": completion(content="é" * MOST_REPLY_CHARS),
        "thoughts": completion(reasoning_content="a" * (MOST_REPLY_CHARS + 1)),
        "parts": completion(
            content=[{"type": "text", "text": "hel"}, {"type": "text", "text": "lo"}]
        ),
        "odd_parts": completion(content=[{"type": "text", "text": 5}, 7]),
        "call": completion(
            content=None,
            tool_calls=[
                {"id": "1", "type": "function", "function": {"name": "f", "arguments": "{}"}}
            ],
        ),
        "surrogate": completion(content="\ud800 a"),
        "escapes": completion(content="\x1b[31m red \x00"),
        "brackets": "[" * 1_000_000,
        "no_json": "\x1b]0;gotcha\x07" * 300_000,
        "empty": "",
        "latin": b'{"choices": "\xff\xfe"}',
    }
    with canned_server({name: Canned(200, body) for name, body in bodies.items()}) as address:
        yield address


@pytest.fixture
def ask_for(hostile, provider, loopback_key):
    """A function: the reply of that name, by one of the two routes."""

    async def asked(name, **changes):
        model = Model(
            name="hostile",
            backend="hosted",
            target=f"{provider}/m",
            limits=Limits(key="hostile"),
            api_key_env="LOOPBACK_KEY",
            base_url=f"{hostile}/{name}/v1",
            timeout_s=60.0,
            **changes,
        )
        return await ask(model, request_of("?", images=()))

    return asked


def assert_storable(reply):
    assert reply.error_kind in ERROR_KINDS
    assert isinstance(reply.text, str)
    assert len(reply.text) <= MOST_REPLY_CHARS
    assert len(reply.reasoning or "") <= MOST_REPLY_CHARS
    for label in (reply.finish_reason, reply.native_finish_reason, reply.model_version):
        assert label is None or (label.isprintable() and len(label) <= MOST_LABEL_CHARS)
    assert reply.error is None or (reply.error.isprintable() and len(reply.error) <= 300)
    for count in (reply.tokens_in, reply.tokens_out, reply.tokens_cached, reply.tokens_image):
        assert count is None or (type(count) is int and 0 <= count <= MAX_TOKENS)
    usd = reply.cost_usd
    assert usd is None or (isfinite(usd) and 0 <= usd <= MAX_USD)
    stored = {field.name: getattr(reply, field.name) for field in fields(reply)}
    json.dumps({**stored, "quota": None}, allow_nan=False)


@pytest.mark.parametrize("path", one_in(9, LEAVES_THE_REPLY_WHOLE))
async def test_an_odd_figure_does_not_cost_the_words(ask_for, path, recwarn):
    for odd in ODD:
        reply = await ask_for(name_of(path, odd), usd_per_mtok_in=2.0, usd_per_mtok_out=10.0)
        assert_storable(reply)
        assert (reply.error_kind, reply.text) == ("none", "hello"), (odd, reply.error)
        if odd in {"2^63", "negative", "NaN", "1e999", "true", "digits", "list"}:
            if path in LABELS | COUNTS | {"usage", "usage.cost", "choices.0.message.tool_calls"}:
                assert path.rpartition(".")[2] in reply.error, odd
            if path in {"usage.prompt_tokens", "usage.completion_tokens", "usage"}:
                assert reply.cost_usd is None, odd
            if path == "usage.cost":
                assert reply.cost_usd == pytest.approx((10 * 2.0 + 5 * 10.0) / 1e6)
            if path == "model":
                assert reply.model_version is None
            if path == "choices.0.finish_reason":
                assert reply.finish_reason is None
    assert not [warning for warning in recwarn if "serializer warnings" in str(warning.message)]


@pytest.mark.parametrize("path", [*MAY_COST_THE_REPLY, "body"])
async def test_what_is_no_reply_is_a_failed_attempt(ask_for, path):
    for odd in one_in(2, ODD):
        reply = await ask_for(name_of(path, odd))
        assert_storable(reply)
        assert reply.error_kind in {"none", "server", "refusal", "bad_request"}, odd
        if path == "body" or (path == "choices.0.message.content" and odd in {"number", "list"}):
            assert reply.error_kind == "server", odd


@pytest.mark.parametrize(
    ("name", "kind", "text", "said"),
    [
        ("choices~thousands", "none", "hello", None),
        ("choices~none", "server", "", "no choices"),
        ("long", "server", "", "longer than 1,000,000"),
        ("longest", "none", "é" * MOST_REPLY_CHARS, None),
        ("thoughts", "none", "hello", "reasoning beyond"),
        ("parts", "none", "hello", None),
        ("odd_parts", "server", "", "not text"),
        ("call", "none", "", None),
        ("surrogate", "none", "\ud800 a", None),
        ("escapes", "none", "\x1b[31m red \x00", None),
        ("brackets", "server", "", ""),
        ("no_json", "server", "", ""),
        ("empty", "server", "", ""),
        ("latin", "server", "", ""),
    ],
)
async def test_odd_shapes(ask_for, name, kind, text, said):
    reply = await ask_for(name)
    assert_storable(reply)
    assert (reply.error_kind, reply.text) == (kind, text), reply.error
    assert (reply.error is None) if said is None else (said in reply.error)


async def test_a_reply_that_is_too_long_is_paid_all_the_same(ask_for):
    reply = await ask_for("long", usd_per_mtok_in=2.0, usd_per_mtok_out=10.0)
    assert reply.cost_usd == pytest.approx((10 * 2.0 + 5 * 10.0) / 1e6)


async def test_a_prompt_with_a_lone_surrogate_is_sent(loopback, provider, loopback_key):
    reply = await ask(model_of(loopback, "blind", provider), request_of("\ud800?"))
    assert reply.error_kind != "internal", reply.error


async def test_nothing_that_is_raised_escapes(monkeypatch, provider, hostile, loopback_key):
    class UnprintableError(Exception):
        def __str__(self):
            raise RuntimeError("no words")

    model = Model("m", "hosted", f"{provider}/m", Limits("m"), base_url=f"{hostile}/parts/v1")
    backend = Hosted(model)
    for raised in (
        UnprintableError(),
        RecursionError(),
        MemoryError(),
        ValueError("\x1b[0m\ud800"),
    ):

        async def failing(*_, raised=raised):
            raise raised

        monkeypatch.setattr(backend.endpoint, "completion", failing)
        reply = await backend.reply(request_of("?", images=()))
        assert_storable(reply)
        assert reply.error_kind == "internal"
    await backend.aclose()
