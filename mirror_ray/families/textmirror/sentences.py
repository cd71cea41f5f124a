"""Texts as sentences: split by Punkt as in the source, counted, joined, numbered."""

from collections.abc import Sequence

ORDINALS = (
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
    "eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth",
    "eighteenth", "nineteenth", "twentieth",
)  # fmt: skip
"""Ordinals, from "first" for number 1."""


def sentences_of(text: str) -> tuple[str, ...]:
    """Return the sentences of an English text, without surrounding spaces."""
    # Imported late: only this family needs the model.
    from punkt import sent_tokenize  # noqa: PLC0415

    return tuple(one.strip() for one in sent_tokenize(text) if one.strip())


def as_paragraph(sentences: Sequence[str]) -> str:
    """Return the sentences as one paragraph."""
    return " ".join(sentences)


def count_words(sentence: str) -> int:
    """Count words, which are separated by spaces."""
    return len(sentence.split())
