"""Connections of the study's server: those that send no whole request cannot keep others out."""

import asyncio

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware

from mirror_ray.viewer.few_silent import MOST_SILENT


class FewSilent:
    """Closes the oldest of too many silent connections of an aiohttp server.

    An application gets `middleware`; once its runner is set up, `listen` takes the runner's place.
    """

    def __init__(self) -> None:
        self._answered: set[asyncio.BaseTransport] = set()

    @property
    def middleware(self) -> Middleware:
        """Notes which connections have sent a request, for as long as it is answered."""

        @web.middleware
        async def note(request: web.Request, handler: Handler) -> web.StreamResponse:
            transport = request.transport
            if transport is None:
                return await handler(request)
            self._answered.add(transport)
            try:
                return await handler(request)
            finally:
                self._answered.discard(transport)

        return note

    async def listen(self, runner: web.AppRunner, host: str, port: int) -> asyncio.Server:
        """Listen for the application of `runner`.

        Raises:
            OSError: the port is taken or not allowed, or the host is none of this machine.
        """
        served = runner.server
        if served is None:
            raise ValueError("the runner is not set up")

        def connection() -> asyncio.Protocol:
            there = (one.transport for one in served.connections)
            silent = [
                one
                for one in there
                if one is not None and not one.is_closing() and one not in self._answered
            ]
            for oldest in silent[: max(0, len(silent) - MOST_SILENT)]:
                oldest.abort()
            return served()

        # As many as wait are accepted at once: with the silent ones they fit into the lowest
        # usual limit of descriptors, 256.
        return await asyncio.get_running_loop().create_server(
            connection, host, port, backlog=MOST_SILENT
        )
