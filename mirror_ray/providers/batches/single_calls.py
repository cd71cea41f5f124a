"""The single calls of a model, without making them: what would be sent, and what a reply's body
means.

Batches carry bodies of single calls and of their replies. litellm writes and reads both over a
stand-in for the network, so that a request has the same prompt, and its reply the same reading,
either way."""

from dataclasses import replace
from typing import Any

from mirror_ray.core.types import Reply, Request
from mirror_ray.providers.batches.wire import WiredBatches
from mirror_ray.providers.exchange import Exchange
from mirror_ray.providers.failed_call import reply_of_exception
from mirror_ray.providers.hosted_reply import reply_of_completion, without_secrets
from mirror_ray.providers.http_call import HttpCall
from mirror_ray.providers.litellm_endpoint import LitellmEndpoint, written_call
from mirror_ray.providers.model import Model

_ANY = Request("", 1, "", "", "", "any", (), {"type": "object", "properties": {}}, None, 16)
"""Replies are read as if to a request with a schema, which finds the text in every field."""


class BatchesOfCalls(WiredBatches):
    """The common part of `BatchService`s whose batches have the bodies of litellm's calls.

    Args:
        model: at its batch tier.
        known: secrets of the process's other models, which no reply may show either.
    """

    def __init__(self, model: Model, known: frozenset[str] = frozenset()) -> None:
        super().__init__(model, known)
        self._endpoint = LitellmEndpoint(model)

    async def _single_call(self, request: Request = _ANY) -> HttpCall:
        """Return the call of a request.

        Raises:
            HttpError: a key is not set.
            Exception: litellm's, for a request that it does not send.
        """
        call = await written_call(self._endpoint, request, self._keys())
        if call is None:
            raise ValueError("litellm wrote no call")
        return call

    async def _reply_of(self, body: bytes) -> Reply:
        """Return the reply in a body, billed as in a batch; the caller sets its time."""
        secrets, exchange = self._secrets, Exchange(stand_in=lambda *_: body)
        try:
            completion: Any = await self._endpoint.completion(_ANY, self._keys(), exchange)
            # A batch is billed as one, even if the reply names another tier.
            completion.service_tier = "batch"
            reply = reply_of_completion(completion, self._model, secrets, exchange)
        except Exception as error:
            reply = reply_of_exception(error, secrets, exchange)
        return without_secrets(replace(reply, quota=None), secrets)
