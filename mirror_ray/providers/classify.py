"""Classifies failed calls: one table from providers' many forms to our error kinds.

The classification uses status codes, wordings and exception names as litellm passes them on;
litellm is not imported. The status on the wire counts: litellm rewrites statuses (413 becomes 429,
529 becomes 500), so the innermost status of an exception's chain is read, and the class names only
if there is none.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from mirror_ray.providers.finish_reasons import failure_of
from mirror_ray.providers.quota import grants_nothing
from mirror_ray.types import ErrorKind


@dataclass(frozen=True, slots=True)
class Failure:
    """A failed call, free of any library's types.

    Args:
        names: class names along the exception's chain, outermost first.
        status: the innermost HTTP status; None if there was no reply.
        text: the provider's message, uncut.
        headers: of the failed reply, names in lower case.
    """

    names: tuple[str, ...]
    status: int | None
    text: str
    headers: Mapping[str, str]


_TIMED_OUT = frozenset(
    {
        *("Timeout", "TimeoutError", "APITimeoutError", "ReadTimeout", "WriteTimeout"),
        *("ConnectTimeout", "PoolTimeout", "ServerTimeoutError", "SocketTimeoutError"),
        "ConnectionTimeoutError",
    }
)
_NOT_CONNECTED = frozenset(
    {
        *("ReadError", "WriteError", "ConnectError", "CloseError", "RemoteProtocolError"),
        *("ServerDisconnectedError", "ClientConnectorError", "ClientPayloadError"),
        *("ClientOSError", "ContentLengthError", "ConnectionResetError", "SSLError"),
        *("ConnectionRefusedError", "ConnectionError", "BrokenPipeError", "ProxyError"),
    }
)
_UNREADABLE = frozenset({"JSONDecodeError", "APIResponseValidationError"})

_WORDINGS: tuple[tuple[ErrorKind, str], ...] = (
    # Waiting does not help an account that cannot pay. Gemini words a rate limit alike ("exceeded
    # your current quota"), hence the codes only.
    ("auth", r"insufficient[_ ](quota|credits|balance|funds)|exceeded_current_quota_error"),
    ("auth", r"billing_hard_limit_reached|billing_not_active|account is not active"),
    ("auth", r"credit balance is too low|payment required|(account|organization) .{0,20}suspended"),
    ("auth", r"location is not supported|unsupported_country"),
    ("auth", r"api[_ ]key[_ ](not valid|invalid)|(incorrect|invalid) api key"),
    ("context_window", r"context_length_exceeded|maximum context length|context window"),
    ("context_window", r"prompt is too long|input is too long|too many (input )?tokens( in|:)"),
    ("context_window", r"maximum prompt length|reduce the length of the messages"),
    ("context_window", r"exceed context limit|tokens \+ `?max_new_tokens`? must be"),
    (
        "context_window",
        r"input token count .{0,40}exceeds|exceeds? .{0,30}context (length|size)",
    ),
    ("content_filter", r"content_policy|content[_ ]filter|content management policy"),
    ("content_filter", r"safety system|flagged|requires moderation|responsibleaipolicy"),
    ("content_filter", r"prohibited_content|blocked by .{0,30}(safety|filter)"),
    ("server", r"error converting to valid response|unable to get json response"),
    ("server", r"empty or invalid response|response with no 'choices'|'choices' that is not"),
)
"""Wordings, in lower case, that are more specific than a 4xx status, or than no status."""

_NO_CAPACITY = re.compile(r"resource[_ ]unavailable|capacity|overloaded|high demand")
"""Of a 429 in lower case: OpenAI's words for a flex call that it sheds, and gateways'."""

_READ_CHARS = 8_000
"""The reason is at the beginning; echoes of the request follow it."""

_BY_STATUS: Mapping[int, ErrorKind] = {
    401: "auth",
    402: "auth",
    403: "auth",
    407: "auth",
    408: "timeout",
    425: "server",
    429: "rate_limit",
    498: "server",
    499: "timeout",
    504: "timeout",
    522: "connection",
    523: "connection",
    524: "timeout",
}


def kind_of_failure(failure: Failure) -> ErrorKind:
    """The error kind of a call that raised; "internal" only for what no provider can cause."""
    names = set(failure.names)
    if names & _TIMED_OUT:
        return "timeout"
    # Outermost, APIConnectionError is litellm's name for anything unforeseen; further in, it is
    # the OpenAI client's.
    if names & _NOT_CONNECTED or "APIConnectionError" in failure.names[1:]:
        return "connection"
    if names & _UNREADABLE:
        return "server"
    if failure.status is None:
        return _worded(failure.text) or "internal"
    if failure.status == 429 and grants_nothing(failure.headers):
        return "auth"
    return kind_of_status(failure.status, failure.text)


def is_shed(failure: Failure) -> bool:
    """Whether a call at a tier without a promise of capacity was turned away for want of it.

    A 429 without such words is the key's own rate limit.
    """
    if failure.status == 429:
        return _NO_CAPACITY.search(failure.text[:_READ_CHARS].lower()) is not None
    return failure.status == 503


def kind_of_status(status: int, text: str) -> ErrorKind:
    """The error kind of an HTTP status, or of the same code inside a body, and its words."""
    if 400 <= status < 500 and (worded := _worded(text)):
        return worded
    if status == 429 and "request too large" in text[:_READ_CHARS].lower():
        return "bad_request"
    known = _BY_STATUS.get(status)
    if known is not None:
        return known
    return "bad_request" if 400 <= status < 500 else "server"


def kind_of_finish(
    finish_reason: str | None, native_finish_reason: str | None, refusal: str | None
) -> ErrorKind:
    """The error kind of a reply that arrived whole; "none" if it is the model's own words.

    The provider's native reason takes precedence: OpenRouter passes a failure in mid-generation on
    as "stop", and a refusal as a filter.
    """
    kind = failure_of(finish_reason, native_finish_reason)
    if kind != "none":
        return kind
    return "refusal" if refusal else "none"


def _worded(text: str) -> ErrorKind | None:
    text = text[:_READ_CHARS].lower()
    return next((kind for kind, words in _WORDINGS if re.search(words, text)), None)
