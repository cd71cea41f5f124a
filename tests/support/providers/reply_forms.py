"""Replies in OpenAI's protocol as providers send them, and what each of them means."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from support.canned_server import Canned


@dataclass(frozen=True)
class Form:
    """One reply over the wire.

    Args:
        said: the text of the reply.
        tokens: in and out, as they are billed.
    """

    target: str
    body: Any
    kind: str = "none"
    said: str = ""
    tokens: tuple[int | None, int | None] = (None, None)
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def canned(self) -> Canned:
        body = self.body if isinstance(self.body, (str, bytes)) else json.dumps(self.body)
        return Canned(self.status, body, self.headers)


GPT, AZURE, ROUTER = "openai/gpt-4.1-mini", "azure/mine", "openrouter/qwen/qwen3-vl-8b"
MISTRAL, GROK, GROQ = "mistral/magistral-small", "xai/grok-4", "groq/llama"
TOGETHER, FIREWORKS, INFRA = "together_ai/qwen", "fireworks_ai/qwen", "deepinfra/qwen"
KIMI, ALIBABA, DEEPSEEK = "moonshot/kimi-k2.5", "dashscope/qwen3-vl-plus", "deepseek/deepseek-chat"
GEMINI, VLLM = "openai/gemini-2.5-flash", "hosted_vllm/qwen"
"""Gemini's endpoint in OpenAI's protocol, and a server of one's own."""


def said(content: object, finish: str | None = "stop", **message: object) -> dict[str, Any]:
    """One choice."""
    words = {"role": "assistant", "content": content, **message}
    return {"index": 0, "finish_reason": finish, "message": words}


def whole(choice: Mapping[str, Any], tokens: object = (12, 3), **more: object) -> dict[str, Any]:
    """A completion around a choice; `tokens` is in and out, or a usage."""
    if isinstance(tokens, tuple):
        names = ("prompt_tokens", "completion_tokens", "total_tokens")
        tokens = dict(zip(names, (*tokens, sum(tokens)), strict=True))
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1_760_000_000,
        "model": "served-2026-01-01",
        "choices": [choice],
        "usage": tokens,
        **more,
    }


def usage(n_in: int, n_out: int, **details: object) -> dict[str, Any]:
    """A usage with details."""
    names = {"prompt_tokens": n_in, "completion_tokens": n_out, "total_tokens": n_in + n_out}
    return {**names, **details}


CALL = {"id": "call_1", "type": "function", "function": {"name": "go", "arguments": '{"x": 1}'}}
FILTERED = {"hate": {"filtered": False, "severity": "safe"}, "violence": {"filtered": True}}
RATES = {
    "x-ratelimit-limit-requests": "500",
    "x-ratelimit-remaining-requests": "499",
    "x-ratelimit-reset-requests": "120ms",
    "x-ratelimit-limit-tokens": "200000",
    "x-ratelimit-remaining-tokens": "199000",
    "x-ratelimit-reset-tokens": "300ms",
}
BOTH = (12, 3)


def red(target: str, **more: object) -> Form:
    """A plain reply with what a provider adds to it."""
    return Form(target, whole(said("red"), **more), said="red", tokens=BOTH)


def trouble(message: str, **more: object) -> dict[str, Any]:
    """An error's body."""
    return {"error": {"message": message, **more}}
