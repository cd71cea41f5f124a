"""Styles of writing: grammars that generate sentences, and a measure of how unlike a style a
sentence is.

Two styles describe the same events in different words, so that a revision is a foreign sentence
among the author's.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import log
from re import findall

import numpy as np

from mirror_ray.core.identity import seeded

SENTENCES_KNOWN = 400
"""Number of sentences from which the likelihood of a style is estimated."""

UNSEEN = 0.5
"""Added to every word's count."""


@dataclass(frozen=True, slots=True)
class Style:
    """A grammar: a pattern of named parts, each with its choices."""

    patterns: Sequence[str]
    parts: Mapping[str, Sequence[str]]


_SUBJECTS = ("the keeper", "the child", "the stranger", "her neighbour", "the old dog")

STYLES: Mapping[str, Style] = {
    "ornate": Style(
        (
            "{when}, {subject} {gazed} the {shining} {place}, {while_}.",
            "{subject} {gazed} the {place}, whose {shining} silence {while_}.",
            "Beneath the {shining} {place}, {subject} {gazed} the horizon, {while_}.",
        ),
        {
            "when": (
                "As twilight unfurled its velvet shawl",
                "Beneath the trembling constellations",
                "While the amber dusk dissolved",
            ),
            "subject": _SUBJECTS,
            "gazed": (
                "gazed wistfully upon",
                "wandered dreamily toward",
                "lingered breathlessly before",
            ),
            "shining": ("gossamer", "luminous", "sorrowful", "silvered"),
            "place": ("harbour", "orchard", "cathedral of leaves", "winding river"),
            "while_": (
                "as though time itself had paused to listen",
                "murmuring forgotten lullabies",
                "cradling a tender, nameless longing",
            ),
        },
    ),
    "terse": Style(
        ("{subject} {did}.", "{subject} {did} and {did}.", "Then {subject} {did}."),
        {
            "subject": _SUBJECTS,
            "did": (
                "opened the door",
                "sat down",
                "read the note",
                "said nothing",
                "walked home",
                "checked the lock",
                "made tea",
                "left early",
            ),
        },
    ),
    "jolly": Style(
        (
            "Guess what, {subject} {did}, and everybody {cheered}!",
            "Oh dear, {subject} {did} again, but {cheered} anyway!",
        ),
        {
            "subject": _SUBJECTS,
            "did": (
                "tumbled into the pancakes",
                "juggled three turnips",
                "danced with a broom",
                "sneezed on the mayor",
                "hiccupped through the parade",
            ),
            "cheered": (
                "giggled like mad",
                "clapped until supper",
                "laughed their socks off",
                "whooped for joy",
            ),
        },
    ),
}


def sentence(style: str, rng: np.random.Generator) -> str:
    """Return one sentence, its first letter a capital."""
    grammar = STYLES[style]
    text = str(rng.choice(grammar.patterns))
    while "{" in text:
        name = text[text.index("{") + 1 : text.index("}")]
        text = text.replace(f"{{{name}}}", str(rng.choice(grammar.parts[name])), 1)
    return text[0].upper() + text[1:]


def strangest(style: str, sentences: Sequence[str]) -> int:
    """Return the 1-based number of the sentence that is least like the style, per word."""
    likelihoods = [_log_likelihood(style, one) for one in sentences]
    return 1 + min(range(len(sentences)), key=likelihoods.__getitem__)


def more_alike(style: str, first: str, second: str) -> int:
    """Return 1 or 2: which of two sentences is more like the style."""
    return 3 - strangest(style, (first, second))


def most_alike(styles: Sequence[str], text: str) -> str:
    """Return the style that a sentence is most like."""
    return max(styles, key=lambda style: _log_likelihood(style, text))


def _log_likelihood(style: str, text: str) -> float:
    counts, total = _words_of(style)
    words = _split(text)
    chances = [
        log((counts[word] + UNSEEN) / (total + UNSEEN * (len(counts) + 1))) for word in words
    ]
    return sum(chances) / len(chances) if chances else float("-inf")


@lru_cache(maxsize=len(STYLES))
def _words_of(style: str) -> tuple[Counter[str], int]:
    rng = seeded("textmirror style", style)
    counts = Counter(w for _ in range(SENTENCES_KNOWN) for w in _split(sentence(style, rng)))
    return counts, counts.total()


def _split(text: str) -> list[str]:
    return findall(r"[a-z']+", text.lower())
