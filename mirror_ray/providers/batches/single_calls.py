"""A model's single calls, without making one: what would be sent, and what a reply's body means.

Batches carry bodies of single calls and of their replies. litellm writes and reads both over a
stand-in for the network, so that a request has the same prompt, and its reply the same reading,
either way.
"""

from dataclasses import replace
from typing import Any

from mirror_ray.core.types import Reply, Request
from mirror_ray.providers.batches.wire import asking_keys
from mirror_ray.providers.chat_completion import HttpError
from mirror_ray.providers.exchange import Exchange
from mirror_ray.providers.failed_call import reply_of_exception
from mirror_ray.providers.hosted_reply import reply_of_completion, without_secrets
from mirror_ray.providers.http_call import HttpCall
from mirror_ray.providers.litellm_endpoint import LitellmEndpoint
from mirror_ray.providers.model import Model
from mirror_ray.providers.redaction import Secrets
from mirror_ray.providers.written_call import written_call

_ANY = Request("", 1, "", "", "", "any", (), {"type": "object", "properties": {}}, None, 16)
"""Replies are read as to a request with a schema, which finds the text in every field."""


class SingleCalls:
    """The calls of one model at its batch tier; used on one event loop."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._endpoint = LitellmEndpoint(model)

    async def of(self, request: Request = _ANY) -> HttpCall:
        """Return the call of a request.

        Raises:
            HttpError: a key is not set.
            Exception: litellm's, for a request that it does not send.
        """
        call = await written_call(self._endpoint, request, asking_keys(self._model))
        if call is None:
            raise ValueError("litellm wrote no call")
        return call

    async def reply(self, body: bytes, secrets: Secrets) -> Reply:
        """Return what the body of a reply says, billed as in a batch; the caller sets its time."""
        exchange = Exchange(stand_in=lambda *_: body)
        try:
            completion: Any = await self._endpoint.completion(
                _ANY, asking_keys(self._model), exchange
            )
            # A batch is billed as one, even if the reply names another tier.
            completion.service_tier = "batch"
            reply = reply_of_completion(
                completion, self._model, secrets, exchange, started_at="", latency_s=0.0
            )
        except Exception as error:
            reply = reply_of_exception(error, secrets, exchange, started_at="", latency_s=0.0)
        return without_secrets(replace(reply, quota=None), secrets)


def failed(status: int, why: str, secrets: Secrets) -> Reply:
    """Return the reply to a request of a batch that failed as a single call with that
    status would."""
    error = HttpError(status, {}, why)
    reply = reply_of_exception(error, secrets, Exchange(), started_at="", latency_s=0.0)
    return without_secrets(reply, secrets)


def not_reached(why: str) -> Reply:
    """Return the reply to a request that a batch did not process, which is not billed."""
    said = f"the batch ended before the provider came to it: {why}"
    return Reply("", error_kind="shed", error=said, cost_usd=0.0)
