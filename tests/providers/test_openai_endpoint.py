"""Own servers are asked over plain HTTP: which models, at which address, and what is read."""

import json
import subprocess
import sys
from dataclasses import replace

import pytest

from mirror_ray.providers.hosted import Hosted
from mirror_ray.providers.hosted_call import is_own_server
from mirror_ray.providers.model import Limits, Model
from support.canned_server import Canned, canned_server
from support.providers.hosted_asks import request_of

OWN = Model("m", "hosted", "hosted_vllm/lab/m", Limits("m"), base_url="http://127.0.0.1:1/v1")


def completion(content: str | None, **message: object) -> str:
    said = {"role": "assistant", "content": content, **message}
    return json.dumps(
        {
            "model": "lab/m",
            "choices": [{"index": 0, "finish_reason": "stop", "message": said}],
            "usage": {"prompt_tokens": 5, "completion_tokens": 3},
        }
    )


@pytest.mark.parametrize(
    ("model", "own"),
    [
        (OWN, True),
        (replace(OWN, extra={"top_p": 0.9, "extra_body": {"min_p": 0.1}}), True),
        # litellm has an address of its own, or a say in how it calls.
        (replace(OWN, base_url=None), False),
        (replace(OWN, extra={"custom_llm_provider": "openai"}), False),
        (replace(OWN, target="openai/lab/m"), False),
    ],
)
def test_which_models_are_own_servers(model: Model, own: bool) -> None:
    assert is_own_server(model) == own
    assert type(Hosted(model).endpoint).__name__ == ("OpenAiEndpoint" if own else "LitellmEndpoint")


@pytest.mark.parametrize(
    ("body", "text", "reasoning"),
    [
        (completion("red"), "red", None),
        (completion("<think>or blue?</think>red"), "red", "or blue?"),
        (completion("<think>or blue?"), "<think>or blue?", None),
        (completion("red", reasoning_content="or blue?"), "red", "or blue?"),
        (completion("red", reasoning="or blue?"), "red", "or blue?"),
        (completion("<think>" * 100_000), "<think>" * 100_000, None),
    ],
)
async def test_thoughts_are_told_from_the_reply(body, text, reasoning) -> None:
    with canned_server({"x": Canned(200, body)}) as address:
        backend = Hosted(replace(OWN, base_url=f"{address}/x"))
        reply = await backend.reply(request_of("?", images=()))
        await backend.aclose()
    assert (reply.error_kind, reply.text, reply.reasoning) == ("none", text, reasoning)
    assert (reply.tokens_in, reply.tokens_out, reply.model_version) == (5, 3, "lab/m")


@pytest.mark.parametrize(
    ("canned", "kind"),
    [
        (Canned(200, "<html>starting</html>"), "server"),
        (Canned(200, "[1, 2]"), "server"),
        (Canned(200, "{}"), "server"),
        (
            Canned(200, json.dumps({"error": {"message": "Insufficient credits", "code": "402"}})),
            "auth",
        ),
        (Canned(503, "loading the weights"), "server"),
        (Canned(429, "slow down", {"Retry-After": "7"}), "rate_limit"),
        (Canned(400, "This model's maximum context length is 4096 tokens"), "context_window"),
    ],
)
async def test_what_is_no_reply(canned: Canned, kind: str) -> None:
    with canned_server({"x": canned}) as address:
        backend = Hosted(replace(OWN, base_url=f"{address}/x"))
        reply = await backend.reply(request_of("?", images=()))
        await backend.aclose()
    assert (reply.error_kind, reply.text) == (kind, "")
    assert reply.retry_after_s == (7.0 if kind == "rate_limit" else None)


def test_own_servers_are_asked_without_litellm() -> None:
    program = (
        "import asyncio, sys; from mirror_ray.providers.backend import backend_for; "
        "from mirror_ray.providers.model import Limits, Model; "
        "from mirror_ray.core.types import Request; "
        "model = Model('m', 'hosted', 'hosted_vllm/m', Limits('m'), "
        "base_url='http://127.0.0.1:9'); "
        "request = Request('e', 1, 'c', 'm', '', '?', (), None, None, 9, {}); "
        "reply = asyncio.run(backend_for(model).reply(request)); "
        "sys.exit(reply.error_kind != 'connection' or 'litellm' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
