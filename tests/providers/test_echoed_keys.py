"""A server that echoes what it was asked with: no text of a reply holds a key."""

import base64
import json
import urllib.parse
from dataclasses import asdict

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from mirror_ray.providers.hosted import Hosted
from mirror_ray.providers.model import Limits, Model
from support.providers.hosted_asks import request_of

KEY, TOKEN, OTHER = "0123-own/key+456", "header-token-789", "neighbours-key-abc"


@pytest.fixture
async def echo():
    """A server that writes the keys it has seen, and one of another model, everywhere."""
    seen = []

    async def reply(request):
        seen.append(request.headers)
        keys = [request.headers["Authorization"].removeprefix("Bearer "), OTHER]
        keys += [request.headers.get("X-Auth-Token", "")]
        said = " ".join(
            way(key)
            for key in keys
            for way in (
                str,
                lambda key: urllib.parse.quote(key, safe=""),
                lambda key: base64.b64encode(key.encode()).decode(),
                lambda key: base64.b64encode(f"user:{key}".encode()).decode(),
                lambda key: base64.b64encode(f"Bearer {key} ".encode()).decode(),
            )
        )
        if request.match_info["way"] != "said":
            status = int(request.match_info["way"])
            return web.json_response({"error": {"message": said, "code": said}}, status=status)
        message = {"role": "assistant", "content": f"So: {said}", "reasoning_content": said}
        choice = {"finish_reason": said, "native_finish_reason": said, "message": message}
        usage = {"prompt_tokens": 1, "completion_tokens": 1, f"{said}_tokens": "x"}
        return web.json_response({"model": said, "choices": [choice], "usage": usage})

    app = web.Application()
    app.router.add_post("/{way}/v1/chat/completions", reply)
    server = TestServer(app)
    await server.start_server()
    yield str(server.make_url("/")).rstrip("/"), seen
    await server.close()


@pytest.fixture
def keys(monkeypatch):
    """In the environment."""
    for name, value in {"OWN_KEY": KEY, "TOKEN": TOKEN, "OTHER_KEY": OTHER}.items():
        monkeypatch.setenv(name, value)


@pytest.mark.usefixtures("keys")
@pytest.mark.parametrize("way", ["said", "400", "401", "429", "500"])
async def test_no_text_of_a_reply_holds_a_key(echo, provider, way, caplog, capfd):
    address, seen = echo
    model = Model(
        "m",
        "hosted",
        f"{provider}/m",
        Limits("m"),
        api_key_env="OWN_KEY",
        extra={"extra_headers": {"X-Title": "title"}},
        extra_headers_env={"X-Auth-Token": "TOKEN"},
        base_url=f"{address}/{way}/v1",
    )
    backend = Hosted(model, frozenset({OTHER}))
    reply = await backend.reply(request_of("?", images=()))
    await backend.aclose()
    assert (seen[0]["X-Auth-Token"], seen[0]["X-Title"]) == (TOKEN, "title")
    assert (reply.error_kind == "none") is (way == "said"), reply.error
    stored = json.dumps(asdict(reply))
    assert "[key removed]" in stored
    written = capfd.readouterr()
    for text in (stored, repr(reply), repr(backend), caplog.text, written.out, written.err):
        for key in (KEY, TOKEN, OTHER):
            assert key not in text
            assert urllib.parse.quote(key, safe="") not in text
            for shift in range(3):
                letters = base64.b64encode(bytes(shift) + key.encode()).decode()
                assert letters[4:-4] not in text


async def test_a_header_that_is_not_set_is_asked_for_by_name(monkeypatch):
    monkeypatch.delenv("NO_SUCH_TOKEN", raising=False)
    model = Model(
        "m",
        "hosted",
        "openai/m",
        Limits("m"),
        base_url="http://127.0.0.1:9/v1",
        extra_headers_env={"X-Auth-Token": "NO_SUCH_TOKEN"},
    )
    reply = await Hosted(model).reply(request_of("?", images=()))
    assert reply.error_kind == "auth"
    assert "NO_SUCH_TOKEN is not set" in reply.error
