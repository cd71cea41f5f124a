"""Limits how many connections without a complete request the study's server keeps open."""

import asyncio

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware

from mirror_ray.pages.handler import MOST_SILENT


class FewSilent:
    """Close the oldest silent connections of an aiohttp server when there are too many.

    Add `middleware` to the application and call `listen` instead of starting a site."""

    def __init__(self) -> None:
        self._answered: set[asyncio.BaseTransport] = set()

    @property
    def middleware(self) -> Middleware:
        """Record which connections have a request in progress."""

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
        """Start listening for the application of `runner`. Raise OSError if the port is taken or
        not allowed, or the host is not one of this machine."""
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

        # asyncio accepts the whole backlog at once. Backlog and silent connections together stay
        # below 256 descriptors, the lowest usual limit.
        return await asyncio.get_running_loop().create_server(
            connection, host, port, backlog=MOST_SILENT
        )
