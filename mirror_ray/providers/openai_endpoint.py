"""Own servers that speak OpenAI's protocol (vLLM, SGLang, llama.cpp, Ollama), called over plain
HTTP.

A call costs a fraction of litellm's CPU time (`benchmarks/providers.py`), and a process that calls
only such servers never imports it."""

import json
from collections.abc import Mapping
from typing import Any

from mirror_ray.core.types import Request
from mirror_ray.providers.exchange import Exchange
from mirror_ray.providers.hosted_call import OWN_SERVERS, call_parameters, request_body
from mirror_ray.providers.http_call import HttpCall, HttpClient, headers_with_key
from mirror_ray.providers.model import Model


class OpenAiEndpoint:
    """A server at the `base_url` of a model; used on one event loop."""

    def __init__(self, model: Model, client: HttpClient) -> None:
        self._model = model
        self._address = f"{(model.base_url or '').rstrip('/')}/chat/completions"
        self._client = client

    async def completion(
        self, request: Request, keys: Mapping[str, Any], exchange: Exchange
    ) -> Mapping[str, Any]:
        """POST once, and return the completion in the reply. Raises the errors of
        `HttpClient.completion`."""
        parameters = call_parameters(request, self._model)
        stated = {"Content-Type": "application/json", **parameters.get("extra_headers", {})}
        headers = {**stated, **headers_with_key(keys)}
        name = self._model.target.removeprefix(OWN_SERVERS)
        body = json.dumps(request_body(parameters, name)).encode()
        return await self._client.completion(HttpCall(self._address, headers, body), exchange)

    async def aclose(self) -> None:
        """Keep the client's connections, which other models may share."""
