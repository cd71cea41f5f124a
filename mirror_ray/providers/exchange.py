"""The HTTP exchange of one call, passed to the caller around litellm, which would reword it. Also
the body of its reply, from any transport: bounded, decompressed within the bound, not
redirected."""

import zlib
from collections.abc import AsyncIterator, Callable, Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TypeAlias

from mirror_ray.core.error_kinds import ErrorKind

StandIn: TypeAlias = Callable[[str, Mapping[str, str], bytes], bytes]
"""Returns the reply's body for a call that is not made, given its address, headers and body."""


class RefusedReplyError(Exception):
    """The transport rejects the server's response."""


@dataclass(slots=True)
class Exchange:
    """What the transport learns while the call is in flight.

    Args:
        may_be_shed: the call is made at a tier without promised capacity.
        status: of the server's reply, if any.
        refused: error kind and line, if the transport rejected the reply.
        sent: addresses of POST requests.
        failure: the error that broke the connection, if any.
        ignored: paths of the fields that were not of their type or within their bounds.
        stand_in: replaces the server; nothing is sent.
    """

    may_be_shed: bool = False
    status: int | None = None
    refused: tuple[ErrorKind, str] | None = None
    ignored: tuple[str, ...] = ()
    sent: set[str] = field(default_factory=set)
    failure: Exception | None = None
    stand_in: StandIn | None = None

    def refuse(self, kind: ErrorKind, error: str) -> RefusedReplyError:
        """Return the exception to raise, which litellm converts into another one."""
        self.refused = (kind, error)
        return RefusedReplyError(error)


EXCHANGE: ContextVar[Exchange | None] = ContextVar("EXCHANGE", default=None)
"""The exchange of the current task's call."""


MOST_REPLY_BYTES = 8 * 2**20
"""A larger body is refused; the longest replies of models are a tenth as large."""
MOST_FAILURE_BYTES = 8 * 2**10
"""How much of a failure's body is read; the reason is at its beginning."""

ACCEPTED_ENCODING = "gzip"
"""Other encodings cannot be decompressed within a bound."""

_ZLIB_OR_GZIP = 47


async def bounded_body(
    chunks: AsyncIterator[bytes], status: int, encoding: str, exchange: Exchange
) -> bytes:
    """Return the decompressed body; for a failure only its beginning.

    Args:
        chunks: as they were sent.
        encoding: the header Content-Encoding.

    Raises:
        RefusedReplyError: a redirect, a reply beyond its bound, or an unknown compression.
        zlib.error: it is not compressed as it states.
    """
    if status // 100 == 3:
        raise exchange.refuse(
            "bad_request",
            f"the server redirects the call (status {status}), which is not "
            "followed: the request is for the catalogue's address alone; correct base_url",
        )
    encoding = encoding.strip().lower()
    if encoding not in {"identity", "gzip", "x-gzip", "deflate", ""}:
        raise exchange.refuse("server", "the reply is compressed in a way that was not asked for")
    inflate = None if encoding in {"identity", ""} else zlib.decompressobj(_ZLIB_OR_GZIP)
    is_reply = status // 100 == 2
    most = MOST_REPLY_BYTES if is_reply else MOST_FAILURE_BYTES
    body = bytearray()
    async for chunk in chunks:
        # A small body may decompress to any size.
        body += chunk if inflate is None else inflate.decompress(chunk, most + 1 - len(body))
        if len(body) > most:
            break
    if len(body) > most and is_reply:
        raise exchange.refuse("server", f"the reply is larger than {most // 2**20} MiB")
    return bytes(body[:most])
