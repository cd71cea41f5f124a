"""A call as it goes over the wire, and the client that sends it: no litellm in between."""

import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import aiohttp
from aiohttp.http_exceptions import HttpProcessingError
from yarl import URL

from mirror_ray.providers.bounded_body import ACCEPTED_ENCODING, bounded_body
from mirror_ray.providers.chat_completion import HttpError, completion_of
from mirror_ray.providers.exchange import Exchange
from mirror_ray.providers.redirections import host_of, proxy_for


@dataclass(frozen=True, slots=True)
class HttpCall:
    """A POST.

    Args:
        headers: those of the connection excepted. The key is among them.
    """

    address: str
    headers: Mapping[str, str] = field(repr=False)
    body: bytes = field(repr=False)


class HttpClient:
    """Sends calls to servers that speak OpenAI's protocol; use it on one event loop.

    Args:
        trust: aiohttp's `ssl`: True for the system's certificates, or a context.
    """

    def __init__(self, trust: Any = True) -> None:
        self._trust = trust
        self._session: aiohttp.ClientSession | None = None
        self._routes: dict[str, tuple[URL, str | None]] = {}

    async def completion(self, call: HttpCall, exchange: Exchange) -> Mapping[str, Any]:
        """One POST, and the completion in its reply: typed fields only.

        Raises:
            HttpError: the server refuses the call, or fails.
            RefusedReplyError: a redirect, or a reply that is no completion; `exchange` says why.
            ConnectionError: the connection broke.
        """
        url, proxy = self._route(call.address)
        try:
            async with self._client().post(
                url,
                data=call.body,
                headers={**call.headers, "Accept-Encoding": ACCEPTED_ENCODING},
                allow_redirects=False,
                proxy=proxy,
            ) as response:
                exchange.status = response.status
                encoding = response.headers.get("Content-Encoding", "identity")
                chunks = response.content.iter_any()
                body = await bounded_body(chunks, response.status, encoding, exchange)
        except aiohttp.ClientHttpProxyError as error:
            said = f"the proxy {host_of(str(proxy))} refuses: HTTP {error.status} {error.message}"
            raise ConnectionError(said) from error
        except (aiohttp.ClientError, HttpProcessingError, zlib.error, OSError) as error:
            raise ConnectionError(f"{type(error).__name__}: {error}") from error
        told = {name.lower(): value for name, value in response.headers.items()}
        if response.status // 100 != 2:
            raise HttpError(response.status, told, body.decode("utf-8", "replace"))
        return completion_of(body, told, exchange)

    async def aclose(self) -> None:
        """Closes the connections."""
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
                connector=aiohttp.TCPConnector(limit=0, ssl=self._trust),
                timeout=aiohttp.ClientTimeout(total=None, sock_connect=None),
                auto_decompress=False,
                cookie_jar=aiohttp.DummyCookieJar(),
            )
        return self._session
