"""Hosted providers that speak OpenAI's protocol: litellm writes the calls, a plain client sends.

litellm knows each provider's address, headers and names of parameters, and models' prices. It
writes one call of each shape; every further one is that call with other texts, pictures and seed,
and costs a fraction of litellm's CPU time (`benchmarks/providers.py`).
"""

import asyncio
from collections.abc import Mapping
from typing import Any

from mirror_ray.core.types import Request
from mirror_ray.providers.call_template import CallTemplate, placeholder_of, shape_of, template_of
from mirror_ray.providers.exchange import Exchange
from mirror_ray.providers.http_call import HttpClient
from mirror_ray.providers.litellm_endpoint import LitellmEndpoint
from mirror_ray.providers.model import Model
from mirror_ray.providers.written_call import written_call

_MOST_TEMPLATES = 256


class TemplatedEndpoint:
    """A model at a provider that speaks OpenAI's protocol; use it on one event loop."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._litellm = LitellmEndpoint(model)
        self._client = HttpClient(self._litellm.trust())
        self._templates: dict[str, CallTemplate | None] = {}
        self._writing = asyncio.Lock()

    async def completion(
        self, request: Request, keys: Mapping[str, Any], exchange: Exchange
    ) -> Any:
        """One POST, and the completion in its reply; raises as `HttpClient.completion`.

        A call that litellm writes otherwise than in OpenAI's form goes through litellm.
        """
        template = await self._template(request, keys)
        if template is None:
            return await self._litellm.completion(request, keys, exchange)
        completion = await self._client.completion(template.filled(request), exchange)
        return self._litellm.with_price(completion)

    async def aclose(self) -> None:
        """Closes the connections."""
        await self._client.aclose()
        await self._litellm.aclose()

    async def _template(self, request: Request, keys: Mapping[str, Any]) -> CallTemplate | None:
        shape = shape_of(request, keys)
        if shape in self._templates:
            return self._templates[shape]
        async with self._writing:
            if shape not in self._templates:
                placeholder = placeholder_of(request)
                call = await written_call(self._litellm, placeholder, keys)
                if len(self._templates) >= _MOST_TEMPLATES:
                    self._templates.clear()
                self._templates[shape] = (
                    template_of(call, placeholder, sends_seed=self._model.sends_seed)
                    if call is not None
                    else None
                )
        return self._templates[shape]
