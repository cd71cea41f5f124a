"""Removes parts of a text that do not matter in a comparison."""

import re
import unicodedata

_LEAD = re.compile(
    r"^(?:so |thus |therefore )?(?:the )?(?:final )?(?:correct )?(?:answer|option|result)"
    r"(?: is|:)?\s+|^(?:it is|it's|they are|that is)\s+"
)
_ARTICLE = re.compile(r"\b(?:the|a|an)\b ?")


def plain(text: str) -> str:
    """Return a text in lower case, without accents, articles, punctuation and “the answer is”."""
    decomposed = unicodedata.normalize("NFKD", text).casefold()
    words = "".join(c for c in decomposed if not unicodedata.combining(c))
    words = re.sub(r"[^\w\s%$€£.'-]", " ", words)
    words = " ".join(words.split())
    words = _LEAD.sub("", words, count=1)
    words = _ARTICLE.sub("", words)
    return " ".join(word.strip(".'-") for word in words.split() if word.strip(".'-"))
