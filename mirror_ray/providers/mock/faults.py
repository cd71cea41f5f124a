"""The faults with which a mock provider sometimes responds instead of a reply."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from types import MappingProxyType
from typing import TypeAlias

from aiohttp import web

from mirror_ray.providers.mock.chat_wire import DecodedCall, completion, failure, rate_limited

_Fault: TypeAlias = Callable[[web.Request, DecodedCall, str], Awaitable[web.StreamResponse]]
"""(request, its text, the reply that would have been sent) → the faulty response."""

_SPURIOUS_WAIT_S = 0.2


async def _too_many(_: web.Request, __: DecodedCall, ___: str) -> web.StreamResponse:
    return rate_limited(_SPURIOUS_WAIT_S)


async def _broken(_: web.Request, __: DecodedCall, ___: str) -> web.StreamResponse:
    return failure(500, "The server had an error", "server_error")


async def _overloaded(_: web.Request, __: DecodedCall, ___: str) -> web.StreamResponse:
    return failure(503, "The engine is overloaded", "overloaded")


async def _drop(request: web.Request, _: DecodedCall, __: str) -> web.StreamResponse:
    if request.transport is not None:
        request.transport.close()
    return web.Response()


async def _stall(_: web.Request, __: DecodedCall, ___: str) -> web.StreamResponse:
    await asyncio.Event().wait()
    raise AssertionError("nobody sets the event")


async def _garbage(_: web.Request, call: DecodedCall, text: str) -> web.StreamResponse:
    whole = web.json_response(completion(call, text, model=call.model)).text or ""
    return web.Response(text=whole[: len(whole) // 2], content_type="application/json")


FAULTS: Mapping[str, _Fault] = MappingProxyType(
    {
        "429": _too_many,
        "500": _broken,
        "503": _overloaded,
        "drop": _drop,
        "stall": _stall,
        "garbage": _garbage,
    }
)
