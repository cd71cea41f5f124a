"""Classifies failed calls: one table from providers' many forms to our error kinds.

Reads status codes, wordings and exception names as litellm passes them on, without importing it.
The status on the wire counts: litellm rewrites statuses (413 becomes 429, 529 becomes 500), so the
innermost status of an exception's chain is read, and class names only without one."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from mirror_ray.core.error_kinds import ErrorKind
from mirror_ray.core.shipped_files import shipped_yaml
from mirror_ray.core.types import CUT_BY_LENGTH, CUT_UNKNOWN
from mirror_ray.providers.quota import grants_nothing

Finish: TypeAlias = Literal["stop", "tool_calls", "length", "unknown"]

_SAID = shipped_yaml("mirror_ray.providers", "classify.yaml")
_FAILURES: tuple[tuple[ErrorKind, re.Pattern[str]], ...] = tuple(
    (kind, re.compile("|".join(words))) for kind, words in _SAID["failures"].items()
)
_ENDS: tuple[tuple[Finish, re.Pattern[str]], ...] = tuple(
    (end, re.compile("|".join(words))) for end, words in _SAID["ends"].items()
)
_BEFORE = re.compile(r"^(?:finish_?reason|stop_?reason|done_?reason)[._:]+")
_MOST_CHARS = 200


def failure_of(finish: str | None, native: str | None) -> ErrorKind:
    """Return the kind of failure that either reason names, else "none".

    The native reason takes precedence, because routers report a failure during generation as
    "stop"."""
    return next(
        (kind for one in (native, finish) for kind, words in _FAILURES if words.search(_word(one))),
        "none",
    )


def end_of(finish: str | None, native: str | None) -> Finish | None:
    """Return how a reply without a failure ended; None if the server does not say. Either reason
    may say that the reply was cut, because a router may call this "stop"."""
    words = [word for word in (_word(native), _word(finish)) if word]
    ends = [
        next((end for end, pattern in _ENDS if pattern.search(word)), CUT_UNKNOWN) for word in words
    ]
    if not ends:
        return None
    if CUT_BY_LENGTH in ends:
        return CUT_BY_LENGTH
    # If the native word is unknown, the router's word decides.
    return next((end for end in reversed(ends) if end != CUT_UNKNOWN), CUT_UNKNOWN)


def _word(reason: str | None) -> str:
    text = (reason or "")[:_MOST_CHARS].strip()
    # MAX_TOKENS and maxTokens are max_tokens.
    parted = text if text.upper() == text else re.sub(r"(?<=[a-z])(?=[A-Z])", "_", text)
    return _BEFORE.sub("", re.sub(r"[\s-]+", "_", parted.lower()))


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


_UNREADABLE = frozenset({"JSONDecodeError", "APIResponseValidationError"})

_TIMED_OUT = frozenset(_SAID["timed_out"])
_NOT_CONNECTED = frozenset(_SAID["not_connected"])
_WORDINGS: tuple[tuple[ErrorKind, str], ...] = tuple(
    (kind, said) for kind, said in _SAID["wordings"]
)
"""Wordings, in lower case, that are more specific than a 4xx status, or than a missing status."""

_ADVICE: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile("|".join(one["words"])), one["do"]) for one in _SAID["advice"]
)
"""Refusals, in lower case, that no repetition cures, and what to do. Some come with status 500."""

_NO_CAPACITY = re.compile(r"resource[_ ]unavailable|capacity|overloaded|high demand")
"""Matched with a 429 in lower case: OpenAI's and gateways' words for a shed flex call."""

_FOR_GOOD: frozenset[ErrorKind] = frozenset({"auth", "context_window"})
"""Kinds of wordings that count with any status: a gateway may send every error as 500."""

_READ_CHARS = 8_000
"""The reason is at the beginning; echoes of the request follow it."""

_BY_STATUS: Mapping[int, ErrorKind] = {
    status: kind for kind, statuses in _SAID["statuses"].items() for status in statuses
}


def kind_of_failure(failure: Failure) -> ErrorKind:
    """Return the error kind of a call that raised; "internal" if no provider can cause it."""
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
    """Return whether a call at a tier without promised capacity was refused for lack of capacity. A
    429 without such words is the key's own rate limit."""
    if failure.status == 429:
        return _NO_CAPACITY.search(failure.text[:_READ_CHARS].lower()) is not None
    return failure.status == 503


def kind_of_status(status: int, text: str) -> ErrorKind:
    """Return the error kind of an HTTP status, or of the same code inside a body, and its
    message."""
    if status >= 400 and (worded := _worded(text)) and (status < 500 or worded in _FOR_GOOD):
        return worded
    if status >= 500 and advice_of(text) is not None:
        return "bad_request"
    if status == 429 and "request too large" in text[:_READ_CHARS].lower():
        return "bad_request"
    known = _BY_STATUS.get(status)
    if known is not None:
        return known
    return "bad_request" if 400 <= status < 500 else "server"


def advice_of(text: str) -> str | None:
    """Return what to do about a refusal that no repetition cures; None for other errors."""
    lowered = text[:_READ_CHARS].lower()
    return next((words for pattern, words in _ADVICE if pattern.search(lowered)), None)


def kind_of_finish(
    finish_reason: str | None, native_finish_reason: str | None, refusal: str | None
) -> ErrorKind:
    """Return the error kind of a complete reply; "none" if it is the model's own text.

    The provider's native reason takes precedence, because OpenRouter reports a failure during
    generation as "stop", and a refusal as a filter."""
    kind = failure_of(finish_reason, native_finish_reason)
    return "refusal" if kind == "none" and refusal else kind


def _worded(text: str) -> ErrorKind | None:
    text = text[:_READ_CHARS].lower()
    return next((kind for kind, words in _WORDINGS if re.search(words, text)), None)
