"""The HTTP exchange of one call, passed to the caller around litellm, which would reword it."""

from collections.abc import Callable, Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TypeAlias

from mirror_ray.core.error_kinds import ErrorKind

StandIn: TypeAlias = Callable[[str, Mapping[str, str], bytes], bytes]
"""(address, headers, body) of a call that is not made → the body of its reply."""


class RefusedReplyError(Exception):
    """The transport rejects the server's response."""


@dataclass(slots=True)
class Exchange:
    """What the transport learns while the call is in flight.

    Args:
        may_be_shed: it is made at a tier without promised capacity.
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
        """The exception to raise, which litellm converts into another one."""
        self.refused = (kind, error)
        return RefusedReplyError(error)


EXCHANGE: ContextVar[Exchange | None] = ContextVar("EXCHANGE", default=None)
"""The exchange of the current task's call."""
