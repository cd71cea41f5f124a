"""The caller's key, given back wherever a reply has room for it."""

import re
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Callable, Mapping
from functools import partial
from urllib.parse import quote, quote_plus

from hostile_ways.answers import Asked, Way, failed, in_choice, in_message, put, put_all, sent

Form = Callable[[str], str]

FORMS: Mapping[str, Form] = {
    "plain": str,
    "base64": lambda key: b64encode(key.encode()).decode(),
    "base64-url": lambda key: urlsafe_b64encode(key.encode()).decode(),
    "base64-open": lambda key: b64encode(key.encode()).decode().rstrip("="),
    "base64-bearer": lambda key: b64encode(f"Bearer {key}".encode()).decode(),
    "base64-basic": lambda key: b64encode(f"user:{key}".encode()).decode(),
    "url": partial(quote, safe=""),
    "url-lower": lambda key: _lower_escapes(quote(key, safe="")),
    "url-plus": quote_plus,
    "url-path": quote,
}
"""How a key is written. All of them are to be found and removed."""


def _lower_escapes(quoted: str) -> str:
    return re.sub("%..", lambda escape: escape[0].lower(), quoted)


def _key(form: str = "plain", around: str = "it is {} so far") -> Callable[[Asked], str]:
    return lambda asked: around.format(FORMS[form](asked.key))


def _authorization(asked: Asked) -> str:
    return f"headers: {{'Authorization': '{asked.call.authorization}'}}"


KEYS: Mapping[str, Way] = {
    **{f"key-content-{form}": put("choices.0.message.content", _key(form)) for form in FORMS},
    **{f"key-error-{form}": failed(400, _key(form), "bad") for form in FORMS},
    **{
        f"key-reasoning-{form}": put("choices.0.message.reasoning_content", _key(form))
        for form in FORMS
    },
    "key-model": put("model", _key(around="{}")),
    "key-model-base64": put("model", _key("base64", "{}")),
    "key-model-long": put("model", _key(around="m" * 290 + "{}")),
    "key-model-straddles": put("model", _key(around="m" * 190 + "{}")),
    "key-finish-straddles": in_choice(finish_reason=_key(around="f" * 190 + "{}")),
    "key-error-straddles": failed(500, lambda asked: ("x" * 5990 + asked.key) * 3),
    "key-refusal-straddles": in_message(content=None, refusal=_key(around="no " * 97 + "{}")),
    "key-id": put("id", _key(around="{}")),
    "key-fingerprint": put("system_fingerprint", _key()),
    "key-finish": in_choice(finish_reason=_key(around="{}")),
    "key-finish-url": in_choice(finish_reason=_key("url", "{}")),
    "key-native": in_choice(native_finish_reason=_key(around="{}")),
    "key-native-base64": in_choice(native_finish_reason=_key("base64", "{}")),
    "key-role": in_message(role=_key(around="{}")),
    "key-refusal": in_message(content=None, refusal=_key()),
    "key-tools": in_message(
        content=None,
        tool_calls=[{"id": "i", "type": "function", "function": {"name": "n", "arguments": "{}"}}],
        reasoning_content=_key(),
    ),
    "key-choice-error": in_choice(error=lambda asked: {"code": 502, "message": asked.key}),
    "key-choice-error-code": in_choice(error=lambda asked: {"code": asked.key, "message": "no"}),
    "key-top-error": put_all(error=lambda asked: {"code": 500, "message": asked.key}),
    "key-401": failed(401, _authorization, "invalid_api_key"),
    "key-500": failed(500, _authorization),
    "key-429": failed(429, _authorization, "rate_limit_exceeded"),
    "key-error-code": sent(
        lambda asked: {"error": {"message": "no", "code": asked.key, "type": asked.key}}, status=400
    ),
    "key-error-cut": failed(500, lambda asked: "x" * 200 + asked.key * 20),
    "key-error-split": failed(500, lambda asked: "x" * 270 + asked.key),
    "key-error-html": sent(
        lambda asked: f"<p>{asked.key}</p>", status=500, content_type="text/html"
    ),
    "key-error-json": sent(lambda asked: f'{{"k": "{asked.key}"', status=500),
    "key-body": sent(lambda asked: asked.key),
    "key-body-json": sent(lambda asked: [asked.key]),
    "key-often": put("choices.0.message.content", _key(around="{0} {0}\n{0}")),
    "key-in-words": put("choices.0.message.content", lambda asked: asked.words + asked.key),
    "key-as-json": put(
        "choices.0.message.content", lambda asked: f'{{"answer": "{asked.key}", "k": 1}}'
    ),
    "key-as-name": put("choices.0.message.content", lambda asked: f'{{"{asked.key}": 1}}'),
}
