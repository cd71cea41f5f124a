"""Reads the number of a sentence: “3”, “Sentence 3”, “the third sentence”."""

import re
from dataclasses import dataclass

from mirror_ray.reading.grammar import ALTERNATIVE, DENIED
from mirror_ray.reading.kinds.kind import Kind

_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")
_CARDINALS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_MOST_DIGITS = 9
_DIGITS = rf"(?P<digits>\d{{1,{_MOST_DIGITS}}})(?!\d)"
_NUMBER = re.compile(
    rf"(?:the )?(?:integer (?:order )?|order |strange )?(?:sentence |satz |phrase |frase "
    rf"|part |number |no\. |#){{0,2}}(?:is |: )?"
    rf"(?:{_DIGITS}(?:st|nd|rd|th)?|(?P<ordinal>{'|'.join(_ORDINALS)})|(?P<cardinal>{'|'.join(_CARDINALS)}))"
    r"(?: (?:sentence|part|one))?",
    re.IGNORECASE,
)
_NAMED = re.compile(
    rf"\b(?:sentence|number) (?:number )?#?{_DIGITS}"
    rf"|\b(?P<ordinal>{'|'.join(_ORDINALS)}) (?:sentence|one)\b",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"\"[^\"\n]{1,300}\"|“[^”\n]{1,300}”")
_WRAPPING = " \t\n*_`\"'“”()[]{}.,:;!"


@dataclass(frozen=True, slots=True)
class SentenceNumbers(Kind):
    """Recognizes the number of a sentence, from 0."""

    is_computed = True

    def stated(self, piece: str, *, called: bool = False) -> str | None:
        """Return the number that a piece of text consists of."""
        found = _NUMBER.fullmatch(piece.strip(_WRAPPING))
        return None if found is None else _value(found.groupdict())

    def within(self, sentence: str) -> str | None:
        """Return the only number that a sentence names."""
        bare = _QUOTED.sub(" ", sentence)
        if DENIED.search(bare):
            return None
        named = {_value(found.groupdict()) for found in _NAMED.finditer(bare)}
        is_open = any(ALTERNATIVE.match(bare, found.end()) for found in _NAMED.finditer(bare))
        return named.pop() if len(named) == 1 and not is_open else None

    def takes_up(self, sentence: str) -> bool:
        """Return whether a sentence mentions something strange or out of place."""
        return _STRANGE.search(sentence) is not None


_STRANGE = re.compile(
    r"\b(?:strange|odd|out of place|unusual|different|rewritten|revised|changed)\b", re.IGNORECASE
)


def _value(found: dict[str, str | None]) -> str:
    if found["digits"]:
        return str(int(found["digits"]))
    ordinal, cardinal = found["ordinal"], found.get("cardinal")
    at = (
        _ORDINALS.index(ordinal.casefold())
        if ordinal
        else _CARDINALS.index(str(cardinal).casefold())
    )
    return str(at + 1)
