"""Texts as sentences: split, counted, put together, numbered.

The splitter is Punkt with its English model, as in the source.
"""

from collections.abc import Sequence

ORDINALS = (
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
    "eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth",
    "eighteenth", "nineteenth", "twentieth",
)  # fmt: skip
"""Number 1 is the first."""


def sentences_of(text: str) -> tuple[str, ...]:
    """The sentences of an English text, without the spaces around them."""
    # Imported late: only this family needs the model.
    from punkt import sent_tokenize  # noqa: PLC0415

    return tuple(one.strip() for one in sent_tokenize(text) if one.strip())


def as_paragraph(sentences: Sequence[str]) -> str:
    """The sentences as one paragraph."""
    return " ".join(sentences)


def numbered(sentences: Sequence[str]) -> str:
    """One sentence a line, each after its number."""
    return "\n".join(f"{number}. {sentence}" for number, sentence in enumerate(sentences, 1))


def count_words(sentence: str) -> int:
    """Words as they are separated by spaces."""
    return len(sentence.split())
