"""Reads a chat completion's JSON from any sender into the fields that `hosted_reply` reads."""

import json
import re
from collections.abc import Mapping
from typing import Any

from mirror_ray.core.plain_json import parse_json
from mirror_ray.providers.body_words import base_resp_status, body_words
from mirror_ray.providers.completion_body import plain_body
from mirror_ray.providers.exchange import MOST_FAILURE_BYTES, Exchange
from mirror_ray.providers.failed_call import http_code

_THOUGHTS = re.compile(r"<(think|thinking)>")


class HttpError(Exception):
    """The server answered with a failure; `body` is the beginning of its message."""

    def __init__(self, status: int, headers: Mapping[str, str], body: str) -> None:
        super().__init__(body or f"status {status}")
        self.status_code = status
        self.response_headers = dict(headers)


def completion_of(body: bytes, headers: Mapping[str, str], exchange: Exchange) -> Mapping[str, Any]:
    """Return the reply's fields for `hosted_reply`.

    Raises:
        HttpError: it reports a failure.
        RefusedReplyError: it is not a completion; `exchange` says why.
    """
    plain, exchange.ignored = plain_body(body, MOST_FAILURE_BYTES)
    try:
        data = parse_json(plain)
    except ValueError:
        data = None
    if not isinstance(data, dict):
        said = plain[:200].decode("utf-8", "replace")
        raise exchange.refuse("server", f"the reply is not a JSON object: {said}")
    choices = data.get("choices")
    if not choices:
        if data.get("error"):
            code = data["error"].get("code") if isinstance(data["error"], dict) else None
            raise HttpError(http_code(code) or 500, headers, json.dumps(data["error"]))
        if status := base_resp_status(data):
            raise HttpError(status, headers, json.dumps({"base_resp": data["base_resp"]}))
        if not isinstance(choices, list):
            words = body_words(data)
            said = "the provider sent no choices"
            raise exchange.refuse("server", f"{said}: {words}" if words else said)
    hidden = {"additional_headers": headers}
    trouble = {"error": data["error"]} if data.get("error") else {}
    return {**data, "choices": [_choice(one, trouble) for one in choices], "_hidden_params": hidden}


def _choice(choice: Mapping[str, Any], trouble: Mapping[str, Any]) -> Mapping[str, Any]:
    message = dict(choice["message"])
    thoughts = message.get("reasoning_content") or message.get("reasoning")
    if thoughts is None:
        thoughts, message["content"] = _parted(message["content"])
    message["reasoning_content"] = thoughts
    message["provider_specific_fields"] = {"refusal": message.get("refusal")}
    return {**choice, "message": message, "provider_specific_fields": {**trouble, **choice}}


def _parted(content: str | None) -> tuple[str | None, str | None]:
    opening = _THOUGHTS.match(content or "")
    if content is None or opening is None:
        return None, content
    closing = f"</{opening[1]}>"
    end = content.find(closing, opening.end())
    if end < 0:
        return None, content
    return content[opening.end() : end], content[end + len(closing) :]
