"""Hosted providers that speak OpenAI's protocol: litellm writes the calls, a plain client sends
them.

litellm knows each provider's address, headers and names of parameters, and models' prices. It
writes one call of each shape. Every further call is a copy with other texts, pictures and seed, and
costs a fraction of litellm's CPU time (`benchmarks/providers.py`). A shape is everything that
determines a body except its texts, pictures and seed."""

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from mirror_ray.core.types import Image, Request
from mirror_ray.providers.exchange import Exchange
from mirror_ray.providers.hosted_call import image_data_url, sampling_seed, sendable
from mirror_ray.providers.http_call import HttpCall, HttpClient
from mirror_ray.providers.litellm_endpoint import LitellmEndpoint, written_call
from mirror_ray.providers.model import Model

Gap: TypeAlias = str | int
"""``system``, ``user`` or ``seed``, or the index of a picture."""

_PATH = "/chat/completions"


@dataclass(frozen=True, slots=True)
class CallTemplate:
    """A call whose body has gaps: the call without its body, and the body as `pieces` around the
    `gaps`, both in order."""

    call: HttpCall
    pieces: tuple[bytes, ...]
    gaps: tuple[Gap, ...]

    def filled(self, request: Request) -> HttpCall:
        """Return the call for a request of this shape."""
        parts = [self.pieces[0]]
        for gap, piece in zip(self.gaps, self.pieces[1:], strict=True):
            parts += (_value(request, gap), piece)
        return replace(self.call, body=b"".join(parts))


def shape_of(request: Request, keys: Mapping[str, Any]) -> str:
    """Return the shape. Requests of equal shapes, made with the same keys, share a template."""
    encodings = [image.encoding for image in request.images]
    facts = (bool(request.system), encodings, request.reply_schema)
    return json.dumps([*facts, request.temperature, request.max_tokens, keys])


def placeholder_of(request: Request) -> Request:
    """Return a request of the same shape, whose texts, pictures and seed can be found in a body."""
    return replace(
        request,
        system="<<the system prompt>>" if request.system else "",
        user="<<the user's text>>",
        images=tuple(
            Image(f"<<picture {index}>>".encode(), image.encoding, 1, 1, "")
            for index, image in enumerate(request.images)
        ),
    )


def template_of(call: HttpCall, placeholder: Request, *, sends_seed: bool) -> CallTemplate | None:
    """Return the template in the call of a placeholder.

    None if the address does not belong to OpenAI's protocol, or if the body does not contain each
    of the placeholder's values exactly once and whole, because texts would then be sent differently
    from how litellm sends them."""
    if not call.address.partition("?")[0].endswith(_PATH):
        return None
    gaps: list[Gap] = ["user", *range(len(placeholder.images))]
    gaps += [*(["system"] if placeholder.system else []), *(["seed"] if sends_seed else [])]
    marks = {gap: _value(placeholder, gap) for gap in gaps}
    if any(call.body.count(mark) != 1 for mark in marks.values()):
        return None
    gaps.sort(key=lambda gap: call.body.index(marks[gap]))
    pieces, rest = [], call.body
    for gap in gaps:
        before, _, rest = rest.partition(marks[gap])
        pieces.append(before)
    return CallTemplate(replace(call, body=b""), (*pieces, rest), tuple(gaps))


def _value(request: Request, gap: Gap) -> bytes:
    if isinstance(gap, int):
        # Letters and digits, which JSON does not change.
        return f'"{image_data_url(request.images[gap])}"'.encode()
    if gap == "seed":
        return str(sampling_seed(request)).encode()
    return json.dumps(sendable(request.user if gap == "user" else request.system)).encode()


_MOST_TEMPLATES = 256


class TemplatedEndpoint:
    """A model at a provider that speaks OpenAI's protocol; use it on one event loop."""

    def __init__(self, model: Model, client: HttpClient) -> None:
        self._model = model
        self._litellm = LitellmEndpoint(model)
        self._client, self._trust = client, self._litellm.trust()
        self._templates: dict[str, CallTemplate | None] = {}
        self._writing = asyncio.Lock()

    async def completion(
        self, request: Request, keys: Mapping[str, Any], exchange: Exchange
    ) -> Any:
        """POST once, and return the completion in the reply; raises as `HttpClient.completion`.

        A call that litellm does not write in OpenAI's form goes through litellm."""
        template = await self._template(request, keys)
        if template is None:
            return await self._litellm.completion(request, keys, exchange)
        call = template.filled(request)
        completion = await self._client.completion(call, exchange, self._trust)
        return self._litellm.with_price(completion)

    async def aclose(self) -> None:
        """Close litellm's connections; the client's may be shared."""
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
