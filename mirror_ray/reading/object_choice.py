"""Which of several objects a reply commits to, and whether later words may take that back."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from mirror_ray.reading import grammar

Found: TypeAlias = tuple[int, int, Mapping[str, Any]]
"""Start, end and contents of an object."""

Coercion = Callable[[Mapping[str, Any]], tuple[dict[str, Any], tuple[str, ...]]]
"""Adapts a parsed object to the required vocabulary and names each change. Must not raise."""

Corrections: TypeAlias = tuple[re.Pattern[str], ...]
"""If one of them is between two objects, the later object replaces the earlier one."""

ENGLISH: Corrections = (
    re.compile(
        r"\b(?:wait|actually|correct(?:ion|ed)|instead|scratch|revis(?:ed|ing)|final(?:ly)?|sorry"
        r"|oops|updated?|answer|rather|second thoughts?|reconsider(?:ing)?|reply|response|hmm"
        r"|my mistake|no(?=[,.:;]))\b",
        re.IGNORECASE,
    ),
)
_DISOWNS = re.compile(
    rf"{grammar.TAKEN_BACK.pattern}|{grammar.DENIED.pattern}|\b(?:better|prefer\w*|meant|no longer"
    r"|(?:must|should) be|disregard|ignore|forget|cancel|undo|maybe|back"
    r"|(?:chang|edit|withdr|retract|scrap|replac)\w*)\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W\d_]+")
_PIECE = re.compile(r"<[^<>\n]{1,40}>|[.,;:!?\n—–(]|\bso\b|[ ]-[ ]")
_MOST_PIECES, _MOST_WORDS = 100, 6

_TWO = "it holds several objects that decide differently"
TAKEN_BACK = "words after the object take it back"


def trouble_of(
    body: str,
    found: Sequence[Found],
    coerce: Coercion,
    decisive: Sequence[str],
    corrections: Corrections = ENGLISH,
) -> str | None:
    """Return why it is uncertain that the reply commits to the last object; None if it is certain.
    All objects must agree in the keys `decisive`."""
    _, end, _ = found[-1]
    if decisive and is_taken_back(body[end:], corrections):
        return TAKEN_BACK
    if len({_decision(one, coerce, decisive) for _, _, one in found}) > 1:
        (_, before, _), (start, _, _) = found[-2:]
        if not any(one.search(body[before:start]) for one in corrections):
            return _TWO
    return None


def is_taken_back(after: str, corrections: Corrections = ENGLISH) -> bool:
    """Return whether words after a decision may take it back."""
    return any(one.search(after) for one in (*corrections, _DISOWNS))


def names_another(after: str, decide: Callable[[str], object], decided: object) -> bool:
    """Return whether a word in a short clause after a decision would itself be a different
    decision."""
    clauses = [_WORD.findall(clause) for clause in _PIECE.split(after)[:_MOST_PIECES]]
    words = {word for clause in clauses if len(clause) <= _MOST_WORDS for word in clause}
    return any(decide(word) not in (None, decide(""), decided) for word in words - {"a"})


def _decision(candidate: Mapping[str, Any], coerce: Coercion, decisive: Sequence[str]) -> str:
    if not decisive:
        return ""
    try:
        adapted, _ = coerce(candidate)
        return repr([adapted.get(key) for key in decisive])
    except RecursionError:
        return "nested too deeply"
