"""Finds the provider's own message in the body of an error response.

OpenAI's form is ``{"error": {"message": …, "code": …, "param": …}}``. FastAPI has ``detail``,
MiniMax ``base_resp``, OpenRouter the upstream provider's message in ``metadata.raw``, Groq the
model's text in ``failed_generation``; others have a flat ``message`` or a bare text."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from mirror_ray.core.plain_json import parse_json
from mirror_ray.core.shipped_files import shipped_yaml
from mirror_ray.core.untrusted import printable

_SAID = shipped_yaml("mirror_ray.providers", "body_words.yaml")
_STATUS_OF: Mapping[int, int] = {
    code: status for status, codes in _SAID["base_resp"] for code in codes
}
_ELEMENT = re.compile(r"<(title|message)>\s{0,20}([^<]{1,300})", re.IGNORECASE)
"""In a gateway's page, and in S3's XML."""
_DEEPEST = 6
_MOST_BODY_CHARS = 100_000
_MOST_CHARS = 600
_MOST_WRITTEN_CHARS = 200
_MOST_FAULTS = 5


def body_words(body: object) -> str | None:
    """Return the message in an error body (a text or parsed JSON); None if it has no known form."""
    words = _words(_parsed(body), _DEEPEST)
    return printable(words) if words else None


def base_resp_status(data: Mapping[str, Any]) -> int | None:
    """Return the HTTP status of an error that MiniMax sends as 200; otherwise None."""
    told = data.get("base_resp")
    code = told.get("status_code") if isinstance(told, Mapping) else None
    if not isinstance(code, int) or isinstance(code, bool) or code == 0:
        return None
    return _STATUS_OF.get(code, 500)


def _parsed(body: object) -> object:
    if not isinstance(body, str):
        return body
    text = body.strip()
    if not text.startswith(("{", "[")) or len(text) > _MOST_BODY_CHARS:
        return text
    try:
        return parse_json(text)
    except ValueError:
        return text


def _words(told: object, deep: int) -> str | None:
    if isinstance(told, str):
        if deep and (inner := _parsed(told)) is not told and not isinstance(inner, str):
            return _words(inner, deep - 1) or told[:_MOST_CHARS]
        found = _ELEMENT.search(told[:_MOST_CHARS]) if told.startswith("<") else None
        return (found[2].strip() if found else told[:_MOST_CHARS]) or None
    if isinstance(told, list):
        # FastAPI's and pydantic's lists of faults; Google's list of one error.
        faults = filter(None, (_words(one, deep - 1) for one in told[:_MOST_FAULTS] if deep))
        return "; ".join(faults)[:_MOST_CHARS] or None
    if not isinstance(told, Mapping) or not deep:
        return None
    told = {name.lower(): value for name, value in told.items() if isinstance(name, str)}
    message = next(_messages(told, deep), None)
    if message is None:
        return None
    return "".join((message, *_besides(told, message, deep)))


def _messages(told: Mapping[str, Any], deep: int) -> Iterator[str]:
    """Yield candidates for the message; the first one counts."""
    for name in _SAID["holders"]:
        inner = told.get(name)
        is_code = isinstance(inner, str) and inner.isidentifier() and len(told) > 1
        if inner and not is_code and (words := _words(inner, deep - 1)):
            yield words
    place = told.get("loc")
    where = f"{'.'.join(map(str, place[:_MOST_FAULTS]))}: " if isinstance(place, list) else ""
    for name in _SAID["messages"]:
        value = told.get(name)
        if isinstance(value, (str, list)) and value and (words := _words(value, deep - 1)):
            yield where + words
    for name in _SAID["last_holders"]:
        value = told.get(name)
        if isinstance(value, Mapping) and (words := _words(value, deep - 1)):
            yield words
    if isinstance(code := told.get("error"), str) and code:
        yield code


def _besides(told: Mapping[str, Any], message: str, deep: int) -> Iterator[str]:
    """Yield codes that the message lacks, the upstream provider's message, and the model's text."""
    codes = [
        str(value)
        for name in _SAID["codes"]
        if isinstance(value := told.get(name), (str, int)) and not isinstance(value, bool)
        if value and str(value)[:_MOST_WRITTEN_CHARS] not in message
    ]
    if codes and "loc" not in told:
        yield f" ({', '.join(one[:_MOST_WRITTEN_CHARS] for one in dict.fromkeys(codes))})"
    metadata = told.get("metadata")
    if isinstance(metadata, Mapping):
        raw = _words(_parsed(metadata.get("raw")), deep - 1)
        who = metadata.get("provider_name")
        if raw and raw not in message:
            yield f" [{who if isinstance(who, str) else 'behind it'}: {raw}]"
    written = told.get("failed_generation")
    if isinstance(written, str) and written:
        yield f"; the model had written: {written[:_MOST_WRITTEN_CHARS]}"
