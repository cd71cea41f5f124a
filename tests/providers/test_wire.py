"""What each provider's catalogue entry really puts on the wire, through litellm's code for it."""

import base64
import json
import pickle
from dataclasses import replace

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from mirror_ray.providers.catalogue import load_catalogue
from mirror_ray.providers.hosted import Hosted
from mirror_ray.providers.hosted_call import sampling_seed
from mirror_ray.providers.model import Limits, Model, TierTerms
from mirror_ray.providers.price_tiers import at_tier
from mirror_ray.providers.probe import request_for

CREDENTIALS = {
    "AWS_ACCESS_KEY_ID": "AKIDEXAMPLE",
    "AWS_SECRET_ACCESS_KEY": "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
    "AWS_REGION_NAME": "us-east-1",
}
ASKED = request_for(Model("x", "hosted", "openai/x", load_catalogue().resolve("xai/x", "x").limits))
PICTURE = base64.b64encode(ASKED.images[0].data).decode()
SEED = sampling_seed(ASKED)
URL = f"data:image/png;base64,{PICTURE}"
OPENAI_PICTURE = ("messages.0.content.1.image_url", {"url": URL, "detail": "high"})
OPENAI_SCHEMA = ("response_format.json_schema.schema.required", ["left", "right"])
ABSENT = object()


@pytest.fixture
async def wire():
    """A server that keeps what it gets, and turns it away."""
    bodies = []

    async def keep(request):
        bodies.append((request.path, await request.json(), dict(request.headers)))
        return web.json_response({"error": {"message": "kept"}}, status=400)

    app = web.Application()
    app.router.add_post("/{path:.*}", keep)
    server = TestServer(app)
    await server.start_server()
    yield str(server.make_url("/")).rstrip("/"), bodies
    await server.close()


@pytest.fixture
def entry_of(monkeypatch, tmp_path):
    """A model as the packaged catalogue has it, with made-up credentials in the environment."""
    for variable, value in CREDENTIALS.items():
        monkeypatch.setenv(variable, value)

    def entry(name):
        own = tmp_path / "own.yaml"
        own.write_text(f'models: {{"{name}": {{base_url: "http://x/v1"}}}}')
        # These are served by nobody but their owners.
        files = [own] if name.startswith(("hosted_vllm", "ollama")) else []
        model = load_catalogue(*files).resolve(name, "x")
        if model.api_key_env is not None:
            monkeypatch.setenv(model.api_key_env, "sk-loopback-0123456789abcdef")
        return model

    return entry


def at(body, path):
    for part in path.split("."):
        try:
            body = body[int(part)] if isinstance(body, list) else body[part]
        except (KeyError, IndexError):
            return ABSENT
    return body


@pytest.mark.parametrize(
    ("name", "suffix", "expected"),
    [
        (
            "openai/gpt-5.1",
            "/v1",
            [
                ("temperature", 0.2),
                ("reasoning_effort", "none"),
                ("seed", SEED),
                ("max_completion_tokens", 256),
                ("max_tokens", ABSENT),
                OPENAI_SCHEMA,
                OPENAI_PICTURE,
            ],
        ),
        (
            "openai/o3",
            "/v1",
            [("temperature", ABSENT), ("seed", SEED), ("max_completion_tokens", 8192)],
        ),
        (
            "azure/gpt5_series/mine",
            "",
            [("temperature", ABSENT), ("max_completion_tokens", 8192), ("model", "mine")],
        ),
        ("azure/mine", "", [("temperature", 0.2), ("max_tokens", 256), OPENAI_SCHEMA]),
        (
            "anthropic/claude-sonnet-4-5",
            "",
            [
                ("temperature", 0.2),
                ("seed", ABSENT),
                ("max_tokens", 256),
                ("output_format.schema.required", ["left", "right"]),
                ("messages.0.content.1.source.data", PICTURE),
            ],
        ),
        ("anthropic/claude-opus-4-7", "", [("temperature", ABSENT), ("max_tokens", 256)]),
        (
            "gemini/gemini-2.5-flash",
            "",
            [
                ("generationConfig.temperature", 0.2),
                ("generationConfig.seed", SEED),
                ("generationConfig.max_output_tokens", 8192),
                ("generationConfig.response_json_schema.required", ["left", "right"]),
                ("generationConfig.mediaResolution", "MEDIA_RESOLUTION_HIGH"),
                ("contents.0.parts.1.inline_data.data", PICTURE),
            ],
        ),
        (
            "bedrock/us.anthropic.claude-sonnet-4-5-20250929-v1:0",
            "",
            [
                ("inferenceConfig", {"temperature": 0.2, "maxTokens": 256}),
                ("toolConfig", ABSENT),
                ("messages.0.content.1.image.source.bytes", PICTURE),
            ],
        ),
        (
            "openrouter/anthropic/claude-sonnet-4.6",
            "/v1",
            [
                ("temperature", 0.2),
                ("seed", SEED),
                ("max_tokens", 256),
                ("response_format", ABSENT),
                ("usage", {"include": True}),
                OPENAI_PICTURE,
            ],
        ),
        (
            "mistral/ministral-14b-2512",
            "/v1",
            [("temperature", 0.2), ("random_seed", SEED), ("max_tokens", 256), OPENAI_SCHEMA],
        ),
        ("xai/grok-4", "/v1", [("temperature", 0.2), ("seed", SEED), OPENAI_SCHEMA]),
        ("groq/llama", "/v1", [("seed", SEED), ("tools", ABSENT), OPENAI_PICTURE]),
        ("deepseek/deepseek-chat", "/v1", [("temperature", 0.2), ("seed", ABSENT)]),
        ("together_ai/qwen", "/v1", [("seed", SEED), ("response_format", ABSENT), OPENAI_PICTURE]),
        ("dashscope/qwen3-vl-plus", "/v1", [("seed", SEED), OPENAI_PICTURE]),
        ("moonshot/kimi-k2.5", "/v1", [("temperature", ABSENT), OPENAI_PICTURE]),
        (
            "hosted_vllm/qwen",
            "/v1",
            [("temperature", 0.2), ("max_tokens", 256), OPENAI_SCHEMA, OPENAI_PICTURE],
        ),
        (
            "ollama_chat/qwen3-vl:8b",
            "",
            [
                ("options", {"temperature": 0.2, "num_predict": 256}),
                ("format.required", ["left", "right"]),
                ("messages.0.images", [PICTURE]),
            ],
        ),
    ],
)
async def test_parameters_on_the_wire(wire, entry_of, name, suffix, expected):
    base_url, bodies = wire
    model = replace(entry_of(name), base_url=base_url + suffix)
    backend = Hosted(model)
    reply = await backend.reply(request_for(model))
    await backend.aclose()
    assert reply.error_kind == "bad_request"
    ((_, body, headers),) = bodies
    assert [(path, at(body, path)) for path, _ in expected] == expected
    if name.startswith("bedrock"):
        assert headers["Authorization"].startswith("AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/")
        assert CREDENTIALS["AWS_SECRET_ACCESS_KEY"] not in json.dumps([body, headers])


FLEX_PRICES = TierTerms(Limits("flex"), 1.0, 1.0)


@pytest.mark.parametrize(
    ("name", "suffix", "expected"),
    [
        ("openai/gpt-5.1", "/v1", ("service_tier", "flex", "default")),
        ("gemini/gemini-2.5-pro", "", ("serviceTier", "flex", "standard")),
        ("azure/gpt5_series/mine", "", ("service_tier", "flex", "default")),
        ("bedrock/us.amazon.nova-pro-v1:0", "", ("serviceTier.type", "flex", "default")),
        ("hosted_vllm/qwen", "/v1", ("service_tier", "flex", "default")),
    ],
)
async def test_a_tier_in_each_maker_s_words(wire, entry_of, name, suffix, expected):
    key, flex, standard = expected
    base_url, bodies = wire
    listed = replace(entry_of(name), base_url=base_url + suffix, flex=FLEX_PRICES)
    at_flex = at_tier(listed, "flex")
    for model in (at_flex, at_flex.standard, listed):
        backend = Hosted(model)
        await backend.reply(request_for(model))
        await backend.aclose()
    assert [at(body, key) for _, body, _ in bodies] == [flex, standard, ABSENT]


async def test_why_deepseek_is_listed_without_sight(wire, entry_of):
    """litellm sends the words alone and says nothing; once it does, the entry is to be changed."""
    base_url, bodies = wire
    model = replace(entry_of("deepseek/deepseek-chat"), base_url=f"{base_url}/v1", vision=True)
    backend = Hosted(model)
    await backend.reply(request_for(model))
    await backend.aclose()
    ((_, body, _),) = bodies
    assert body["messages"][0]["content"] == request_for(model).user


async def test_completion_tokens_go_by_the_name_that_the_entry_says(wire):
    base_url, bodies = wire
    model = load_catalogue().resolve("xai/grok-4", "x")
    model = replace(
        model,
        target="hosted_vllm/m",
        base_url=f"{base_url}/v1",
        api_key_env=None,
        max_tokens_name="max_completion_tokens",
    )
    backend = Hosted(model)
    await backend.reply(request_for(model))
    await backend.aclose()
    ((_, body, _),) = bodies
    assert body["max_completion_tokens"] == 256
    assert "max_tokens" not in body


def test_seeds_are_the_same_in_every_run_and_differ_between_asks():
    asks = [
        replace(ASKED, episode_id=episode, ask_index=index)
        for episode in ("a", "b")
        for index in range(50)
    ]
    seeds = [sampling_seed(ask) for ask in asks]
    assert seeds == [sampling_seed(ask) for ask in asks]
    assert len(set(seeds)) == 100
    assert all(0 <= seed < 2**31 for seed in seeds)
    assert sampling_seed(replace(ASKED, user="other words")) == sampling_seed(ASKED)


def test_a_picture_becomes_text_once_however_often_it_is_sent():
    (picture,) = ASKED.images
    fresh = replace(picture)
    assert fresh.base64 == PICTURE
    assert fresh.base64 is fresh.base64
    # What is remembered is no part of what the picture is.
    assert (fresh, hash(fresh)) == (replace(picture), hash(replace(picture)))
    assert PICTURE not in repr(fresh)
    assert pickle.loads(pickle.dumps(fresh)).base64 == PICTURE  # noqa: S301 - its own
