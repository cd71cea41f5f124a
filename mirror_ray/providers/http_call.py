"""A call as sent over the wire, and the client that sends it, without litellm in between."""

import zlib
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import aiohttp
from aiohttp.http_exceptions import HttpProcessingError
from yarl import URL

from mirror_ray.providers.chat_completion import HttpError, completion_of
from mirror_ray.providers.exchange import ACCEPTED_ENCODING, Exchange, bounded_body
from mirror_ray.providers.redirections import host_of, proxy_for

IDLE_S = 15.0
"""An unused connection is closed after this time."""


@dataclass(frozen=True, slots=True)
class HttpCall:
    """A POST. Its headers include the key, but not those of the connection."""

    address: str
    headers: Mapping[str, str] = field(repr=False)
    body: bytes = field(repr=False)


class _NewestFirst(aiohttp.TCPConnector):
    """Reuses the connection that was released last, so that the ones opened in a busier time
    become idle and are closed. aiohttp itself reuses the oldest, which keeps all of them open."""

    async def _get(self, key: Any, *rest: Any) -> Any:
        if released := self._conns.get(key):
            released.rotate()
        return await super()._get(key, *rest)


class HttpClient:
    """Sends requests to providers' servers, on one event loop. Models may share it: calls reuse
    idle connections with the same origin, proxy and trust (aiohttp's `ssl`), and each brings its
    own key."""

    def __init__(self) -> None:
        self._session: aiohttp.ClientSession | None = None
        self._routes: dict[str, tuple[URL, str | None]] = {}

    async def completion(
        self, call: HttpCall, exchange: Exchange, trust: Any = True
    ) -> Mapping[str, Any]:
        """POST once, and return the typed fields of the completion in the reply. Raise the errors
        of `exchange`, or RefusedReplyError if the reply has no completion."""
        headers, body = await self.exchange(
            "POST", call.address, call.headers, exchange, data=call.body, ssl=trust
        )
        return completion_of(body, headers, exchange)

    async def exchange(
        self, method: str, address: str, headers: Mapping[str, str], exchange: Exchange, **sent: Any
    ) -> tuple[Mapping[str, str], bytes]:
        """Make one request; return headers, by lower-case names, and body of its reply.

        Raises:
            HttpError: the server refuses the request, or fails.
            RefusedReplyError: a redirect, or a body beyond its bound; `exchange` says why.
            ConnectionError: the connection broke.
        """
        given = {**headers, "Accept-Encoding": ACCEPTED_ENCODING}
        async with self.response(method, address, given, **sent) as response:
            exchange.status = response.status
            encoding = response.headers.get("Content-Encoding", "identity")
            chunks = response.content.iter_any()
            body = await bounded_body(chunks, response.status, encoding, exchange)
        told = {name.lower(): value for name, value in response.headers.items()}
        if response.status // 100 != 2:
            raise HttpError(response.status, told, body.decode("utf-8", "replace"))
        return told, body

    @asynccontextmanager
    async def response(
        self, method: str, address: str, headers: Mapping[str, str], **sent: Any
    ) -> AsyncIterator[aiohttp.ClientResponse]:
        """Make one request and yield its unread response. Raise ConnectionError if the connection
        breaks."""
        url, proxy = self._route(address)
        try:
            async with self._client().request(
                method, url, headers=headers, allow_redirects=False, proxy=proxy, **sent
            ) as response:
                yield response
        except aiohttp.ClientHttpProxyError as error:
            said = f"the proxy {host_of(str(proxy))} refuses: HTTP {error.status} {error.message}"
            raise ConnectionError(said) from error
        except (aiohttp.ClientError, HttpProcessingError, zlib.error, OSError) as error:
            raise ConnectionError(f"{type(error).__name__}: {error}") from error

    async def aclose(self) -> None:
        """Close the connections."""
        if self._session is not None:
            await self._session.close()

    def _route(self, address: str) -> tuple[URL, str | None]:
        if address not in self._routes:
            # The path is sent as the catalogue states it: quoting some characters again would name
            # another path.
            url = URL(address, encoded=address.isascii())
            self._routes[address] = (url, proxy_for(address))
        return self._routes[address]

    def _client(self) -> aiohttp.ClientSession:
        if self._session is None:
            # The Limiter bounds the number of calls, and each attempt its total time.
            self._session = aiohttp.ClientSession(
                connector=_NewestFirst(limit=0, keepalive_timeout=IDLE_S),
                timeout=aiohttp.ClientTimeout(total=None),
                auto_decompress=False,
                cookie_jar=aiohttp.DummyCookieJar(),
            )
        return self._session


def headers_with_key(keys: Mapping[str, Any]) -> dict[str, str]:
    """Return the headers by which a server that speaks OpenAI's protocol identifies its caller."""
    bearer = {"Authorization": f"Bearer {keys['api_key']}"} if "api_key" in keys else {}
    return {**bearer, **keys.get("extra_headers", {})}
