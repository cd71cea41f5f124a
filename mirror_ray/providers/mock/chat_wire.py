"""OpenAI's chat protocol for a mock provider: requests in, completions out."""

import json
from base64 import b64decode
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from aiohttp import web

from mirror_ray.core.text_length import prose_chars

MOCK_CHARS_PER_TOKEN = 4
TOKENS_PER_IMAGE = 425
CACHED_TOKENS = 16


@dataclass(frozen=True, slots=True)
class DecodedCall:
    """A decoded request. `max_tokens` bounds the reply, if the request sets it; equal texts to the
    same model have equal `digest`; `authorization` is the header, unchanged."""

    model: str
    system: str
    user: str
    images: tuple[bytes, ...]
    max_tokens: int | None
    digest: str
    authorization: str
    service_tier: str | None

    @property
    def tokens_image(self) -> int:
        """Input tokens of its pictures."""
        return TOKENS_PER_IMAGE * len(self.images)

    @property
    def tokens_in(self) -> int:
        """Input tokens, pictures included."""
        return (
            prose_chars(self.system) + prose_chars(self.user)
        ) // MOCK_CHARS_PER_TOKEN + self.tokens_image


def decode_call(body: Mapping[str, Any], headers: Mapping[str, str]) -> DecodedCall:
    """Decode a request's body. Raise KeyError or ValueError if it has another shape."""
    texts: dict[str, list[str]] = {"system": [], "user": []}
    images: list[bytes] = []
    for message in body["messages"]:
        content = message["content"]
        parts: list[dict[str, Any]] = content
        if isinstance(content, str):
            parts = [{"type": "text", "text": content}]
        for part in parts:
            if part["type"] == "text":
                texts[message["role"]].append(part["text"])
            else:
                head, _, data = part["image_url"]["url"].partition(";base64,")
                if not head.startswith("data:image/"):
                    raise ValueError(head[:40])
                images.append(b64decode(data, validate=True))
    return DecodedCall(
        model=str(body["model"]),
        system="\n".join(texts["system"]),
        user="\n".join(texts["user"]),
        images=tuple(images),
        max_tokens=body.get("max_tokens") or body.get("max_completion_tokens"),
        digest=sha256(json.dumps([body["model"], body["messages"]]).encode()).hexdigest(),
        authorization=headers.get("Authorization", ""),
        service_tier=None if (tier := body.get("service_tier")) is None else str(tier),
    )


def completion(call: DecodedCall, text: str | None, *, model: str, **choice: Any) -> dict[str, Any]:
    """Return a reply in OpenAI's schema, which names the tier that served if one was requested.
    `choice` overrides the choice's fields."""
    # A letter is a token too: a text of zero tokens would look like one that nobody counted.
    tokens_out = max(1, prose_chars(text) // MOCK_CHARS_PER_TOKEN) if text else 0
    return {
        "id": f"chatcmpl-{call.digest[:12]}",
        "object": "chat.completion",
        "created": 0,
        "model": model,
        **({} if call.service_tier is None else {"service_tier": call.service_tier}),
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": text},
                "finish_reason": "stop",
                **choice,
            }
        ],
        "usage": {
            "prompt_tokens": call.tokens_in,
            "completion_tokens": tokens_out,
            "total_tokens": call.tokens_in + tokens_out,
            "prompt_tokens_details": {
                "cached_tokens": CACHED_TOKENS,
                "image_tokens": call.tokens_image,
            },
        },
    }


def failure(
    status: int, message: str, code: str, headers: Mapping[str, str] | None = None
) -> web.Response:
    """Return an error in OpenAI's form."""
    body = {"error": {"message": message, "type": code, "code": code}}
    return web.json_response(body, status=status, headers=headers)


def shed(status: int) -> web.Response:
    """Refuse a flex call for lack of capacity: 429 like OpenAI, or 503 like Google; not billed."""
    return failure(status, "Resource Unavailable", "resource_unavailable")


def rate_limited(wait_s: float) -> web.Response:
    """Return a 429 that says how long to wait."""
    return failure(
        429, "Rate limit reached", "rate_limit_exceeded", {"Retry-After": f"{wait_s:.3f}"}
    )
