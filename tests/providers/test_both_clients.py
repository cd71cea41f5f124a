"""The plain client and litellm make the same calls and read the same replies alike."""

import json
from dataclasses import replace

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from mirror_ray.core.types import Reply, Request
from mirror_ray.providers.hosted import Hosted
from mirror_ray.providers.hosted_call import speaks_openai
from mirror_ray.providers.model import Limits, Model
from mirror_ray.providers.templated_endpoint import TemplatedEndpoint
from mirror_ray.reading.parsing import ANY_OBJECT
from support.canned_server import Canned, canned_server
from support.providers.forms_of_open_models import CASES as OPEN_MODELS
from support.providers.forms_of_openai import CASES as OPENAI
from support.providers.forms_of_refusals import CASES as REFUSALS
from support.providers.hosted_asks import ask, request_of
from support.providers.reply_forms import Form, said, usage, whole
from support.providers.wire_errors import CASES as FIRST_HAND
from support.providers.wire_errors_of_open_models import CASES as OF_OPEN_MODELS
from support.whole import mostly_thorough

pytestmark = pytest.mark.usefixtures("loopback_key")


def model_at(base_url: str | None, target: str, **changes: object) -> Model:
    model = Model("m", "hosted", target, Limits("m"), api_key_env="LOOPBACK_KEY", base_url=base_url)
    return replace(model, **changes)


FORMS = {
    **OPENAI,
    **OPEN_MODELS,
    **REFUSALS,
    **{
        name: Form(case.target, case.body, case.kind, status=case.status, headers=case.headers)
        for name, case in {**FIRST_HAND, **OF_OPEN_MODELS}.items()
        if speaks_openai(model_at("", case.target))
    },
}
FINISH = {"finish_reason"}
THROUGH_LITELLM = {
    # It reports a reason that is missing as "stop", and a router's that it does not know.
    "no-end": FINISH,
    "openrouter-broken": FINISH,
    # Its code for Groq fails without a tier, and leaves out tier and limits.
    "groq": {"text", "error_kind", "error", "tokens_in", "tokens_out", "cost_usd", "model_version"}
    | FINISH,
    "groq-times": {"service_tier", "quota"},
    # It does not look into 200s that are errors in other forms than OpenAI's.
    "minimax-as-200": {"error_kind", "error"},
    # It quotes its own trouble, or the whole reply.
    **{name: {"error"} for name in ("html", "no-body", "list", "cloudflare", "cloudflare-520")},
    **{name: {"error"} for name in ("openrouter-error-as-200", "openrouter-credits-as-200")},
    "fireworks-gateway": {"error"},
    # It adds thoughts that were counted apart, without a remark.
    "xai-thinking-apart": {"error"},
}
"""Form → the fields of the reply in which litellm differs, where the plain client reads more."""


@pytest.fixture(scope="module")
def wire():
    with canned_server({name: form.canned for name, form in FORMS.items()}) as address:
        yield address


def test_there_are_enough_forms() -> None:
    assert len(FORMS) >= 100
    assert len({form.target.split("/")[0] for form in FORMS.values()}) >= 13


@pytest.mark.parametrize("name", mostly_thorough(2, FORMS))
async def test_a_reply_is_read_alike(wire, name) -> None:
    form = FORMS[name]
    prices = {"usd_per_mtok_in": 1.0, "usd_per_mtok_out": 2.0}
    model = model_at(f"{wire}/{name}", form.target, **prices)
    request = request_of("?", images=())
    plain = await ask(model, request)
    through = await ask(replace(model, through_litellm=True), request)
    assert (plain.error_kind, plain.text) == (form.kind, form.said), plain.error
    assert (plain.tokens_in, plain.tokens_out) == form.tokens
    one, other = compared(plain, form.target), compared(through, form.target)
    differing = {field for field in one if one[field] != other[field]}
    assert differing == THROUGH_LITELLM.get(name, set()), (plain.error, through.error)


def compared(reply: Reply, target: str) -> dict[str, object]:
    """A reply's fields, without times and what litellm adds to names."""
    fields = {name: getattr(reply, name) for name in Reply.__slots__}
    for name in ("started_at", "latency_s"):
        del fields[name]
    provider = f"{target.split('/', maxsplit=1)[0]}/"
    fields["model_version"] = (reply.model_version or "").removeprefix(provider)
    if reply.error_kind != "none" and reply.error and reply.finish_reason is None:
        # `HTTP 429: slow down`, and `RateLimitError: slow down`.
        fields["error"] = reply.error.partition(": ")[2]
    return fields


PLAIN = (
    *("openai/gpt-4.1-mini", "openai/o3", "azure/mine", "azure/gpt5_series/mine"),
    *("openrouter/qwen/qwen3-vl-8b", "mistral/pixtral", "xai/grok-4", "groq/llama"),
    *("together_ai/qwen", "fireworks_ai/qwen", "moonshot/kimi-k2.5"),
    *("dashscope/qwen3-vl-plus", "deepseek/deepseek-chat", "hosted_vllm/qwen"),
)
ODD_TEXT = 'a "quoted" \\ line\n\x00 é 红 \U0001f534 \ud800 <<the user\'s text>> {"a": 1}'
SHAPES: dict[str, dict[str, object]] = {
    "pictures": {},
    "words": {"images": ()},
    "no system prompt": {"system": "", "images": ()},
    "no form": {"reply_schema": None, "images": ()},
    "any object": {"reply_schema": ANY_OBJECT, "images": ()},
    "no temperature": {"temperature": None, "images": ()},
    "odd text": {"system": ODD_TEXT, "user": ODD_TEXT, "images": ()},
}
TOOL = {"type": "function", "function": {"name": "go", "parameters": {"type": "object"}}}
SETTINGS: dict[str, dict[str, object]] = {
    "seed": {"sends_seed": True},
    "tools": {"extra": {"tools": [TOOL], "tool_choice": "auto"}},
    "beside": {"extra": {"extra_body": {"min_p": 0.1}, "extra_headers": {"X-Team": "a"}}},
    "secret header": {"extra_headers_env": {"X-Auth": "LOOPBACK_KEY"}},
    "effort": {"reasoning_effort": "low"},
    "tier": {"tier": "flex"},
    "sampling": {"extra": {"top_p": 0.5, "drop_params": True}},
}


@pytest.fixture
async def kept():
    """A server that keeps path, body and headers of what it is sent."""
    calls: list[tuple[str, dict, dict]] = []

    async def keep(request: web.Request) -> web.Response:
        calls.append((request.path_qs, await request.json(), dict(request.headers)))
        return web.json_response(whole(said("red"), service_tier="default"))

    app = web.Application(client_max_size=2**24)
    app.router.add_post("/{path:.*}", keep)
    server = TestServer(app)
    await server.start_server()
    yield str(server.make_url("/")).rstrip("/"), calls
    await server.close()


@pytest.mark.parametrize("target", mostly_thorough(3, PLAIN))
async def test_the_same_call_is_sent(kept, target) -> None:
    address, calls = kept
    base_url = address if target.startswith("azure") else f"{address}/v1"
    plain = model_at(base_url, target)
    asks: list[tuple[str, Model, Request]] = [
        (name, plain, request_of(**changes)) for name, changes in SHAPES.items()
    ]
    asks += [
        (name, replace(plain, **settings), request_of(images=()))
        for name, settings in SETTINGS.items()
        # litellm sends these to another address, by code that is not installed.
        if not (name == "tools" and target.startswith("hosted_vllm/"))
    ]
    for name, model, request in asks:
        first = replace(request, episode_id="another", user="other words")
        replies = []
        for one in (model, replace(model, through_litellm=True)):
            backend = Hosted(one)
            # The second request is filled into what was written for the first.
            replies += [await backend.reply(first), await backend.reply(request)]
            await backend.aclose()
        kinds = [(reply.error_kind, (reply.error or "")[:60]) for reply in replies]
        assert kinds[:2] == kinds[2:], name
        if kinds[0][0] == "none":
            assert len(calls) == 4, name
            assert_same_call(calls[0], calls[2], name)
            assert_same_call(calls[1], calls[3], name)
            assert calls[0][1]["messages"] != calls[1][1]["messages"]
        calls.clear()


def assert_same_call(one, other, name) -> None:
    assert one[:2] == other[:2], name
    left_out = {"Accept", "Accept-Encoding", "Host", "Content-Length", "Connection", "User-Agent"}
    headers = [
        {key.title(): value for key, value in headers.items() if key not in left_out}
        for headers in (one[2], other[2])
    ]
    assert headers[0] == headers[1], name


async def test_a_template_serves_many_requests(kept, monkeypatch) -> None:
    address, calls = kept
    backend = Hosted(model_at(f"{address}/v1", "openai/gpt-4.1-mini", sends_seed=True))
    assert isinstance(backend.endpoint, TemplatedEndpoint)
    requests = [request_of(f"words {number}", ask_index=number) for number in range(1, 5)]
    await backend.reply(requests[0])

    async def unused(*_: object) -> None:
        raise AssertionError("litellm is asked again")

    monkeypatch.setattr(backend.endpoint._litellm, "completion", unused)
    replies = [await backend.reply(request) for request in requests[1:]]
    await backend.aclose()
    assert [reply.error_kind for reply in replies] == ["none"] * 3
    assert len({body["seed"] for _, body, _ in calls}) == 4
    texts = [body["messages"][1]["content"][0]["text"] for _, body, _ in calls]
    assert texts == [request.user for request in requests]


async def test_a_new_key_is_sent_at_once(kept, monkeypatch) -> None:
    address, calls = kept
    backend = Hosted(model_at(f"{address}/v1", "openai/gpt-4.1-mini"))
    for key in ("sk-first-0123456789", "sk-second-0123456789"):
        monkeypatch.setenv("LOOPBACK_KEY", key)
        await backend.reply(request_of(images=()))
    await backend.aclose()
    sent = [headers["Authorization"] for _, _, headers in calls]
    assert sent == ["Bearer sk-first-0123456789", "Bearer sk-second-0123456789"]


@pytest.mark.parametrize(
    ("target", "changes", "endpoint"),
    [
        ("openai/m", {}, "TemplatedEndpoint"),
        ("openai/m", {"extra": {"organization": "o"}}, "TemplatedEndpoint"),
        ("hosted_vllm/m", {"base_url": None}, "TemplatedEndpoint"),
        ("hosted_vllm/m", {"extra": {"drop_params": True}}, "TemplatedEndpoint"),
        ("hosted_vllm/m", {}, "OpenAiEndpoint"),
        ("hosted_vllm/m", {"extra": {"extra_body": {"min_p": 0.1}}}, "OpenAiEndpoint"),
        ("hosted_vllm/m", {"extra": {"custom_llm_provider": "openai"}}, "LitellmEndpoint"),
        ("hosted_vllm/m", {"through_litellm": True}, "LitellmEndpoint"),
        ("openai/m", {"through_litellm": True}, "LitellmEndpoint"),
        ("openai/m", {"extra": {"mock_response": "red"}}, "LitellmEndpoint"),
        ("anthropic/claude-sonnet-4-5", {}, "LitellmEndpoint"),
        ("gemini/gemini-2.5-flash", {}, "LitellmEndpoint"),
        ("bedrock/amazon.nova-pro-v1:0", {}, "LitellmEndpoint"),
        ("ollama_chat/m", {}, "LitellmEndpoint"),
    ],
)
def test_which_client_is_used(target, changes, endpoint) -> None:
    model = replace(model_at("http://127.0.0.1:1/v1", target), **changes)
    assert type(Hosted(model).endpoint).__name__ == endpoint


PRICED = usage(
    1000,
    500,
    prompt_tokens_details={"cached_tokens": 400},
    completion_tokens_details={"reasoning_tokens": 100},
)


@pytest.mark.parametrize(
    ("target", "variable"),
    [
        ("openai/gpt-4.1-mini", "OPENAI_BASE_URL"),
        ("openai/gpt-5-mini", "OPENAI_BASE_URL"),
        ("openai/o3", "OPENAI_BASE_URL"),
        ("deepseek/deepseek-chat", "DEEPSEEK_API_BASE"),
        ("openai/nobody-lists-this", "OPENAI_BASE_URL"),
    ],
)
@pytest.mark.parametrize("tier", ["default", "flex"])
async def test_a_model_without_a_price_gets_litellms(target, variable, tier, monkeypatch) -> None:
    answered = whole(said("red"), PRICED, model=target.split("/")[1], service_tier=tier)
    with canned_server({"v1": Canned(200, json.dumps(answered))}) as address:
        monkeypatch.setenv(variable, f"{address}/v1")
        model = model_at(None, target, sends_temperature=False)
        plain = await ask(model, request_of(images=()))
        through = await ask(replace(model, through_litellm=True), request_of(images=()))
    assert plain.error_kind == through.error_kind == "none", (plain.error, through.error)
    assert plain.cost_usd == through.cost_usd
    assert (plain.cost_usd is None) == ("nobody" in target)
