"""Models that the backend of another package asks: what it is given, and how it may fail."""

import asyncio
import json
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest

from mirror_ray.core import plugins
from mirror_ray.core.errors import PluginError, SweepError
from mirror_ray.providers.batches.service import has_batches
from mirror_ray.providers.catalogue import load_catalogue
from mirror_ray.providers.chat_completion import HttpError
from mirror_ray.providers.hosted import Hosted
from mirror_ray.providers.model import Limits, Model
from support.providers.hosted_asks import request_of

MODEL = Model(
    "house/m",
    "hosted",
    "m-1",
    Limits("m-1"),
    plugin="house",
    api_key_env="HOUSE_API_KEY",
    usd_per_mtok_in=100.0,
    usd_per_mtok_out=1_000.0,
    timeout_s=20.0,
    extra={"extra_headers": {"X-Title": "t"}, "extra_body": {"min_p": 0.1}},
)
KEY = "sk-house-0123456789abcdef"
SAID = {
    "model": "m-1-2026",
    "choices": [{"message": {"content": "red"}, "finish_reason": "stop"}],
    "usage": {"prompt_tokens": 10, "completion_tokens": 3},
}


class Backend:
    """Returns or raises what it is told, and notes what it is asked."""

    def __init__(self, model):
        self.model = model
        if isinstance(outcome, SystemError):
            raise outcome

    async def complete(self, call):
        calls.append(call)
        if isinstance(outcome, BaseException):
            raise outcome
        if outcome is asyncio.sleep:
            try:
                await asyncio.sleep(60)
            finally:
                calls.append("cancelled")
        return outcome

    async def aclose(self):
        calls.append("closed")


calls: list = []
outcome: object = None


@pytest.fixture(autouse=True)
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The module as a package that is installed, with two backends."""
    found = tmp_path / "house-0.3.dist-info"
    found.mkdir()
    (found / "METADATA").write_text("Metadata-Version: 2.1\nName: house\nVersion: 0.3\n")
    points = "[mirror_ray.backends]\nhouse = house_backend:Backend\nnone = house_backend:NONE\n"
    (found / "entry_points.txt").write_text(points)
    module = ModuleType("house_backend")
    module.Backend, module.NONE = Backend, "none"
    monkeypatch.setitem(sys.modules, "house_backend", module)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("HOUSE_API_KEY", KEY)
    calls.clear()
    plugins.installed.cache_clear()
    yield
    plugins.installed.cache_clear()


async def reply_of(said: object, model: Model = MODEL):
    global outcome  # noqa: PLW0603
    outcome = said
    backend = Hosted(model)
    reply = await backend.reply(request_of(truth={"colour": "of the scene"}))
    await backend.aclose()
    return reply


@pytest.mark.parametrize("said", [SAID, json.dumps(SAID).encode()])
async def test_a_call_in_openais_form_gives_a_typed_and_priced_reply(said) -> None:
    reply = await reply_of(said)
    assert (reply.text, reply.error_kind, reply.finish_reason) == ("red", "none", "stop")
    assert (reply.tokens_in, reply.tokens_out, reply.model_version) == (10, 3, "m-1-2026")
    assert reply.cost_usd == pytest.approx(10 * 100e-6 + 3 * 1_000e-6)
    call, closed = calls
    assert closed == "closed"
    assert call.body["model"] == "m-1"
    assert [message["role"] for message in call.body["messages"]] == ["system", "user"]
    assert [part["type"] for part in call.body["messages"][1]["content"]] == [
        *("text", "image_url", "image_url")
    ]
    assert call.body["min_p"] == 0.1
    assert (call.api_key, call.headers) == (KEY, {"X-Title": "t"})
    assert KEY not in repr(call)
    assert "of the scene" not in str(call.body)


@pytest.mark.parametrize(
    "said",
    [
        *(None, "red", [SAID], b"", b"no JSON", {}, {"choices": []}, {"choices": {1: object()}}),
        {"choices": [{"message": {"content": 7}}]},
        {**SAID, "odd": {1, 2}},
        pytest.param(b" " * (8 * 2**20 + 1), id="too long"),
    ],
)
async def test_what_is_no_completion_fails_the_ask(said) -> None:
    reply = await reply_of(said)
    assert (reply.error_kind, reply.text) == ("server", "")
    assert reply.error


async def test_figures_out_of_bounds_are_left_out() -> None:
    odd = {"prompt_tokens": float("nan"), "completion_tokens": -4, "cost": float("inf")}
    reply = await reply_of({**SAID, "usage": odd})
    assert (reply.text, reply.tokens_in, reply.tokens_out, reply.cost_usd) == ("red", *[None] * 3)


@pytest.mark.parametrize(
    ("raised", "kind", "words"),
    [
        (HttpError(429, {"retry-after": "7"}, "slower"), "rate_limit", "HTTP 429: slower"),
        (HttpError(401, {}, f"not {KEY}"), "auth", "not"),
        (ConnectionError("no route"), "connection", "no route"),
        (KeyError("a bug"), "internal", "a bug"),
        (SystemExit(3), "internal", "gave up: SystemExit(3)"),
        (asyncio.CancelledError(), "internal", "gave up: CancelledError"),
        (SystemError("not made"), "internal", "not made"),
    ],
)
async def test_what_it_raises_is_the_asks_failure(raised, kind, words) -> None:
    reply = await reply_of(raised)
    assert reply.error_kind == kind
    assert words in reply.error
    assert KEY not in reply.error
    assert reply.retry_after_s == (7.0 if kind == "rate_limit" else None)


async def test_one_that_takes_too_long_is_cancelled() -> None:
    reply = await reply_of(asyncio.sleep, replace(MODEL, timeout_s=0.05))
    assert reply.error_kind == "timeout"
    assert calls[1:] == ["cancelled", "closed"]


def test_an_entry_names_it(written) -> None:
    entry = "backend: house, target: m-1, concurrency: 4"
    other = "target: hosted_vllm/m, base_url: 'http://127.0.0.1:1/v1'"
    catalogue = load_catalogue(written(f"models: {{house/m: {{{entry}}}}}"))
    model = catalogue.resolve("house/m", "s.yaml")
    assert (model.plugin, model.target, model.limits.key) == ("house", "m-1", "m-1 by house")
    assert not has_batches(replace(model, target="openai/m"))
    rehearsed = load_catalogue(
        written(f"models: {{house/m: {{{entry}}}}}"),
        written(f"models: {{house/m: {{{other}}}}}", "mock.yaml"),
    )
    assert rehearsed.resolve("house/m", "s.yaml").plugin is None


def test_a_pattern_names_it_for_all_its_targets(written) -> None:
    catalogue = load_catalogue(written("defaults: {'house/*': {backend: house, rpm: 60}}"))
    model = catalogue.resolve("house/any", "s.yaml")
    assert (model.plugin, model.target, model.limits.rpm) == ("house", "house/any", 60)


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        ("backend: hous", "which no package here brings"),
        ("backend: none", "names no backend"),
        ("backend: house, agent: blind", "agent together with"),
        ("backend: house, serve: {engine: vllm, weights: lab/m}", "backend with serve"),
    ],
)
def test_what_cannot_be_asked_is_refused_by_whoever_uses_it(entry, words, written) -> None:
    text = f"models: {{house/m: {{target: m, {entry}}}, lab/n: {{target: openai/n}}}}"
    if "with serve" in words or "together" in words:
        text = text.replace("target: m, ", "")
    with pytest.raises((SweepError, PluginError)) as refused:
        load_catalogue(written(text)).resolve("house/m", "s.yaml")
    assert words in str(refused.value)
    if "with serve" not in words and "together" not in words:
        assert load_catalogue(written(text)).resolve("lab/n", "s.yaml").target == "openai/n"
