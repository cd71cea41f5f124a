"""A model that is called by another package's backend, whose results are read like any server's
reply."""

import asyncio
import json
from collections.abc import Mapping
from typing import Any

from mirror_ray.core.types import Request
from mirror_ray.providers.chat_backend import BACKENDS, Call, ChatBackend
from mirror_ray.providers.chat_completion import completion_of
from mirror_ray.providers.exchange import MOST_REPLY_BYTES, Exchange
from mirror_ray.providers.hosted_call import call_parameters, request_body
from mirror_ray.providers.model import Model


class PluggedEndpoint:
    """An `Endpoint` around the `ChatBackend` of a model's plug-in; used on one event loop."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._backend: ChatBackend | None = None

    async def completion(
        self, request: Request, keys: Mapping[str, Any], exchange: Exchange
    ) -> Mapping[str, Any]:
        """Make one attempt of the backend, and return the typed fields of its completion. Raise
        RefusedReplyError if it returns no completion; `exchange` then has the reason. Exceptions of
        the backend pass through."""
        if self._backend is None:
            # Here, an error of the backend fails only this request.
            self._backend = BACKENDS[self._model.plugin or ""](self._model)
        parameters = call_parameters(request, self._model)
        call = Call(
            body=request_body(parameters, self._model.target),
            api_key=keys.get("api_key"),
            headers={**parameters.get("extra_headers", {}), **keys.get("extra_headers", {})},
        )
        try:
            said = await self._backend.complete(call)
        except (SystemExit, asyncio.CancelledError) as left:
            task = asyncio.current_task()
            if isinstance(left, asyncio.CancelledError) and task and task.cancelling():
                raise
            raise RuntimeError(f"the backend {self._model.plugin} gave up: {left!r}") from left
        return completion_of(self._bytes(said, exchange), {}, exchange)

    async def aclose(self) -> None:
        """Close the backend."""
        if self._backend is not None:
            await self._backend.aclose()

    def _bytes(self, said: object, exchange: Exchange) -> bytes:
        if isinstance(said, Mapping):
            try:
                said = json.dumps(dict(said)).encode()
            except (TypeError, ValueError, RecursionError) as error:
                raise exchange.refuse(
                    "server", f"the backend {self._model.plugin} returned no JSON: {error}"
                ) from error
        if not isinstance(said, bytes):
            kind = type(said).__name__
            raise exchange.refuse(
                "server", f"the backend {self._model.plugin} returned {kind}, no completion"
            )
        if len(said) > MOST_REPLY_BYTES:
            raise exchange.refuse("server", f"the reply exceeds {MOST_REPLY_BYTES // 2**20} MiB")
        return said
