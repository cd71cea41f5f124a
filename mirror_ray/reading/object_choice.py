"""Which of several objects a reply commits to, and whether its words take that back."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

Found: TypeAlias = tuple[int, int, Mapping[str, Any]]
"""Begin, end and contents of an object."""

Coercion = Callable[[Mapping[str, Any]], tuple[dict[str, Any], tuple[str, ...]]]
"""Adapts a parsed object to the wanted vocabulary; names each change it made. Must not raise."""

# Words by which a later object replaces an earlier one; those that take back what precedes them.
_CORRECTS = re.compile(
    r"\b(?:wait|actually|correct(?:ion|ed)|instead|scratch|revis(?:ed|ing)|final(?:ly)?|sorry|oops"
    r"|updated?|answer|rather|second thoughts?|reconsider(?:ing)?|reply|response|hmm|my mistake"
    r"|no(?=[,.:;]))\b",
    re.IGNORECASE,
)
_TAKES_BACK = re.compile(
    r"\b(?:wait|actually|correction|scratch that|on second thoughts?|take (?:that|it) back"
    r"|reconsider(?:ing)?|i meant|should have been|disregard|ignore (?:that|this|the above))\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Corrections:
    """How a language corrects itself.

    Args:
        corrects: one of them between two objects puts the later one in the earlier one's place.
        takes_back: one of them after an object takes it back.
    """

    corrects: tuple[re.Pattern[str], ...]
    takes_back: tuple[re.Pattern[str], ...]


ENGLISH = Corrections((_CORRECTS,), (_TAKES_BACK,))

_TWO = "it holds several objects that decide differently"
_TAKEN_BACK = "words after the object take it back"


def trouble_of(
    body: str,
    found: Sequence[Found],
    coerce: Coercion,
    decisive: Sequence[str],
    corrections: Corrections = ENGLISH,
) -> str | None:
    """Return why it is uncertain that the reply commits to the last object; None if it is certain.

    Args:
        decisive: the keys in which all objects must agree.
    """
    _, end, _ = found[-1]
    if decisive and is_taken_back(body[end:], corrections):
        return _TAKEN_BACK
    if len({_decision(one, coerce, decisive) for _, _, one in found}) > 1:
        (_, before, _), (start, _, _) = found[-2:]
        if not any(one.search(body[before:start]) for one in corrections.corrects):
            return _TWO
    return None


def trouble_of_repairs(
    body: str,
    found: Sequence[Mapping[str, Any]],
    coerce: Coercion,
    decisive: Sequence[str],
    corrections: Corrections = ENGLISH,
) -> str | None:
    """Return the same for objects of a repair, whose positions in the text are unknown."""
    if len({_decision(one, coerce, decisive) for one in found}) > 1:
        return _TWO
    _, closed, after = body.rpartition("}")
    return _TAKEN_BACK if decisive and closed and is_taken_back(after, corrections) else None


def is_taken_back(after: str, corrections: Corrections = ENGLISH) -> bool:
    """Return whether words after an object take it back."""
    return any(one.search(after) for one in corrections.takes_back)


def _decision(candidate: Mapping[str, Any], coerce: Coercion, decisive: Sequence[str]) -> str:
    if not decisive:
        return ""
    try:
        adapted, _ = coerce(candidate)
        return repr([adapted.get(key) for key in decisive])
    except RecursionError:
        return "nested too deeply"
