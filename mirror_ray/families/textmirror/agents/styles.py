"""Styles of writing: grammars that generate sentences, and a sentence's distance from a style.

Two styles put the same events into different words, so that a revision is a foreign sentence."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import log
from re import findall

import numpy as np

from mirror_ray.core.identity import seeded
from mirror_ray.core.shipped_files import shipped_yaml

SENTENCES_KNOWN = 400
"""Number of sentences from which the likelihood of a style is estimated."""

UNSEEN = 0.5
"""Added to each word's count."""


@dataclass(frozen=True, slots=True)
class Style:
    """A grammar: a pattern of named parts, each with its choices."""

    patterns: Sequence[str]
    parts: Mapping[str, Sequence[str]]


STYLES: Mapping[str, Style] = {
    name: Style(**said)
    for name, said in shipped_yaml("mirror_ray.families.textmirror.agents", "styles.yaml")[
        "styles"
    ].items()
}


def sentence(style: str, rng: np.random.Generator) -> str:
    """Return one sentence, which begins with a capital letter."""
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
    """Return which of two sentences is more like the style, 1 or 2."""
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
