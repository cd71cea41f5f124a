"""Maps every server's finish reasons to a few.

Servers spell the same reason in many ways, and new ones appear, so parts of words are looked for.
One without any of them is `UNKNOWN`: such a reply is kept, and not read as a complete one.
"""

import re
from typing import Literal, TypeAlias

from mirror_ray.core.error_kinds import ErrorKind
from mirror_ray.core.shipped_files import shipped_yaml
from mirror_ray.core.types import CUT_BY_LENGTH, CUT_UNKNOWN

Finish: TypeAlias = Literal["stop", "tool_calls", "length", "unknown"]

_SAID = shipped_yaml("mirror_ray.providers", "finish_reasons.yaml")
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
