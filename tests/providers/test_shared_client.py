"""Hundreds of models share one client: few connections, and to each call its own key."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field, replace
from time import monotonic

import pytest
from aiohttp import web

from mirror_ray.providers import http_call
from mirror_ray.providers.hosted import Hosted
from mirror_ray.providers.http_call import HttpClient
from mirror_ray.providers.model import Limits, Model
from support.providers.hosted_asks import request_of

N_MODELS, AT_ONCE = 300, 8


@dataclass
class Server:
    """Counts connections, and notes with which key each model was called."""

    base_url: str = ""
    connections: set[asyncio.Transport] = field(default_factory=set)
    keys: dict[str, str | None] = field(default_factory=dict)

    async def answer(self, request: web.Request) -> web.Response:
        assert request.transport is not None
        self.connections.add(request.transport)
        model = (await request.json())["model"]
        self.keys[model] = request.headers.get("Authorization")
        await asyncio.sleep(0.001)
        choice = {"message": {"role": "assistant", "content": "red"}, "finish_reason": "stop"}
        return web.json_response(
            {"choices": [choice], "model": model}, headers={"Set-Cookie": f"session={model}"}
        )


@pytest.fixture
async def server() -> AsyncIterator[Server]:
    server = Server()
    app = web.Application()
    app.router.add_post("/v1/chat/completions", server.answer)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    server.base_url = f"http://127.0.0.1:{runner.addresses[0][1]}/v1"
    yield server
    await runner.cleanup()


@pytest.mark.parametrize("provider", ["hosted_vllm", "openai"])
async def test_models_share_connections_but_no_keys(
    server: Server, provider: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    client, at_once = HttpClient(), asyncio.Semaphore(AT_ONCE)

    async def ask(number: int) -> str:
        monkeypatch.setenv(f"KEY_{number}", f"secret-of-{number:03}")
        plain = Model(f"m{number}", "hosted", f"{provider}/m{number}", Limits("all"))
        model = replace(plain, base_url=server.base_url, api_key_env=f"KEY_{number}")
        async with at_once:
            return (await Hosted(model, client=client).reply(request_of("?", images=()))).error_kind

    kinds = await asyncio.gather(*map(ask, range(N_MODELS)))
    await client.aclose()
    assert set(kinds) == {"none"}
    assert server.keys == {f"m{n}": f"Bearer secret-of-{n:03}" for n in range(N_MODELS)}
    assert len(server.connections) <= AT_ONCE


async def test_a_model_without_a_key_is_called_without_one(server: Server) -> None:
    client = HttpClient()
    model = Model("m", "hosted", "hosted_vllm/m", Limits("m"), base_url=server.base_url)
    for headers in ({"X-Key": "one"}, {}):
        backend = Hosted(replace(model, extra={"extra_headers": headers}), client=client)
        assert (await backend.reply(request_of("?", images=()))).error_kind == "none"
    await client.aclose()
    assert len(server.connections) == 1


async def test_connections_of_a_busier_time_are_closed(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http_call, "IDLE_S", 1.0)
    client = HttpClient()
    model = Model("m", "hosted", "hosted_vllm/m", Limits("m"), base_url=server.base_url)
    backend = Hosted(model, client=client)

    async def ask(_: int) -> None:
        assert (await backend.reply(request_of("?", images=()))).error_kind == "none"

    await asyncio.gather(*map(ask, range(AT_ONCE)))
    assert len(server.connections) == AT_ONCE
    # Calls frequent enough to use each connection again before it has been idle for long.
    n_open, ends_s = AT_ONCE, monotonic() + 10
    while n_open > 1 and monotonic() < ends_s:
        await ask(0)
        await asyncio.sleep(0.02)
        n_open = sum(not one.is_closing() for one in server.connections)
    await client.aclose()
    assert n_open == 1
