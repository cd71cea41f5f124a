"""The HTTP transport below litellm. Requests reach only their own server, and replies are bounded.
It applies to every client that litellm creates in this process."""

import zlib
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import cast

import httpx
from aiohttp import ClientError
from aiohttp.http_exceptions import HttpProcessingError
from litellm.llms.custom_httpx.aiohttp_transport import LiteLLMAiohttpTransport
from litellm.llms.custom_httpx.http_handler import AsyncHTTPHandler

from mirror_ray.providers.completion_body import plain_body
from mirror_ray.providers.exchange import (
    ACCEPTED_ENCODING,
    EXCHANGE,
    MOST_FAILURE_BYTES,
    Exchange,
    RefusedReplyError,
    bounded_body,
)

_OF_THE_WIRE = frozenset({"content-encoding", "content-length", "transfer-encoding"})

_AS_JSON = {"Content-Type": "application/json"}

_send = LiteLLMAiohttpTransport.handle_async_request


def guard_litellm() -> None:
    """Install the guard below all of litellm's asynchronous clients, existing ones included."""
    LiteLLMAiohttpTransport.handle_async_request = _guarded  # type: ignore[assignment, method-assign]
    # litellm's other transport would bypass the guard.
    AsyncHTTPHandler.should_use_aiohttp_transport = staticmethod(lambda: True)  # type: ignore[method-assign]


async def _guarded(transport: LiteLLMAiohttpTransport, request: httpx.Request) -> httpx.Response:
    """Make one request and return its whole reply, decompressed and with plain values.

    Raises:
        RefusedReplyError: a redirect, a reply beyond its bound, or a repeated call.
        httpx.TimeoutException: unchanged.
        httpx.ReadError: any other failure of the connection.
    """
    exchange = EXCHANGE.get() or Exchange()
    if exchange.stand_in is not None:
        told = exchange.stand_in(str(request.url), request.headers, await request.aread())
        body, exchange.ignored = plain_body(told, MOST_FAILURE_BYTES)
        exchange.status = 200
        return httpx.Response(200, headers=_AS_JSON, content=body, request=request)
    _send_once(request, exchange)
    request.headers["Accept-Encoding"] = ACCEPTED_ENCODING
    try:
        response = await _send(transport, request)
        exchange.status = response.status_code
        try:
            body = await _body(response, exchange)
        finally:
            await response.aclose()
    except httpx.TimeoutException as error:
        exchange.failure = error
        raise
    except (httpx.HTTPError, ClientError, HttpProcessingError, zlib.error) as error:
        exchange.failure = httpx.ReadError(f"{type(error).__name__}: {error}")
        raise exchange.failure from error
    if response.is_success:
        body, exchange.ignored = plain_body(body, MOST_FAILURE_BYTES)
    headers = [
        (name, value) for name, value in response.headers.items() if name not in _OF_THE_WIRE
    ]
    headers.append(("x-should-retry", "false"))
    return httpx.Response(response.status_code, headers=headers, content=body, request=request)


def _send_once(request: httpx.Request, exchange: Exchange) -> None:
    address = str(request.url)
    if request.method == "POST" and address in exchange.sent:
        raise exchange.failure or RefusedReplyError("the call was made already")
    exchange.sent.add(address)


async def _body(response: httpx.Response, exchange: Exchange) -> bytes:
    encoding = response.headers.get("content-encoding", "identity")
    async with aclosing(cast("AsyncGenerator[bytes]", response.aiter_raw())) as chunks:
        return await bounded_body(chunks, response.status_code, encoding, exchange)
