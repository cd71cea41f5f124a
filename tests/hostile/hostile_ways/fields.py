"""Fields of a completion that are of another type, size or alphabet than they should be."""

from collections.abc import Mapping

from hostile_ways.answers import (
    Asked,
    Way,
    in_choice,
    in_message,
    literal,
    put,
    put_all,
    sent,
    without,
)

MIB = 2**20

ODD: Mapping[str, object] = {
    "number": 5,
    "float": 1.5,
    "true": True,
    "null": None,
    "list": [1, "two", None],
    "object": {"a": {"b": [1]}},
    "1mb": "m" * MIB,
    "escapes": "\x1b[2J\x1b]0;owned\x07\x1b]8;;http://127.0.0.2\x07",
    "surrogate": "half \ud83d pair",
    "nul": "a\x00b\r\nc\x08",
    "huge-int": 2**80,
}
"""What stands where a short text is expected."""

BOUNDLESS = ("1e999", "-1e999", "NaN", "-Infinity", "9" * 4000)
"""Literals that JSON readers take for numbers."""


def _odd(field: str, path: str) -> dict[str, Way]:
    return {f"{field}-{name}": put(path, value) for name, value in ODD.items()}


def _calm_twice(asked: Asked) -> object:
    return [asked.body["choices"][0]] * 10_000


def _with_error(error: object) -> Way:
    """A calm choice that tells of an error."""
    return in_choice(error=error)


TOP: Mapping[str, Way] = {
    **_odd("model", "model"),
    **_odd("id", "id"),
    "model-missing": without("model"),
    "model-1e999": literal("model", "1e999"),
    "created-negative": put("created", -1),
    "created-huge": put("created", 2**80),
    "created-1e999": literal("created", "1e999"),
    "created-words": put("created", "yesterday"),
    "object-odd": put("object", ["list"]),
    "fingerprint-object": put("system_fingerprint", {"a": 1}),
    "fingerprint-1mb": put("system_fingerprint", "f" * MIB),
    "tier-number": put("service_tier", 5),
    "top-error-empty": put_all(error={}),
    "top-error-text": put_all(error="out of order"),
    "top-error-number": put_all(error=500),
    "top-error-list": put_all(error=[1, [2]]),
    "top-error-code-digits": put_all(error={"message": "no", "code": "9" * 5000}),
    "top-error-code-superscript": put_all(error={"message": "no", "code": "²"}),
    "top-error-code-object": put_all(error={"message": {"a": 1}, "code": {"b": 2}}),
    "top-error-code-1e999": literal("error", '{"message": 5, "code": 1e999}'),
    "top-error-1mb": put_all(error={"message": "no " * MIB, "code": 500}),
    "top-hidden": put_all(
        _hidden_params={"response_cost": -1000.0}, response_cost=-5, _response_ms="x"
    ),
    "top-dunder": put_all(__class__="x", model_config={"extra": "allow"}, model_fields=5),
    "top-method-names": put_all(json=5, dict=5, model_dump=5, get=5, items=5, to_dict="x"),
}

CHOICES: Mapping[str, Way] = {
    "choices-missing": without("choices"),
    "choices-null": put("choices", None),
    "choices-empty": put("choices", []),
    "choices-object": put("choices", {"0": {"message": {"content": "x"}}}),
    "choices-text": put("choices", "choices"),
    "choices-number": put("choices", 5),
    "choices-of-null": put("choices", [None]),
    "choices-of-numbers": put("choices", [5, 6]),
    "choices-of-nothing": put("choices", [{}]),
    "choices-of-lists": put("choices", [[["message"]]]),
    "choices-10000": sent(lambda asked: {**asked.body, "choices": _calm_twice(asked)}),
    "choice-index-text": in_choice(index="x"),
    "choice-index-huge": in_choice(index=2**80),
    "choice-index-null": in_choice(index=None),
    "choice-logprobs-number": in_choice(logprobs=5),
    "choice-logprobs-odd": in_choice(logprobs={"content": [{"token": 5, "logprob": "x"}]}),
    "choice-text-only": put("choices", [{"text": "a completion of old"}]),
    "choice-delta": put("choices", [{"delta": {"content": "a stream"}}]),
    "choice-error-number": _with_error(5),
    "choice-error-list": _with_error([1, 2]),
    "choice-error-text": _with_error("out of order \x1b[2J"),
    "choice-error-odd": _with_error({"code": {"a": 1}, "message": ["b"]}),
    "choice-error-digits": _with_error({"code": "9" * 5000, "message": "no"}),
    "choice-error-superscript": _with_error({"code": "²", "message": "no"}),
    "choice-error-negative": _with_error({"code": -5, "message": "no"}),
    "choice-error-1mb": _with_error({"code": 502, "message": "no " * MIB}),
    "choice-fields-number": in_choice(provider_specific_fields=5),
    "choice-fields-odd": in_choice(
        provider_specific_fields={"native_finish_reason": 5, "error": [{"code": []}]}
    ),
    **{f"finish-{name}": in_choice(finish_reason=value) for name, value in ODD.items()},
    "finish-empty": in_choice(finish_reason=""),
    "finish-missing": without("choices.0.finish_reason"),
    "finish-1e999": literal("choices.0.finish_reason", "1e999"),
    **{f"native-{name}": in_choice(native_finish_reason=value) for name, value in ODD.items()},
    "stop-reason-object": in_choice(stop_reason={"a": 1}),
}

MESSAGE: Mapping[str, Way] = {
    "message-null": in_choice(message=None),
    "message-text": in_choice(message="hello"),
    "message-number": in_choice(message=5),
    "message-list": in_choice(message=[{"content": "x"}]),
    "message-empty": in_choice(message={}),
    "message-missing": without("choices.0.message"),
    **{f"content-{name}": in_message(content=value) for name, value in ODD.items()},
    "content-missing": without("choices.0.message.content"),
    "content-parts": in_message(content=[{"type": "text", "text": "one"}, {"text": 5}, 7]),
    "content-parts-deep": in_message(content=[[[[{"type": "text", "text": ["x"]}]]]]),
    "content-10mb": in_message(content="word " * (2 * MIB)),
    "content-1e999": literal("choices.0.message.content", "1e999"),
    "content-half-escape": literal("choices.0.message.content", '"\\ud83d\\ud83d \\udc00"'),
    **{f"role-{name}": in_message(role=value) for name, value in ODD.items()},
    "tools-text": in_message(tool_calls="x"),
    "tools-number": in_message(tool_calls=5),
    "tools-of-numbers": in_message(tool_calls=[5, None]),
    "tools-of-nothing": in_message(tool_calls=[{}]),
    "tools-10000": in_message(
        tool_calls=[{"id": "i", "type": "function", "function": {"name": "n", "arguments": "{"}}]
        * 10_000
    ),
    "tools-odd": in_message(
        tool_calls=[{"id": 5, "type": [], "function": {"name": {"a": 1}, "arguments": 5}}]
    ),
    "tools-1mb": in_message(
        content=None,
        tool_calls=[
            {"id": "i", "type": "function", "function": {"name": "n", "arguments": "[" * MIB}}
        ],
    ),
    "function-number": in_message(function_call=5),
    "function-odd": in_message(function_call={"name": 5, "arguments": [1]}),
    **{f"refusal-{name}": in_message(refusal=value) for name, value in ODD.items()},
    **{f"reasoning-{name}": in_message(reasoning_content=value) for name, value in ODD.items()},
    "reasoning-other-name": in_message(reasoning={"a": 1}, reasoning_details=5, thinking=[1]),
    "reasoning-blocks": in_message(thinking_blocks=5, annotations=5, audio=5, images=7),
    "reasoning-10mb": in_message(reasoning_content="hm " * (3 * MIB)),
    "message-fields": in_message(provider_specific_fields=5),
    "message-fields-odd": in_message(provider_specific_fields={"refusal": {"a": 1}}),
    "message-dunder": in_message(__class__="x", model_dump=5, get=5, content_type=5),
}
