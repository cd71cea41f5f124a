"""Decides whether an answer has the steps of the key, in order.

It knows numbered steps and the words of a step. [Our decision] A step is matched by the line that
has most of its words, at least `ENOUGH_WORDS`. Other steps may come between."""

import re
from collections.abc import Sequence
from itertools import pairwise

ENOUGH_WORDS = 0.5
LONGEST_STEPS_CHARS = 8_000
_NUMBERED = re.compile(r"(?:^|[,;.]? )\d{1,2}[.)] ")
_WORD = re.compile(r"[^\W_]++")
_SMALL_WORDS = frozenset(
    (
        *("a", "an", "the", "of", "in", "on", "at", "to", "for", "from", "by", "with", "and"),
        *("or", "then", "it", "its", "your", "you", "is", "are", "be", "into"),
    )
)


def numbered_steps(text: str) -> list[str]:
    """Return the steps of “1. …, 2. …”; none if the text is not numbered like this."""
    first, *steps = _NUMBERED.split(text)
    return [step.strip() for step in steps] if not first.strip() and len(steps) > 1 else []


def are_taken_in_order(steps: Sequence[str], lines: Sequence[str]) -> bool:
    """Return whether each step is matched by a line after the previous step's."""
    said = [words for line in lines if (words := _words(line))]
    places = [_place_of(_words(step), said) for step in steps]
    return None not in places and all(a < b for a, b in pairwise(filter(None, places)))


def _place_of(step: set[str], lines: Sequence[set[str]]) -> int | None:
    place, most = None, (0.0, 0.0)
    for number, words in enumerate(lines, 1):
        shared = len(step & words)
        alike = shared / len(step), shared / len(step | words)
        if alike > most:
            place, most = number, alike
    return place if most[0] >= ENOUGH_WORDS else None


def _words(text: str) -> set[str]:
    return {word[:5] for word in _WORD.findall(text.casefold()) if word not in _SMALL_WORDS}
