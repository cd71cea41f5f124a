"""Connections that send no whole request keep nobody out of a page."""

import asyncio
import http.client
import socket
from collections.abc import Iterator
from contextlib import suppress
from threading import Thread

import pytest
from aiohttp import web

from mirror_ray.audit.page import AuditServer
from mirror_ray.audit.sheet import ShownItem
from mirror_ray.pages.few_silent_async import FewSilent
from mirror_ray.pages.handler import MOST_SILENT

CONNECTIONS = 4 * MOST_SILENT


def audit_page() -> Iterator[int]:
    items = [ShownItem("a" * 16, "is it right?", "a task", "a key", "a reply")]
    with AuditServer(items, {}, dict, 0) as server:
        thread = Thread(target=server.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        yield server.server_address[1]
        server.shutdown()
        thread.join()


def aiohttp_page() -> Iterator[int]:
    async def page(_: web.Request) -> web.Response:
        return web.Response(text="a page")

    few = FewSilent()
    app = web.Application(middlewares=[few.middleware])
    app.add_routes([web.get("/", page)])
    loop = asyncio.new_event_loop()

    async def begin() -> tuple[web.AppRunner, asyncio.Server]:
        runner = web.AppRunner(app, shutdown_timeout=0.1)
        await runner.setup()
        return runner, await few.listen(runner, "127.0.0.1", 0)

    runner, server = loop.run_until_complete(begin())
    thread = Thread(target=loop.run_forever, daemon=True)
    thread.start()
    yield server.sockets[0].getsockname()[1]
    # Not from this thread: a server may be closing a connection just now.
    loop.call_soon_threadsafe(server.close)
    asyncio.run_coroutine_threadsafe(runner.cleanup(), loop).result(20)
    loop.call_soon_threadsafe(loop.stop)
    thread.join()
    loop.close()


@pytest.fixture(params=[audit_page, aiohttp_page])
def port(request: pytest.FixtureRequest) -> Iterator[int]:
    yield from request.param()


def test_the_oldest_silent_connections_are_closed_and_a_request_is_answered(port: int) -> None:
    silent = [socket.create_connection(("127.0.0.1", port), timeout=20) for _ in range(CONNECTIONS)]
    for one in silent:
        try:
            one.sendall(b"GET / HTTP/1.1\r\nHost: 127")
        except OSError:
            continue
    asked = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    asked.request("GET", "/")
    assert asked.getresponse().status == 200
    # Each was closed as a later one came; some dozens may be accepted at once.
    for one in silent[: CONNECTIONS - 2 * MOST_SILENT]:
        with suppress(ConnectionError):
            assert one.recv(1) == b""
    for one in (*silent, asked):
        one.close()


def test_a_connection_that_asks_again_and_again_stays(port: int) -> None:
    asked = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    for _ in range(3):
        asked.request("GET", "/")
        reply = asked.getresponse()
        assert reply.status == 200
        reply.read()
        local = asked.sock.getsockname()
    assert local == asked.sock.getsockname()
    asked.close()
