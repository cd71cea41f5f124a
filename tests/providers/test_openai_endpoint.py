"""Own servers are asked over plain HTTP, without litellm: what is read of their replies."""

import json
import subprocess
import sys
from dataclasses import replace

import pytest

from mirror_ray.providers.hosted import Hosted
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
