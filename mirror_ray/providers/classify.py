"""Classifies failed calls: one table from providers' many forms to our error kinds.

Reads status codes, wordings and exception names as litellm passes them on, without importing it.
The status on the wire counts: litellm rewrites statuses (413 becomes 429, 529 becomes 500), so the
innermost status of an exception's chain is read, and class names only without one.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from mirror_ray.core.error_kinds import ErrorKind
from mirror_ray.core.shipped_files import shipped_yaml
from mirror_ray.providers.finish_reasons import failure_of
from mirror_ray.providers.quota import grants_nothing


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

_SAID = shipped_yaml("mirror_ray.providers", "classify.yaml")
_TIMED_OUT = frozenset(_SAID["timed_out"])
_NOT_CONNECTED = frozenset(_SAID["not_connected"])
_WORDINGS: tuple[tuple[ErrorKind, str], ...] = tuple(
    (kind, said) for kind, said in _SAID["wordings"]
)
"""Wordings, in lower case, that are more specific than a 4xx status, or than no status."""

_ADVICE: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile("|".join(one["words"])), one["do"]) for one in _SAID["advice"]
)
"""Refusals in lower case that no repetition cures, and what to do. Some come as 500."""

_NO_CAPACITY = re.compile(r"resource[_ ]unavailable|capacity|overloaded|high demand")
"""Applied to a 429 in lower case: the words of OpenAI and of gateways for a flex call that
is shed.
"""

_FOR_GOOD: frozenset[ErrorKind] = frozenset({"auth", "context_window"})
"""Kinds of wordings that count with any status: a gateway may send every error as 500."""

_READ_CHARS = 8_000
"""The reason is at the beginning; echoes of the request follow it."""

_BY_STATUS: Mapping[int, ErrorKind] = {
    status: kind for kind, statuses in _SAID["statuses"].items() for status in statuses
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
    """Whether a call at a tier without promised capacity was refused for lack of it. A 429 without
    such words is the key's own rate limit."""
    if failure.status == 429:
        return _NO_CAPACITY.search(failure.text[:_READ_CHARS].lower()) is not None
    return failure.status == 503


def kind_of_status(status: int, text: str) -> ErrorKind:
    """The error kind of an HTTP status, or of the same code inside a body, and its words."""
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
    """What to do about a refusal that no repetition cures; None for other errors."""
    lowered = text[:_READ_CHARS].lower()
    return next((words for pattern, words in _ADVICE if pattern.search(lowered)), None)


def kind_of_finish(
    finish_reason: str | None, native_finish_reason: str | None, refusal: str | None
) -> ErrorKind:
    """Return the error kind of a complete reply; "none" if it is the model's own text.

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
