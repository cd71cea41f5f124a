"""What a hostile answer is made of: a calm completion that is changed, a body, or bare bytes.

Knows what goes over the wire; does not know which ways there are.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from struct import pack
from typing import Any, Literal, TypeAlias

from aiohttp import web
from multidict import CIMultiDict

from mirror_ray.providers.mock.chat_wire import DecodedCall, completion


@dataclass(frozen=True, slots=True)
class Asked:
    """One call at the server.

    Args:
        words: what an offline agent replies to it.
        elsewhere: the address of another host, which nobody may be sent to.
    """

    request: web.Request
    call: DecodedCall
    words: str
    elsewhere: str

    @property
    def key(self) -> str:
        return self.call.authorization.removeprefix("Bearer ")

    @property
    def body(self) -> dict[str, Any]:
        """A calm reply's body."""
        return completion(self.call, self.words, model="calm-1")


Way: TypeAlias = Callable[[Asked], Awaitable[web.StreamResponse]]
Made: TypeAlias = Callable[[Asked], Any]
Headers: TypeAlias = Mapping[str, str] | Iterable[tuple[str, str]]

JSON = "application/json"


def sent(make: Made, status: int = 200, headers: Headers = (), content_type: str = JSON) -> Way:
    """A body: bytes or text as they are, all else as JSON, with Python's ``NaN``."""

    async def answer(asked: Asked) -> web.StreamResponse:
        all_headers = CIMultiDict(headers)
        all_headers.setdefault("Content-Type", content_type)
        return web.Response(body=as_bytes(make(asked)), status=status, headers=all_headers)

    return answer


def as_bytes(made: object) -> bytes:
    if isinstance(made, bytes):
        return made
    if isinstance(made, str):
        return made.encode("utf-8", "surrogatepass")
    return json.dumps(made).encode()


def calm(headers: Headers = (), **changes: Any) -> Way:
    """A calm body under other headers."""
    return sent(lambda asked: asked.body, headers=headers, **changes)


def put(path: str, value: object) -> Way:
    """A calm body in which one place holds something else.

    Args:
        path: keys and positions, e.g. ``choices.0.message.content``.
        value: what stands there; a function makes it from what was asked.
    """
    return sent(lambda asked: changed(asked, {path: value}))


def put_all(**values: object) -> Way:
    """As `put`, at the top."""
    return sent(lambda asked: changed(asked, values))


def in_message(**fields: object) -> Way:
    """A calm body whose message has these fields."""
    return sent(
        lambda asked: changed(
            asked, {f"choices.0.message.{name}": value for name, value in fields.items()}
        )
    )


def in_choice(**fields: object) -> Way:
    """A calm body whose choice has these fields."""
    return sent(
        lambda asked: changed(asked, {f"choices.0.{name}": value for name, value in fields.items()})
    )


def in_usage(**fields: object) -> Way:
    """A calm body whose usage has these fields."""
    return sent(
        lambda asked: changed(asked, {f"usage.{name}": value for name, value in fields.items()})
    )


def said(text: str | Callable[[Asked], str]) -> Way:
    """A calm body in which the model says something else."""
    return put("choices.0.message.content", text)


def literal(path: str, text: str) -> Way:
    """A calm body in which one place holds a literal that Python would not write."""
    mark = "literal-goes-here"
    return sent(
        lambda asked: json.dumps(changed(asked, {path: mark})).replace(json.dumps(mark), text)
    )


def changed(asked: Asked, values: Mapping[str, object]) -> dict[str, Any]:
    body = asked.body
    for path, value in values.items():
        *way, last = path.split(".")
        place: Any = body
        for step in way:
            place = place[int(step)] if isinstance(place, list) else place.setdefault(step, {})
        place[int(last) if isinstance(place, list) else last] = (
            value(asked) if callable(value) else value
        )
    return body


def without(path: str) -> Way:
    """A calm body that lacks one key."""

    def make(asked: Asked) -> dict[str, Any]:
        body = asked.body
        *way, last = path.split(".")
        place: Any = body
        for step in way:
            place = place[int(step)] if isinstance(place, list) else place[step]
        del place[last]
        return body

    return sent(make)


def failed(
    status: int, message: object, code: object = "server_error", headers: Headers = ()
) -> Way:
    """An error in OpenAI's shape; a function makes the message from what was asked."""
    return sent(
        lambda asked: {
            "error": {
                "message": message(asked) if callable(message) else message,
                "type": code,
                "code": code,
            }
        },
        status=status,
        headers=headers,
    )


End: TypeAlias = Literal["close", "reset", "linger", "hang"]
LINGER_S = 1.0
"""Long enough for a caller to take the connection for one that can be used again."""


def raw(*parts: bytes | Callable[[Asked], bytes], end: End = "close", pause_s: float = 0.0) -> Way:
    """Bytes as they are, in place of a response.

    Args:
        end: what happens to the connection then.
        pause_s: between the parts.
    """

    async def answer(asked: Asked) -> web.StreamResponse:
        transport = asked.request.transport
        if transport is None:
            return web.Response()
        for part in parts:
            if transport.is_closing():
                break
            transport.write(part(asked) if callable(part) else part)
            await asyncio.sleep(pause_s)
        if end in ("hang", "linger"):
            await asyncio.sleep(3600 if end == "hang" else LINGER_S)
        if end == "reset":
            _reset_at_close(transport)
            transport.abort()
        transport.close()
        return web.Response()

    return answer


def dripped(parts: Callable[[], Iterable[bytes]], pause_s: float) -> Way:
    """Bytes in place of a response, made one after another until the caller hangs up."""

    async def answer(asked: Asked) -> web.StreamResponse:
        transport = asked.request.transport
        for part in parts():
            if transport is None or transport.is_closing():
                break
            transport.write(part)
            await asyncio.sleep(pause_s)
        if transport is not None:
            transport.close()
        return web.Response()

    return answer


def _reset_at_close(transport: asyncio.BaseTransport) -> None:
    import socket

    connection = transport.get_extra_info("socket")
    with suppress(OSError):
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, pack("ii", 1, 0))


def head(*lines: str, status: str = "HTTP/1.1 200 OK") -> bytes:
    """A response's bytes up to its body."""
    return "\r\n".join([status, *lines, "", ""]).encode("utf-8", "surrogatepass")


def whole(asked: Asked) -> bytes:
    """A calm response as bytes."""
    body = as_bytes(asked.body)
    return head(f"Content-Type: {JSON}", f"Content-Length: {len(body)}") + body
