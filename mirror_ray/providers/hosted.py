"""Hosted models: one HTTP request per attempt. Callers retry, pace and parse."""

import asyncio
import os
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from time import perf_counter
from typing import Any, Protocol

from mirror_ray.core.types import Reply, Request
from mirror_ray.providers.credentials import missing_keys
from mirror_ray.providers.exchange import Exchange
from mirror_ray.providers.failed_call import reply_of_exception
from mirror_ray.providers.hosted_call import is_own_server, speaks_openai
from mirror_ray.providers.hosted_reply import reply_of_completion, without_secrets
from mirror_ray.providers.http_call import HttpClient
from mirror_ray.providers.model import Model
from mirror_ray.providers.redaction import Secrets, secrets_of
from mirror_ray.providers.redirections import settle_environment

_NO_KEY = "unused"
"""For servers without keys, to which litellm would otherwise send a key of the environment."""


class Endpoint(Protocol):
    """A way to send one request and get the completion in its reply."""

    async def completion(
        self, request: Request, keys: Mapping[str, Any], exchange: Exchange
    ) -> Any:
        """Make one HTTP request. Any failure is raised, for `hosted_reply` to read.

        Args:
            keys: ``api_key`` and ``extra_headers``, as far as the model has them.
            exchange: filled with what is known of the HTTP exchange.
        """

    async def aclose(self) -> None:
        """Close the connections."""


class Hosted:
    """A `Backend` for one model, on one event loop.

    Args:
        known: secrets of the process's other models, which no reply may show either.
        client: shared by models, and closed by its owner; None: one for this model.
    """

    def __init__(
        self, model: Model, known: frozenset[str] = frozenset(), client: HttpClient | None = None
    ) -> None:
        self._model = model
        self._known = known
        settle_environment()
        self._client, self._is_shared = client or HttpClient(), client is not None
        self.endpoint = _endpoint_of(model, self._client)

    async def available(self) -> None:
        """Return at once: it is always available."""

    async def reply(self, request: Request) -> Reply:
        """Make exactly one HTTP request, bounded as a whole by the model's `timeout_s`."""
        secrets = secrets_of(self._model, os.environ, self._known)
        reply = await self._attempt(request, secrets)
        return without_secrets(reply, secrets)

    async def _attempt(self, request: Request, secrets: Secrets) -> Reply:
        started_at = datetime.now(UTC).isoformat(timespec="milliseconds")
        unset = missing_keys(self._model, os.environ)
        if unset:
            error = f"the environment variable {unset[0]} is not set"
            return Reply(text="", error_kind="auth", error=error, started_at=started_at)
        exchange = Exchange(may_be_shed=self._model.tier == "flex")
        start_s = perf_counter()
        try:
            # litellm's own timeout applies to each read: a server that sends single bytes would
            # outlast it.
            async with asyncio.timeout(self._model.timeout_s):
                keys = keys_of(self._model)
                completion = await self.endpoint.completion(request, keys, exchange)
            latency_s = perf_counter() - start_s
            reply = reply_of_completion(completion, self._model, secrets, exchange)
        except TimeoutError:
            latency_s = perf_counter() - start_s
            said = f"no reply within {self._model.timeout_s:g} s"
            reply = Reply("", error_kind="timeout", error=said)
        except Exception as error:
            latency_s = perf_counter() - start_s
            reply = reply_of_exception(error, secrets, exchange, self._model.base_url)
        return replace(reply, started_at=started_at, latency_s=latency_s)

    async def aclose(self) -> None:
        """Close the connections; other models of the process may still be called."""
        await self.endpoint.aclose()
        if not self._is_shared:
            await self._client.aclose()


def keys_of(model: Model) -> dict[str, Any]:
    """Return the credentials; none for clouds whose credentials litellm finds itself."""
    keys: dict[str, Any] = {}
    if model.api_key_env is not None:
        keys["api_key"] = os.environ[model.api_key_env]
    elif not model.needs_env and model.base_url is not None:
        keys["api_key"] = _NO_KEY
    if model.extra_headers_env:
        keys["extra_headers"] = {
            **model.extra.get("extra_headers", {}),
            **{header: os.environ[name] for header, name in model.extra_headers_env.items()},
        }
    return keys


def _endpoint_of(model: Model, client: HttpClient) -> Endpoint:
    if model.plugin is not None:
        from mirror_ray.providers.plugged_endpoint import PluggedEndpoint  # noqa: PLC0415

        return PluggedEndpoint(model)
    if is_own_server(model):
        from mirror_ray.providers.openai_endpoint import OpenAiEndpoint  # noqa: PLC0415

        return OpenAiEndpoint(model, client)
    if speaks_openai(model):
        from mirror_ray.providers.templated_endpoint import TemplatedEndpoint  # noqa: PLC0415

        return TemplatedEndpoint(model, client)
    from mirror_ray.providers.litellm_endpoint import LitellmEndpoint  # noqa: PLC0415

    return LitellmEndpoint(model)
