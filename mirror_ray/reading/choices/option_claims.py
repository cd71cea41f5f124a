"""What a few words commit to: a letter with what stands beside it, or an option's own words.

Knows one piece of a reply, which is to name an option; where such pieces are found is
`commitment`'s business.
"""

import re
from dataclasses import dataclass
from typing import Protocol

from mirror_ray.reading.choices.option_phrases import (
    ANOTHER,
    BESIDE_WORDS,
    CALLED,
    CLAUSE,
    CONTRAST,
    DENIED,
    HEDGED,
    HYPOTHETICAL,
    LETTER,
    NEW_LABEL,
    ORDINAL,
    OTHER_EYES,
    OUR_VIEW,
    REASON,
    RECANTS,
    SEPARATORS,
    STATES,
    UNSURE,
    WRAPPING,
)

DISAGREE = "its letter and its words disagree"
NONE_NAMED = "names no option"
TAKEN_BACK = "takes its answer back"
SEVERAL = "names several options"

_THE_LETTER = re.compile(r"\A(?:which is )?the letter ", re.IGNORECASE)
"""Behind a letter it leads to what is seen: "B, the letter d"."""
_OR = re.compile(r"\W{0,3}\s{0,3}or\b")


class OptionWords(Protocol):
    """What a family's options are called."""

    def stated(self, piece: str) -> str | None:
        """The letter of the option that the piece states and nothing else."""

    def mentioned(self, sentence: str) -> frozenset[str]:
        """The letters of all options that a sentence names in words."""


@dataclass(frozen=True, slots=True)
class Claim:
    """One commitment.

    Args:
        letter: None where it names several options, or its letter and its words disagree.
        begin, end: its place in the text.
        note: how it was found, or why it is none.
        is_final: it is called final.
        corrects: it takes the place of all before it: "A. No, B."
        said: the words by which it was named; "" where it was a letter.
    """

    letter: str | None
    begin: int
    end: int
    note: str
    is_final: bool = False
    corrects: bool = False
    said: str = ""


@dataclass(frozen=True, slots=True)
class Options:
    """The options that were offered: their letters and what they are called."""

    letters: str
    words: OptionWords

    def claim(
        self, piece: str, begin: int, note: str, *, alone: bool = False, by_letter: bool = False
    ) -> Claim | None:
        """What a piece that is to name an option commits to; None where it names none.

        Args:
            begin: the piece's place in the text.
            note: how it was found.
            alone: nothing may stand beside the option.
            by_letter: words alone do not name it.
        """
        said = piece.lstrip(" \t:=→>-–—.,")
        end = begin + len(piece)
        bare = said.strip(WRAPPING)
        stated = None if by_letter else self._stated(piece, bare)
        found = LETTER.match(said)
        # A small letter is one only by itself: "a" is a word, and may be what an option says.
        if found is not None and self._is_numbered(found, said):
            return Claim(found[1].upper(), begin, end, note)
        if found is None or (found[1].islower() and (stated or len(bare) > 1 + found.start(1))):
            placed = self._by_place(bare) if found is None else None
            if alone or by_letter or placed:
                named = placed or stated
                words = "" if placed else bare
                return Claim(named, begin, end, note, said=words) if named else None
            return self._by_words(said, begin, end, note)
        letter = found[1].upper()
        problem: str | None = ""
        if letter in self.letters:
            problem = self._beside(letter, said[found.end() :], alone=alone)
            # "The letter b" may name an option, or say what is seen.
            if found[1].islower() and self._stated(found[1]) not in (None, letter):
                problem = DISAGREE
        if problem is None:
            return Claim(letter, begin, end, note)
        return Claim(None, begin, end, problem) if problem else None

    def _by_place(self, said: str) -> str | None:
        """The letter of the option that is named by its place, as in "the second one"."""
        place = ORDINAL.match(said)
        number = next((n for n in range(1, 5) if place and place[n]), 0)
        if place and place[5]:
            return self.letters[-1]
        number = number or int((place and place[6]) or 0)
        return self.letters[number - 1] if 0 < number <= len(self.letters) else None

    def _is_numbered(self, found: re.Match[str], said: str) -> bool:
        """Whether it is a small letter as of a list, with its own option's words: "a) 18"."""
        rest = said[found.end() :]
        if not found[1].islower() or rest[:1] not in (")", ".", ":"):
            return False
        return self._stated(rest.strip(WRAPPING)) == found[1].upper()

    def _beside(self, letter: str, rest: str, *, alone: bool) -> str | None:
        """None where what follows a letter lets it stand, "" where it makes it none, or why not."""
        if unsettled := _unsettled(rest):
            return unsettled
        comment = rest.strip(WRAPPING)
        if not comment or CONTRAST.match(rest) or NEW_LABEL.match(rest):
            return None
        ours = OUR_VIEW.search(comment)
        about = comment[: ours.start()].strip(WRAPPING).removeprefix("which") if ours else None
        is_ours = about is not None and (not about or self._stated(about) == letter)
        if is_ours or HYPOTHETICAL.match(comment):
            return ""
        if not rest.lstrip().startswith(",") and DENIED.match(rest.lstrip(" )].:–—-")):
            return ""
        clause = CLAUSE.split(_THE_LETTER.sub("", comment, count=1), maxsplit=1)[0]
        other = self._stated(clause.strip(WRAPPING), comment)
        seen = {other} - {None}
        if not seen and STATES.match(comment) and not OTHER_EYES.search(comment):
            seen = set(self.words.mentioned(clause))
        if seen:
            return None if letter in seen else DISAGREE
        explains = (
            rest.lstrip()[:1] in SEPARATORS
            or REASON.match(comment)
            or not rest.lstrip()[0].isascii()
        )
        return None if explains and not alone else ""

    def _by_words(self, said: str, begin: int, end: int, note: str) -> Claim | None:
        """An option's own words, alone or before a comment."""
        said = CALLED.sub("", said, count=1)
        clause = CLAUSE.split(said, maxsplit=1)[0].strip(WRAPPING)
        letter = self._stated(said.strip(WRAPPING), clause)
        if letter is None:
            return None
        beside = BESIDE_WORDS.match(said[len(clause) :])
        if beside is not None and beside[1] != letter:
            return Claim(None, begin, end, DISAGREE)
        if len(self.words.mentioned(said) | {letter}) > 1 and _OR.match(said[len(clause) :]):
            return Claim(None, begin, end, SEVERAL)
        return Claim(letter, begin, end, note, said=clause or said)

    def _stated(self, *pieces: str) -> str | None:
        return next((letter for one in pieces if (letter := self.words.stated(one))), None)


def _unsettled(rest: str) -> str:
    """Why what follows a letter names another one too, or takes it back; "" where it does not."""
    if ANOTHER.match(rest) or HEDGED.search(rest):
        return SEVERAL
    recants = RECANTS.search(rest)
    return TAKEN_BACK if recants and UNSURE.search(rest, recants.end()) else ""
