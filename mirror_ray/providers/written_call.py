"""A call as litellm would make it, without making it."""

from collections.abc import Mapping
from typing import Any

from mirror_ray.core.types import Request
from mirror_ray.providers.exchange import Exchange, RefusedReplyError
from mirror_ray.providers.http_call import HttpCall
from mirror_ray.providers.litellm_endpoint import LitellmEndpoint

_OF_THE_CONNECTION = frozenset(
    {"accept-encoding", "connection", "content-length", "host", "transfer-encoding"}
)


async def written_call(
    endpoint: LitellmEndpoint, request: Request, keys: Mapping[str, Any]
) -> HttpCall | None:
    """The call by which litellm would send a request; None if it would send none.

    Raises:
        Exception: litellm's, for a request that it does not send.
    """
    kept: list[HttpCall] = []

    def keep(address: str, headers: Mapping[str, str], body: bytes) -> bytes:
        given = {name.lower(): value for name, value in headers.items()}
        own = {name: value for name, value in given.items() if name not in _OF_THE_CONNECTION}
        kept.append(HttpCall(address, own, body))
        raise RefusedReplyError("the call is not made")

    try:
        await endpoint.completion(request, keys, Exchange(stand_in=keep))
    except Exception:
        if not kept:
            raise
    return kept[0] if kept else None
