"""Maps every server's finish reasons to a few.

Servers spell the same reason in many ways, and new ones appear, so parts of words are looked for.
One without any of them is `UNKNOWN`: such a reply is kept, and not read as a complete one.
"""

import re
from typing import Literal, TypeAlias

from mirror_ray.core.error_kinds import ErrorKind
from mirror_ray.core.types import CUT_BY_LENGTH, CUT_UNKNOWN

Finish: TypeAlias = Literal["stop", "tool_calls", "length", "unknown"]

_FAILURES: tuple[tuple[ErrorKind, re.Pattern[str]], ...] = (
    (
        "content_filter",
        re.compile(
            r"filter|safety|prohibited|block(?:ed|list)|spii|\bpii|recitation|sensitiv|guardrail"
            r"|toxic|moderat|censor|polic|harmful|jailbreak|violation|flagged|model_armor"
        ),
    ),
    ("refusal", re.compile(r"refus")),
    ("context_window", re.compile(r"context_(?:window|length|size|limit|overflow)|error_limit")),
    ("rate_limit", re.compile(r"rate_limit|quota")),
    ("timeout", re.compile(r"timed?_?out|time_limit|deadline")),
    ("connection", re.compile(r"network|connection|disconnect")),
    (
        "server",
        re.compile(
            r"error|abort|cancel|fail|overload|insufficient_system|malformed|interrupt|unavailable"
            r"|exception|^(?:un)?load$|unexpected|preempt|evict|kill|shut_?down|crash|internal"
        ),
    ),
)
_ENDS: tuple[tuple[Finish, re.Pattern[str]], ...] = (
    (
        CUT_BY_LENGTH,
        re.compile(
            r"length|limit|max|truncat|incomplete|too_long|_len\b|out_of_(?:tokens?|room)"
            r"|(?:tokens?|budget)_(?:exhaust|exceed|reach)"
        ),
    ),
    ("tool_calls", re.compile(r"tool|function_call")),
    (
        "stop",
        re.compile(r"^(?:finish_)?(?:stop|eos|end|complete|done|finish|normal|word$|pause_turn)"),
    ),
)
"""What a reason's words mean; the first that fits counts, failures before ends."""
_BEFORE = re.compile(r"^(?:finish_?reason|stop_?reason|done_?reason)[._:]+")
_MOST_CHARS = 200


def failure_of(finish: str | None, native: str | None) -> ErrorKind:
    """Return the kind of failure that either reason names, else "none".

    The native one takes precedence: routers pass a failure in mid-generation on as "stop".
    """
    return next(
        (kind for one in (native, finish) for kind, words in _FAILURES if words.search(_word(one))),
        "none",
    )


def end_of(finish: str | None, native: str | None) -> Finish | None:
    """Return how a reply without a failure ended; None if the server does not say. Either reason
    may say that the reply was cut: a router may call it "stop"."""
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
