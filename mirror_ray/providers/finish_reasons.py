"""Maps every server's finish reasons to a few.

Servers spell the same reason in many ways, and new ones appear. An unlisted one is `UNKNOWN`: such
a reply is kept, and not read as a complete one.
"""

import re
from collections.abc import Mapping
from typing import Literal, TypeAlias

from mirror_ray.core.error_kinds import ErrorKind
from mirror_ray.core.types import CUT_BY_LENGTH, CUT_UNKNOWN

Finish: TypeAlias = Literal["stop", "tool_calls", "length", "unknown"]

_STOP = (
    *("stop", "end_turn", "eos", "eos_token", "stop_sequence", "stop_token", "complete"),
    *("completed", "finished", "end", "normal", "done", "end_of_text", "end_of_sequence", "word"),
    "pause_turn",
)
_TOOLS = ("tool_calls", "tool_call", "tool_use", "tool", "function_call")
_LENGTH = (
    *("length", "max_length", "max_tokens", "max_output_tokens", "max_completion_tokens"),
    *("max_new_tokens", "model_length", "token_limit", "tokens_limit", "length_limit", "limit"),
    *("length_capped", "length_exceeded", "max_token", "output_limit", "truncated", "incomplete"),
)
_FAILURES: Mapping[ErrorKind, tuple[str, ...]] = {
    "content_filter": (
        *("content_filter", "content_filtered", "contentfilter", "filtered", "filter", "safety"),
        *("image_safety", "prohibited_content", "blocklist", "blocked", "spii", "recitation"),
        *("sensitive", "guardrail_intervened", "error_toxic", "moderation", "censored", "policy"),
        *("image_prohibited_content", "image_recitation", "content_policy", "content_moderation"),
    ),
    "refusal": ("refusal", "refused"),
    "context_window": ("model_context_window_exceeded", "context_length_exceeded", "error_limit"),
    "rate_limit": ("rate_limit_exceeded", "rate_limit"),
    "timeout": ("timeout", "timed_out", "time_limit", "deadline_exceeded"),
    "connection": ("network_error", "connection_error", "disconnected"),
    "server": (
        *("error", "abort", "aborted", "cancel", "cancelled", "canceled", "user_cancel", "failed"),
        *("failure", "server_error", "internal_error", "engine_overloaded", "overloaded"),
        *("insufficient_system_resource", "malformed_response", "interrupted", "unavailable"),
        *("load", "unload", "malformed_model_output", "malformed_function_call", "exception"),
    ),
}

_ENDS: Mapping[str, Finish] = {
    **dict.fromkeys(_STOP, "stop"),
    **dict.fromkeys(_TOOLS, "tool_calls"),
    **dict.fromkeys(_LENGTH, CUT_BY_LENGTH),
}
_KINDS: Mapping[str, ErrorKind] = {
    word: kind for kind, words in _FAILURES.items() for word in words
}
_BEFORE = re.compile(r"^(?:finish_?reason|stop_?reason|done_?reason)[._:]+")
_MOST_CHARS = 200


def failure_of(finish: str | None, native: str | None) -> ErrorKind:
    """Return the kind of failure that either reason names, else "none".

    The native one takes precedence: routers pass a failure in mid-generation on as "stop".
    """
    return next(
        (kind for one in (native, finish) if (kind := _KINDS.get(_word(one))) is not None), "none"
    )


def end_of(finish: str | None, native: str | None) -> Finish | None:
    """Return how a reply without a failure ended; None if the server does not say. Either reason
    may say that the reply was cut: a router may call it "stop"."""
    words = [word for word in (_word(native), _word(finish)) if word]
    ends = [_ENDS.get(word, CUT_UNKNOWN) for word in words]
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
