"""OpenAI's chat protocol as the loopback server needs it: requests in, completions out.

Knows shapes only; does not know faults or allowances.
"""

import json
from base64 import b64decode
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from aiohttp import web

from mirror_ray.providers.scripted import AGENTS, prompt_for

CHARS_PER_TOKEN = 4
TOKENS_PER_IMAGE = 425
CACHED_TOKENS = 16


@dataclass(frozen=True, slots=True)
class Call:
    """A decoded request."""

    agent: str
    fault: str | None
    fault_times: int | None
    system: str
    user: str
    images: tuple[bytes, ...]
    digest: str
    authorization: str


def decode(body: Mapping[str, Any], headers: Mapping[str, str]) -> Call:
    """KeyError for an unknown agent, ValueError for a message of another shape."""
    agent, *fault = str(body["model"]).split("~")
    if agent not in AGENTS:
        raise KeyError(agent)
    texts: dict[str, list[str]] = {"system": [], "user": []}
    images: list[bytes] = []
    for message in body["messages"]:
        content = message["content"]
        for part in [{"type": "text", "text": content}] if isinstance(content, str) else content:
            if part["type"] == "text":
                texts[message["role"]].append(part["text"])
            else:
                head, _, data = part["image_url"]["url"].partition(";base64,")
                if not head.startswith("data:image/"):
                    raise ValueError(head[:40])
                images.append(b64decode(data, validate=True))
    digest = sha256(json.dumps([body["model"], body["messages"]]).encode()).hexdigest()
    return Call(
        agent=agent,
        fault=fault[0] if fault else None,
        fault_times=int(fault[1]) if len(fault) > 1 else None,
        system="\n".join(texts["system"]),
        user="\n".join(texts["user"]),
        images=tuple(images),
        digest=digest,
        authorization=headers.get("Authorization", ""),
    )


def words_of(call: Call) -> str:
    return AGENTS[call.agent](prompt_for(call.agent, call.system, call.user, call.images))


def completion(call: Call, text: str | None, **choice: Any) -> dict[str, Any]:
    """OpenAI's schema; `choice` overrides the choice's fields."""
    tokens_image = TOKENS_PER_IMAGE * len(call.images)
    tokens_in = (len(call.system) + len(call.user)) // CHARS_PER_TOKEN + tokens_image
    tokens_out = len(text or "") // CHARS_PER_TOKEN
    return {
        "id": f"chatcmpl-{call.digest[:12]}",
        "object": "chat.completion",
        "created": 0,
        "model": f"{call.agent}-2026-01-01",
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": text},
                "finish_reason": "stop",
                **choice,
            }
        ],
        "usage": {
            "prompt_tokens": tokens_in,
            "completion_tokens": tokens_out,
            "total_tokens": tokens_in + tokens_out,
            "prompt_tokens_details": {
                "cached_tokens": CACHED_TOKENS,
                "image_tokens": tokens_image,
            },
        },
    }


def failure(
    status: int, message: str, code: str, headers: Mapping[str, str] | None = None
) -> web.Response:
    body = {"error": {"message": message, "type": code, "code": code}}
    return web.json_response(body, status=status, headers=headers)


def rate_limited(wait_s: float) -> web.Response:
    return failure(
        429, "Rate limit reached", "rate_limit_exceeded", {"Retry-After": f"{wait_s:.3f}"}
    )
