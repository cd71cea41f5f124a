"""Reduces a reply's JSON to plain values before litellm reads it, because litellm rejects a whole
paid reply over one odd figure.

Of a completion in OpenAI's form only recorded fields pass, typed; of other forms, everything but
impossible numbers."""

import json
from collections.abc import Iterable, Mapping
from itertools import islice
from math import isfinite, nan
from typing import Any

from mirror_ray.core.untrusted import MAX_INT, bounded_float, bounded_int

MAX_TOKENS = 10**9
"""The largest count of tokens: no context is that long, and sums over a run's requests fit a
column."""
MAX_USD = 1e4
"""The largest cost of a reply in dollars; no reply costs that much."""
CONTENT = "content"
"""The path of the model's text: a reply without it is unusable."""

_LONGEST_LABEL = 1_000
"""Most characters of a name; litellm's patterns take seconds over a longer one."""
_MOST_TROUBLE_CHARS = 8_000
"""Most characters of an error's message, for the same reason."""

_THOUGHTS = (
    *("reasoning_content", "reasoning", "thinking", "reasoning_text"),
    *("reasoning_details", "thinking_blocks"),
)
_TEXT_NAMES = ("text", "thinking", "reasoning", "content", "summary", "parts")
"""Where servers put a message's thoughts, and the text within a part."""
_MOST_KEYS = 64
_MOST_CALLS = 64
_CURRENCIES, _DOLLARS = ("currency", "cost_currency", "cost_unit", "unit"), ("USD", "US$", "$")
_TYPED = ("_tokens", "_details", "cost")
"""Suffixes of figures' names; such figures are reported as missing if they are not numbers."""
_LONGEST_INT = len(str(MAX_INT)) + 1
_ODD = nan
"""Replaces a number that no type can hold, or contradictory values, until it is left out."""


def plain_body(body: bytes, most_otherwise: int) -> tuple[bytes, tuple[str, ...]]:
    """Return the body for litellm, and the paths of fields left out of it. Of a body that is not a
    JSON object, return the first `most_otherwise` bytes, which can only be quoted."""
    ignored: list[str] = []
    try:
        data = parse_reply(body)
        if not isinstance(data, dict):
            return body[:most_otherwise], ()
        if "choices" in data:
            data = _without_odd(_completion(data, ignored))
        elif _trouble(data):
            data = _without_odd(_trouble(data))
        elif not _has_odd(data):
            return body, ()
        else:
            data = _without_odd(data)
            ignored.append("a number out of bounds")
        return json.dumps(data).encode(), tuple(ignored)
    except (ValueError, RecursionError):
        return body[:most_otherwise], ()


def parse_reply(body: bytes) -> Any:
    """Return a reply's JSON. Impossible numbers and keys with contradictory values become NaN, so
    that an odd field is lost, but not the paid reply. Raise ValueError or RecursionError if it is
    not JSON."""
    return json.loads(
        body,
        parse_int=_int,
        parse_float=_float,
        parse_constant=lambda _: _ODD,
        object_pairs_hook=_agreeing,
    )


def _agreeing(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        found[key] = value if found.get(key, value) == value else _ODD
    return found


def _int(digits: str) -> int | float:
    # Python refuses to parse thousands of digits, and is slow on hundreds.
    value = int(digits) if len(digits) <= _LONGEST_INT else _ODD
    return value if abs(value) <= MAX_INT else _ODD


def _float(digits: str) -> float:
    value = float(digits)
    return value if isfinite(value) else _ODD


def _has_odd(data: Any) -> bool:
    try:
        json.dumps(data, allow_nan=False)
    except ValueError:
        return True
    return False


def _without_odd(data: Any) -> Any:
    if isinstance(data, dict):
        return {key: _without_odd(value) for key, value in data.items()}
    if isinstance(data, list):
        return [_without_odd(value) for value in data]
    return None if isinstance(data, float) and not isfinite(data) else data


def _completion(data: Mapping[str, Any], ignored: list[str]) -> dict[str, Any]:
    choices = data["choices"]
    # Further choices were not requested and would only cost time.
    first = choices[0] if isinstance(choices, list) and choices else None
    if not isinstance(first, dict) and choices:
        ignored.append("choices")
    plain = {
        "object": "chat.completion",
        "created": bounded_int(data.get("created")) or 0,
        **_labels(data, ("id", "model", "system_fingerprint", "service_tier"), ignored),
        **_trouble(data),
        "choices": [_choice(first, ignored)] if isinstance(first, dict) else [],
    }
    if not plain["choices"] and isinstance(refusal := data.get("base_resp"), dict):
        plain["base_resp"] = {
            "status_code": bounded_int(refusal.get("status_code")),
            "status_msg": str(refusal.get("status_msg"))[:_MOST_TROUBLE_CHARS],
        }
    usage = data.get("usage")
    if isinstance(usage, dict):
        plain["usage"] = _usage(usage, "usage", ignored)
    elif usage is not None:
        ignored.append("usage")
    return plain


def _choice(choice: Mapping[str, Any], ignored: list[str]) -> dict[str, Any]:
    message = choice.get("message")
    if not isinstance(message, dict):
        ignored.extend([CONTENT] if message is not None else [])
        message = {}
    return {
        "index": 0,
        "finish_reason": None,
        **_labels(choice, ("finish_reason", "native_finish_reason"), ignored),
        **_trouble(choice),
        "message": _message(message, ignored),
    }


def _message(message: Mapping[str, Any], ignored: list[str]) -> dict[str, Any]:
    content = message.get("content")
    plain: dict[str, Any] = {"role": "assistant", "content": None}
    plain |= _texts(message, ("refusal",), ignored)
    thoughts = next(filter(None, (_joined(message.get(name)) for name in _THOUGHTS)), None)
    if isinstance(content, str):
        plain["content"] = content
    elif isinstance(content, (list, dict)):
        parts = content if isinstance(content, list) else [content]
        # Mistral's models return their thoughts as parts before the text.
        thinking = [part for part in parts if isinstance(part, dict) and _is_thinking(part)]
        plain["content"] = _joined([part for part in parts if part not in thinking])
        ignored.extend([] if plain["content"] or _joined(thinking) else [CONTENT])
        thoughts = thoughts or _joined(thinking)
    elif content is not None:
        ignored.append(CONTENT)
    if thoughts:
        plain["reasoning_content"] = thoughts
    elif any(message.get(name) for name in _THOUGHTS):
        ignored.append("reasoning")
    calls = message.get("tool_calls")
    if isinstance(calls, list) and calls and all(map(_is_call, calls[:_MOST_CALLS])):
        plain["tool_calls"] = [_call(call) for call in calls[:_MOST_CALLS]]
    elif calls:
        ignored.append("tool_calls")
    return plain


def _joined(parts: object) -> str:
    if isinstance(parts, str):
        return parts
    if isinstance(parts, list):
        return "".join(map(_joined, parts))
    if not isinstance(parts, dict):
        return ""
    return next(filter(None, (_joined(parts.get(name)) for name in _TEXT_NAMES)), "")


def _is_thinking(part: Mapping[str, Any]) -> bool:
    return str(part.get("type")).startswith(("thinking", "reasoning")) or "thinking" in part


def _is_call(call: object) -> bool:
    function = call.get("function") if isinstance(call, dict) else None
    return (
        isinstance(call, dict)
        and isinstance(call.get("id"), str)
        and isinstance(function, dict)
        and isinstance(function.get("name"), str)
        and isinstance(function.get("arguments"), str)
        and _is_shallow(function["arguments"])
    )


def _is_shallow(arguments: str) -> bool:
    """Return whether litellm could read the arguments; anything but JSON is text to it."""
    try:
        json.loads(arguments)
    except RecursionError:
        return False
    except ValueError:
        pass
    return True


def _call(call: Mapping[str, Any]) -> dict[str, Any]:
    function = {name: call["function"][name] for name in ("name", "arguments")}
    return {"id": call["id"], "type": "function", "function": function}


def _usage(usage: Mapping[str, Any], path: str, ignored: list[str]) -> dict[str, Any]:
    """Return counts under any names, and costs in dollars; other values are left out."""
    plain: dict[str, Any] = {}
    in_dollars = _is_in_dollars(usage)
    for name, value in islice(usage.items(), _MOST_KEYS):
        kept: object = None
        is_cost = name.endswith("cost") or path.endswith("cost_details")
        if name == "is_byok":
            kept = value if isinstance(value, bool) else None
        elif is_cost and isinstance(value, dict):
            # Perplexity itemises the cost.
            kept = value.get("total_cost") if _is_in_dollars(value) else None
            kept = bounded_float(kept, 0, MAX_USD) if in_dollars else None
        elif is_cost:
            kept = bounded_float(value, 0, MAX_USD) if in_dollars else None
        elif not name.endswith("_details"):
            kept = bounded_int(value, 0, MAX_TOKENS)
        elif isinstance(value, dict) and path == "usage":
            kept = _usage(value, f"usage.{name}", ignored)
        if kept is not None:
            plain[name] = kept
        elif value is not None and name.endswith(_TYPED):
            ignored.append(f"{path}.{name[:40]}")
    return plain


def _is_in_dollars(usage: Mapping[str, Any]) -> bool:
    said = [usage[name] for name in _CURRENCIES if isinstance(usage.get(name), str)]
    return all(one.upper() in _DOLLARS for one in said)


def _texts(data: Mapping[str, Any], names: Iterable[str], ignored: list[str]) -> dict[str, str]:
    ignored.extend(name for name in names if not isinstance(data.get(name), (str, type(None))))
    return {name: value for name in names if isinstance(value := data.get(name), str)}


def _labels(data: Mapping[str, Any], names: Iterable[str], ignored: list[str]) -> dict[str, str]:
    texts = _texts(data, names, ignored)
    ignored.extend(name for name, text in texts.items() if len(text) > _LONGEST_LABEL)
    return {name: text for name, text in texts.items() if len(text) <= _LONGEST_LABEL}


def _trouble(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the whole error if it is short, otherwise its code and the start of its message."""
    error = data.get("error")
    if not error or not isinstance(error, (str, dict)):
        return {}
    if isinstance(error, dict) and len(json.dumps(error)) > _MOST_TROUBLE_CHARS:
        code = bounded_int(error.get("code"))
        error = {"message": str(error.get("message"))[:_MOST_TROUBLE_CHARS], "code": code}
    return {"error": error if isinstance(error, dict) else error[:_MOST_TROUBLE_CHARS]}
