"""A model that the run serves, as a Provider calls it while its servers start and end. Each call
goes to the server with the fewest calls in flight from here."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from time import monotonic

from ray import get_actor
from ray.exceptions import RayError

from mirror_ray.core.types import Reply, Request
from mirror_ray.engine.actor_calls import Actor
from mirror_ray.engine.limiter.budget import model_scope
from mirror_ray.engine.limiter.circuit_breaker import DOWN
from mirror_ray.engine.server.messages import ServerStatus
from mirror_ray.providers.backend import Backend
from mirror_ray.providers.hosted import Hosted
from mirror_ray.providers.http_call import HttpClient
from mirror_ray.providers.model import Model

LOOK_EVERY_S = 1.0
_STATUS_WITHIN_S = 5.0

SERVER_FAILURES_IN_A_ROW = 5
"""Calls of one server that fail in a row, after which it is to be restarted."""


@dataclass(slots=True)
class _Server:
    """One replica, as far as this process knows it. `vouched` says that its actor was told that it
    answers."""

    name: str
    actor: Actor | None = None
    start: str = ""
    backend: Backend | None = None
    fingerprint: str = ""
    in_flight: int = 0
    failures: int = 0
    vouched: bool = False


class ServedBackend:
    """A `Backend` over all servers of one model; used on one event loop.

    Args:
        servers: names of their actors, which need not exist yet.
        known, client: as for `Hosted`.
        find: returns an actor by its name; raises ValueError if it does not exist.
    """

    def __init__(
        self,
        model: Model,
        servers: Sequence[str],
        known: frozenset[str],
        client: HttpClient,
        find: Callable[[str], Actor] = get_actor,
    ) -> None:
        self._model = model
        self._servers = [_Server(name) for name in servers]
        self._known, self._client = known, client
        self._find = find
        self._looking: asyncio.Future[list[None]] | None = None
        self._looked_s = -LOOK_EVERY_S
        self._why_gone: str | None = None

    async def available(self) -> Reply | None:
        """Wait until a server is ready; return the request's failure if the model has no server
        left."""
        while self._why_gone is None:
            self._look()
            if self._ready():
                return None
            if self._looking is not None:
                await asyncio.shield(self._looking)
            if not self._ready():
                await asyncio.sleep(LOOK_EVERY_S / 2)
        return Reply(
            "",
            error_kind="connection",
            error=self._why_gone,
            cost_usd=0.0,
            attempts=0,
            closed_scope=model_scope(self._model.name),
        )

    def set_aside(self, why: str) -> None:
        """Fail the requests that wait for the model, because its servers are not restarted."""
        self._why_gone = why

    async def reply(self, request: Request) -> Reply:
        """Make exactly one attempt, at the server with the fewest calls in flight."""
        ready = self._ready()
        if not ready:
            why = "its server has just ended, and is started again"
            return Reply("", error_kind="connection", error=why, cost_usd=0.0)
        server = min(ready, key=lambda one: one.in_flight)
        backend, its_start = server.backend, server.start
        assert backend is not None  # noqa: S101 - as those that are ready have
        server.in_flight += 1
        try:
            reply = await backend.reply(request)
        finally:
            server.in_flight -= 1
        if its_start == server.start:
            self._judge(server, reply)
        version = f"{reply.model_version or self._model.name}; server {server.fingerprint}"
        return replace(reply, model_version=version) if reply.error_kind == "none" else reply

    async def aclose(self) -> None:
        """Close nothing: the client's connections are shared."""

    def _ready(self) -> list[_Server]:
        return [server for server in self._servers if server.backend is not None]

    def _judge(self, server: _Server, reply: Reply) -> None:
        if reply.error_kind not in DOWN:
            server.failures = 0
            if reply.error_kind == "none" and not server.vouched and server.actor is not None:
                server.vouched = True
                server.actor.answered.remote(server.start)
            return
        server.failures += 1
        if server.failures == SERVER_FAILURES_IN_A_ROW and server.actor is not None:
            why = f"{server.failures} calls in a row failed: {reply.error or reply.error_kind}"
            server.actor.suspect.remote(server.start, why)
        if server.failures >= SERVER_FAILURES_IN_A_ROW or reply.error_kind == "connection":
            # Not used again until its actor says that it is ready.
            server.backend = None

    def _look(self) -> None:
        idle = self._looking is None or self._looking.done()
        missing = [server for server in self._servers if server.backend is None]
        if idle and missing and monotonic() - self._looked_s >= LOOK_EVERY_S:
            self._looked_s = monotonic()
            self._looking = asyncio.gather(*(self._read(server) for server in missing))

    async def _read(self, server: _Server) -> None:
        try:
            if server.actor is None:
                server.actor = await asyncio.to_thread(self._find, server.name)
            status: ServerStatus = await asyncio.wait_for(
                server.actor.status.remote(), _STATUS_WITHIN_S
            )
        except (RayError, ValueError, TimeoutError):
            # The actor does not exist yet, has ended, or is in between.
            server.actor = None
            return
        if status.state != "ready" or status.url is None:
            return
        if status.start != server.start:
            server.start, server.failures, server.vouched = status.start, 0, False
        elif server.failures >= SERVER_FAILURES_IN_A_ROW:
            # The actor was told, but has not noticed yet.
            return
        server.fingerprint = status.facts.fingerprint if status.facts else ""
        model = replace(self._model, base_url=status.url)
        server.backend = Hosted(model, self._known, self._client)
