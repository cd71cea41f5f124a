"""Completions in OpenAI's shape with one thing in them that should not be there."""

import json
from collections.abc import Mapping
from copy import deepcopy
from typing import Any

HONEST: Mapping[str, Any] = {
    "id": "chatcmpl-1",
    "object": "chat.completion",
    "created": 1,
    "model": "m-2026",
    "system_fingerprint": "fp",
    "choices": [
        {
            "index": 0,
            "finish_reason": "stop",
            "message": {"role": "assistant", "content": "hello", "reasoning_content": "hm"},
        }
    ],
    "usage": {
        "prompt_tokens": 10,
        "completion_tokens": 5,
        "total_tokens": 15,
        "prompt_tokens_details": {"cached_tokens": 2, "image_tokens": 3},
        "completion_tokens_details": {"reasoning_tokens": 1},
    },
}

_RAW = "@raw@"

ODD: Mapping[str, Any] = {
    "number": 5,
    "word": "x",
    "2^63": 2**63,
    "negative": -1_000_000_000,
    "fraction": 1.5,
    "true": True,
    "list": [1],
    "mapping": {"a": 1},
    "nothing": None,
    "NaN": (_RAW, "NaN"),
    "1e999": (_RAW, "1e999"),
    "-Infinity": (_RAW, "-Infinity"),
    "1e300": 1e300,
    "digits": (_RAW, "9" * 5000),
    "nested": (_RAW, "[" * 300 + "]" * 300),
    "controls": "\x1b[31m\x00\n\ud800" * 200,
}
"""Values that are wrong nearly everywhere."""


def with_odd(path: str, value: Any) -> str:
    """The honest completion as JSON, with `value` at a dotted path."""
    data: Any = deepcopy(HONEST)
    *parents, last = path.split(".")
    holder = data
    for name in parents:
        holder = holder[int(name)] if isinstance(holder, list) else holder[name]
    raw = None
    if isinstance(value, tuple):
        value, raw = value
    holder[last] = value
    written = json.dumps(data)
    return written if raw is None else written.replace(f'"{_RAW}"', raw)


def completion(**message: Any) -> str:
    """The honest completion as JSON, with these fields of its message."""
    data: Any = deepcopy(HONEST)
    data["choices"][0]["message"] |= message
    return json.dumps(data)
