"""A model that the run serves, as a Provider asks it: over servers that come, go and move."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest

from mirror_ray.core.types import Reply, Request
from mirror_ray.engine.provider import served_backend
from mirror_ray.engine.provider.served_backend import SERVER_FAILURES_IN_A_ROW, ServedBackend
from mirror_ray.engine.server.messages import ServerFacts, ServerStatus
from mirror_ray.providers.http_call import HttpClient
from mirror_ray.providers.model import Limits, Model

MODEL = Model("own/m", "hosted", "hosted_vllm/m", Limits("own/m (served)"))
REQUEST = Request("episode", 1, "cell", "own/m", "", "?", (), None, None, 5)
PATIENCE_S = 30.0


class Method:
    """A method of a pretended actor, called as Ray's are."""

    def __init__(self, method: Callable[..., Awaitable[object]]) -> None:
        self._method = method

    def remote(self, *arguments: object) -> "asyncio.Task[object]":
        return asyncio.ensure_future(self._method(*arguments))


class Server:
    """The actor of one replica, and the engine behind it."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.now = ServerStatus("loading", "1")
        self.reply = Reply("yes", model_version="m-1")
        self.in_flight = self.most_in_flight = 0
        self.vouched: list[str] = []
        self.suspected: list[tuple[str, str]] = []
        self.answering = asyncio.Event()
        self.answering.set()
        self.status, self.answered = Method(self._status), Method(self._answered)
        self.suspect = Method(self._suspect)

    def ready(self, start: str = "1") -> None:
        facts = ServerFacts("vllm", fingerprint=f"print-{self.name}")
        self.now = ServerStatus("ready", start, url=f"http://{self.name}/v1", facts=facts)

    async def _status(self) -> ServerStatus:
        return self.now

    async def _answered(self, start: str) -> None:
        self.vouched.append(start)

    async def _suspect(self, start: str, why: str) -> None:
        self.suspected.append((start, why))


@pytest.fixture
def servers(monkeypatch):
    there = {name: Server(name) for name in ("a", "b")}

    class Engine:
        def __init__(self, model: Model, *_: object) -> None:
            self._server = there[model.base_url.split("/")[2]]

        async def reply(self, _: Request) -> Reply:
            server = self._server
            server.in_flight += 1
            server.most_in_flight = max(server.most_in_flight, server.in_flight)
            await server.answering.wait()
            await asyncio.sleep(0)
            server.in_flight -= 1
            return server.reply

        async def aclose(self) -> None:
            pass

    monkeypatch.setattr(served_backend, "Hosted", Engine)
    monkeypatch.setattr(served_backend, "LOOK_EVERY_S", 0.01)
    return there


def backend_over(servers: dict[str, Server], missing: set[str] = frozenset()) -> ServedBackend:
    def find(name: str) -> Server:
        if name in missing:
            raise ValueError(f"no actor {name}")
        return servers[name]

    return ServedBackend(MODEL, list(servers), frozenset(), HttpClient(), find)


async def test_an_ask_waits_until_a_server_is_ready(servers):
    backend = backend_over(servers)
    waiting = asyncio.create_task(backend.available())
    await asyncio.sleep(0.05)
    assert not waiting.done()
    servers["b"].ready()
    assert await asyncio.wait_for(waiting, PATIENCE_S) is None
    reply = await backend.reply(REQUEST)
    assert (reply.text, reply.model_version) == ("yes", "m-1; server print-b")


async def test_a_server_that_is_not_there_yet_is_found_later(servers):
    missing = {"a", "b"}
    backend = backend_over(servers, missing)
    servers["a"].ready()
    waiting = asyncio.create_task(backend.available())
    await asyncio.sleep(0.05)
    assert not waiting.done()
    missing.clear()
    assert await asyncio.wait_for(waiting, PATIENCE_S) is None


async def both_ready(servers) -> ServedBackend:
    for server in servers.values():
        server.ready()
    backend = backend_over(servers)
    async with asyncio.timeout(PATIENCE_S):
        await backend.available()
    return backend


async def test_calls_go_to_the_server_with_the_fewest_in_flight(servers):
    backend = await both_ready(servers)
    await asyncio.gather(*(backend.reply(REQUEST) for _ in range(10)))
    assert [server.most_in_flight for server in servers.values()] == [5, 5]
    servers["a"].answering.clear()
    held = asyncio.create_task(backend.reply(REQUEST))
    await asyncio.sleep(0)
    servers["a"].most_in_flight = servers["b"].most_in_flight = 0
    for _ in range(4):
        await backend.reply(REQUEST)
    assert (servers["a"].most_in_flight, servers["b"].most_in_flight) == (0, 1)
    servers["a"].answering.set()
    await held


async def test_its_actor_hears_once_that_a_start_has_answered(servers):
    backend = await both_ready(servers)
    for _ in range(6):
        await backend.reply(REQUEST)
    await asyncio.sleep(0)
    assert [*servers["a"].vouched, *servers["b"].vouched].count("1") <= 2
    assert servers["a"].vouched == ["1"]


GARBAGE = Reply("", error_kind="server", error="the reply is not a JSON object")


async def test_a_server_whose_calls_fail_in_a_row_is_left_until_it_has_started_again(servers):
    backend = await both_ready(servers)
    servers["b"].now = replace(servers["b"].now, state="waiting")
    backend = backend_over({"a": servers["a"]})
    await asyncio.wait_for(backend.available(), PATIENCE_S)
    servers["a"].reply = GARBAGE
    for _ in range(SERVER_FAILURES_IN_A_ROW):
        reply = await backend.reply(REQUEST)
        assert reply.error_kind == "server"
    await asyncio.sleep(0)
    why = f"{SERVER_FAILURES_IN_A_ROW} calls in a row failed: {GARBAGE.error}"
    assert servers["a"].suspected == [("1", why)]
    waiting = asyncio.create_task(backend.available())
    await asyncio.sleep(0.05)
    assert not waiting.done(), "it says that it is ready, but it is the same start"
    servers["a"].ready("2")
    servers["a"].reply = Reply("yes")
    assert await asyncio.wait_for(waiting, PATIENCE_S) is None
    assert (await backend.reply(REQUEST)).error_kind == "none"


async def test_a_broken_connection_alone_is_no_suspicion(servers):
    backend = await both_ready(servers)
    broken = Reply("", error_kind="connection", error="reset")
    servers["a"].reply = broken
    kinds = [(await backend.reply(REQUEST)).error_kind for _ in range(4)]
    assert kinds.count("connection") == 1
    assert servers["a"].suspected == []


async def test_a_model_that_is_set_aside_fails_at_once_and_stops_alone(servers):
    backend = backend_over(servers)
    waiting = asyncio.create_task(backend.available())
    await asyncio.sleep(0.02)
    backend.set_aside("own/m: its server failed for good: no memory")
    reply = await asyncio.wait_for(waiting, PATIENCE_S)
    assert (reply.error_kind, reply.attempts, reply.closed_scope) == (
        "connection",
        0,
        "model:own/m",
    )
    assert reply.error == "own/m: its server failed for good: no memory"


async def test_without_a_ready_server_a_call_fails_and_may_be_made_again(servers):
    reply = await backend_over(servers).reply(REQUEST)
    assert (reply.error_kind, reply.cost_usd) == ("connection", 0.0)
