"""What passes between litellm and a server: no redirect, no second sending, no endless body."""

import asyncio
import gzip
import socket
import struct
import zlib
from dataclasses import replace
from functools import reduce

import httpx
import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer
from litellm.llms.custom_httpx.http_handler import AsyncHTTPHandler
from test_wire import CREDENTIALS

from mirror_ray.providers.catalogue import load_catalogue
from mirror_ray.providers.exchange import MOST_FAILURE_BYTES, MOST_REPLY_BYTES
from mirror_ray.providers.guarded_http import guard_litellm
from mirror_ray.providers.model import Limits, Model
from mirror_ray.providers.probe import request_for
from support.canned_server import Canned, canned_server
from support.hostile_completions import completion
from support.providers.hosted_asks import KEY, ask, request_of

OK = completion()


def bomb(n_mb: int) -> bytes:
    """One gzip stream of so many megabytes of zeros, a thousandth as long."""
    megabyte = bytes(2**20)
    deflate = zlib.compressobj(9, wbits=-15)
    # After a full flush the same block may follow again.
    block = deflate.compress(megabyte) + deflate.flush(zlib.Z_FULL_FLUSH)
    crc = reduce(lambda crc, _: zlib.crc32(megabyte, crc), range(n_mb), 0)
    head, length = gzip.compress(b"")[:10], n_mb * 2**20
    return head + block * n_mb + deflate.flush() + struct.pack("<II", crc, length)


BOMB = bomb(256)
"""A quarter of a megabyte that becomes 256 MB."""


def model_at(base_url, target):
    return Model("m", "hosted", target, Limits("m"), api_key_env="LOOPBACK_KEY", base_url=base_url)


async def ask_at(base_url, provider, **request):
    return await ask(model_at(base_url, f"{provider}/m"), request_of("?", images=(), **request))


@pytest.mark.usefixtures("loopback_key")
@pytest.mark.parametrize("status", [300, 301, 302, 303, 304, 305, 307, 308])
async def test_no_redirect_is_followed(provider, status):
    elsewhere, here = [], []
    with canned_server({"v1": Canned(200, OK)}, elsewhere) as other:
        target = f"{other}/v1/chat/completions"
        body = "" if status == 304 else f'{{"key": "{KEY}"}}'
        moved = Canned(status, body, {"Location": target})
        with canned_server({"moved": moved, "v1": Canned(200, OK)}, here) as address:
            reply = await ask_at(f"{address}/moved/v1", provider)
    assert (reply.error_kind, reply.text) == ("bad_request", "")
    assert f"status {status}" in reply.error
    assert "base_url" in reply.error
    assert (len(here), elsewhere) == (1, [])


@pytest.mark.parametrize(
    "name",
    [
        *("openai/gpt-5.1", "azure/mine", "azure/gpt5_series/mine"),
        *("anthropic/claude-sonnet-4-5", "gemini/gemini-2.5-flash"),
        *("bedrock/us.anthropic.claude-sonnet-4-5-20250929-v1:0", "openrouter/x-ai/grok-4"),
        *("mistral/ministral-14b-2512", "xai/grok-4", "groq/llama", "deepseek/deepseek-chat"),
        *("together_ai/qwen", "fireworks_ai/qwen", "deepinfra/qwen", "moonshot/kimi-k2.5"),
        *("dashscope/qwen3-vl-plus", "hosted_vllm/qwen", "ollama_chat/qwen3-vl:8b"),
    ],
)
async def test_every_providers_way_is_guarded(name, monkeypatch, tmp_path):
    """No redirect is followed, no call made twice, no endless body read: whoever's code it is."""
    for variable, value in CREDENTIALS.items():
        monkeypatch.setenv(variable, value)
    asked, sent = [], []

    async def moved(request):
        asked.append(request.path)
        raise web.HTTPTemporaryRedirect("/elsewhere")

    async def endless(request):
        reply = web.StreamResponse(headers={"Content-Type": "application/json"})
        await reply.prepare(request)
        try:
            for _ in range(64):
                await reply.write(b" " * 2**20)
                sent.append(2**20)
        except ConnectionError:
            pass
        return reply

    async def failing(request):
        asked.append(request.path)
        return web.json_response({"error": {"message": "overloaded"}}, status=500)

    async def dropping(request):
        asked.append(request.path)
        request.transport.close()
        return web.Response()

    app = web.Application()
    app.router.add_post("/failing/{path:.*}", failing)
    app.router.add_post("/dropping/{path:.*}", dropping)
    app.router.add_post("/moved/{path:.*}", moved)
    app.router.add_post("/endless/{path:.*}", endless)
    app.router.add_route("*", "/elsewhere", moved)
    server = TestServer(app)
    await server.start_server()
    own = tmp_path / "own.yaml"
    own.write_text(f'models: {{"{name}": {{base_url: "http://x/v1"}}}}')
    # These are served by nobody but their owners.
    files = [own] if name.startswith(("hosted_vllm", "ollama")) else []
    entry = load_catalogue(*files).resolve(name, "x")
    if entry.api_key_env is not None:
        monkeypatch.setenv(entry.api_key_env, KEY)
    kinds = {}
    for way in ("moved", "failing", "dropping", "endless"):
        model = replace(entry, base_url=str(server.make_url(f"/{way}")), timeout_s=60.0)
        kinds[way] = (await ask(model, request_for(model))).error_kind
    await server.close()
    assert kinds == {
        "moved": "bad_request",
        "failing": "server",
        "dropping": "connection",
        "endless": "server",
    }
    assert [path.split("/")[1] for path in asked] == ["moved", "failing", "dropping"]
    # What was on its way when the connection was closed fits the buffers in between.
    assert sum(sent) < 4 * MOST_REPLY_BYTES


@pytest.mark.usefixtures("loopback_key")
@pytest.mark.parametrize(
    ("canned", "kind", "text"),
    [
        (Canned(200, OK + " " * MOST_REPLY_BYTES), "server", ""),
        (Canned(200, BOMB, {"Content-Encoding": "gzip"}), "server", ""),
        (Canned(500, BOMB, {"Content-Encoding": "gzip"}), "server", ""),
        (Canned(200, gzip.compress(OK.encode()), {"Content-Encoding": "gzip"}), "none", "hello"),
        (Canned(200, zlib.compress(OK.encode()), {"Content-Encoding": "deflate"}), "none", "hello"),
        (Canned(200, OK, {"Content-Encoding": "gzip"}), "connection", ""),
        (Canned(200, gzip.compress(OK.encode())[:40], {"Content-Encoding": "gzip"}), "server", ""),
        (Canned(200, OK, {"Content-Encoding": "br"}), "server", ""),
        (Canned(200, OK, {"Content-Encoding": "\x1b[31m, gzip"}), "server", ""),
        (Canned(429, "x" * 5_000_000), "rate_limit", ""),
        (
            Canned(400, '{"error": {"message": "' + "retry in 1" * 500_000 + '"}}'),
            "bad_request",
            "",
        ),
        (Canned(500, "x-ratelimit-" * 400_000), "server", ""),
        (Canned(204, ""), "server", ""),
        (Canned(299, OK), "none", "hello"),
        (Canned(999, OK), "server", ""),
        (Canned(200, OK, {"X-Long": "x" * 100_000}), "connection", ""),
        (Canned(200, OK, {f"X-{i}": "x" for i in range(5000)}), "connection", ""),
    ],
)
async def test_bodies_that_are_too_large_or_not_what_they_say(provider, canned, kind, text):
    with canned_server({"x": canned}) as address:
        reply = await ask_at(f"{address}/x/v1", provider)
    assert (reply.error_kind, reply.text) == (kind, text), reply.error
    assert len(reply.error or "") <= 300


@pytest.mark.parametrize(
    ("canned", "read"),
    [
        (Canned(400, "x" * 5_000_000), MOST_FAILURE_BYTES),
        (Canned(400, BOMB, {"Content-Encoding": "gzip"}), MOST_FAILURE_BYTES),
        (Canned(200, "no JSON " * 500_000), MOST_FAILURE_BYTES),
        (Canned(200, '{"a": [1, 2]}'), 13),
    ],
)
async def test_how_much_litellm_gets_to_read(canned, read):
    guard_litellm()
    handler = AsyncHTTPHandler()
    with canned_server({"x": canned}) as address:
        response = await handler.client.post(f"{address}/x")
    await handler.close()
    assert len(response.content) == read
    assert "content-encoding" not in response.headers


@pytest.mark.usefixtures("loopback_key")
@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n{",
        b"\x00\x1b[31m garbage\r\n\r\n",
        b"HTTP/9.9 abc\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n{}",
        b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 9\r\n\r\n{}",
    ],
)
@pytest.mark.parametrize("is_reset", [False, True])
async def test_a_call_that_broke_is_not_sent_again(provider, sent, is_reset):
    """It may have been billed; whether to ask again is the caller's decision."""
    calls = 0

    async def serve(reader, writer):
        nonlocal calls
        head = await reader.readuntil(b"\r\n\r\n")
        length = next(
            int(line.split(b":")[1])
            for line in head.lower().split(b"\r\n")
            if line.startswith(b"content-length")
        )
        await reader.readexactly(length)
        calls += 1
        writer.write(sent)
        await writer.drain()
        if is_reset:
            linger = struct.pack("ii", 1, 0)
            raw = writer.get_extra_info("socket")
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    reply = await ask_at(f"http://127.0.0.1:{port}/v1", provider)
    server.close()
    assert reply.error_kind in {"connection", "server"}, reply.error
    assert calls == 1


def test_the_guard_lies_below_litellms_clients_once():
    guard_litellm()
    guard_litellm()
    transport = AsyncHTTPHandler.create_async_transport()
    assert type(transport).handle_async_request.__module__ == "mirror_ray.providers.guarded_http"
    assert isinstance(transport, httpx.AsyncBaseTransport)
