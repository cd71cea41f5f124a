"""The interface of the kinds of answer, and where a remark after an answer begins."""

import re
from abc import ABC, abstractmethod
from typing import ClassVar

from mirror_ray.reading.grammar import ALTERNATIVE, IT_IS, REASON
from mirror_ray.reading.number_words import in_digits

WRAPPING = " \t\r\n*_`\"'“”‘’«»„「」[](){}.,;:!$=→–—-|"
ENOUGH_ECHO = 0.6
"""The share of the question's words that a sentence needs to answer the question."""

PICTURES = re.compile("[\U0001f000-\U0001faff\u2600-\u27bf\ufe0f]")
_ARROW = re.compile(r"\A(?:[=-]?>|→|⇒|»)[ ]+")
_MOST_PIECE_CHARS = 500


class Kind(ABC):
    """A kind of answer.

    Attributes:
        remark: matches where the text after an answer begins: a reason, a contrast.
        is_computed: another value next to an answer may be a step towards it.
    """

    remark: ClassVar[re.Pattern[str]] = REASON
    is_computed: ClassVar[bool] = False

    @abstractmethod
    def stated(self, piece: str, *, called: bool = False) -> str | None:
        """Return the value that a piece states, if it states nothing else; otherwise None. A piece
        that the reply calls the answer (`called`) may be longer."""

    def within(self, sentence: str) -> str | None:
        """Return the only value of a sentence that answers the question; otherwise None."""
        return None

    def takes_up(self, sentence: str) -> bool:
        """Return whether a sentence is about the requested thing."""
        return False

    def same(self, one: str, other: str) -> bool:
        """Return whether two values are the same answer."""
        return one == other


def value_at(piece: str, kind: Kind, *, called: bool = False) -> str | None:
    """Return the value that a piece begins with, before a reason or a remark.

    None if there is no value, or if another one follows: “B or C”, “5, maybe 6”."""
    piece = _ARROW.sub("", PICTURES.sub("", piece[:_MOST_PIECE_CHARS]).strip())
    piece = IT_IS.sub("", piece, count=1)
    if not piece:
        return None
    if (whole := kind.stated(piece, called=called)) is not None:
        return whole
    for cut in kind.remark.finditer(piece):
        head, rest = piece[: cut.start()], piece[cut.end() :].strip()
        if head.strip() and (value := kind.stated(head, called=called)) is not None:
            is_open = ALTERNATIVE.match(piece, cut.start()) or _is_open(cut[0], rest, value, kind)
            return None if is_open else value
    return None


def _is_open(cut: str, rest: str, value: str, kind: Kind) -> bool:
    """Return whether the text after a value names another one: “2, 3, 5”, “840, sorry, 723”."""
    goes_on = cut.strip() in (",", ";", "so", "but", ".")
    if (
        kind.is_computed
        and goes_on
        and _DIGIT.search(in_digits(rest))
        and not _GIVES_REASON.match(rest)
    ):
        return True
    first = _PART.split(rest, maxsplit=1)[0]
    others = (kind.stated(each) for each in (rest, first) if each.strip())
    return any(other is not None and not kind.same(other, value) for other in others)


_DIGIT = re.compile(r"\d")
_PART = re.compile(rf"{REASON.pattern}|[ ](?:and|&)[ ]", re.IGNORECASE)
_GIVES_REASON = re.compile(r"(?:because|since|as|given|from|for|not|rather)\b", re.IGNORECASE)
