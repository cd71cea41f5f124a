"""One of several lettered options: by its letter, by its letter and words, or by its words."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from mirror_ray.reading.grammar import ALTERNATIVE, CONDITION, DENIED, NEVER, NOT_OWN, REASON, SO
from mirror_ray.reading.kinds.kind import WRAPPING, Kind

_NAMED = (
    r"(?:the |a |la |die )?(?:(?:correct|right) )?(?:option|choice|answer|letter|sentence|text"
    r"|opción|opção|buchstabe|antwort|选项)s?:? ?(?:is )?"
)
_LETTER = re.compile(
    rf"[\"'“(\[{{*]{{0,3}}(?P<named>(?i:{_NAMED}))?[\"'“(\[{{*]{{0,3}}(?P<letter>[A-Za-z])[\"'”)\]}}*]{{0,3}}"
    r"(?P<rest>(?:[ ]?[.!):,;=–—」-]|[ ]|$).*)",
    re.DOTALL,
)
_CALLED = re.compile(rf"{_NAMED}(?=\S)", re.IGNORECASE)
_BEHIND = re.compile(
    r"(?P<words>.{1,80}?)[ ,]{0,2}[(\[](?:option |answer )?(?P<letter>[A-Z])[)\]]\W*", re.DOTALL
)
_ORDINAL = re.compile(
    r"(?:the )?(?:(first)|(second)|(third)|(fourth)|(last))(?: (?:one|option|choice|sentence"
    r"|answer))?",
    re.IGNORECASE,
)
_LONE = re.compile(
    r"(?<![A-Za-z0-9'’-])(?:[B-HJ-Z]|A(?! (?!(?:is|was|must|has|fits|matches|and"
    r"|or)\b)[a-z]))(?![A-Za-z0-9'’-])"
)
_IS_RIGHT = re.compile(
    r"(?:it )?(?:is|must be|should be|would be|has to be)(?: (?:the|my|therefore|clearly"
    r"|most likely))*"
    r" ?(?:correct|right|best|answer|choice|option)(?: (?:answer|choice|option|one))?",
    re.IGNORECASE,
)
_GIVES_REASON = re.compile(
    r"[ ]{0,2}[.,;:(–—-]{0,2}\s{0,2}(?:because|since|as|for|given|based on|due to|which|where"
    r"|with|from|it(?:'s| is)? |the |this |that |here)\b",
    re.IGNORECASE,
)
_OTHER_VIEW = re.compile(
    r"\b(?:viewers?|camera|observer|photo\w*|image|picture|screen|frame|mirror|reflection|we|i|us|our|ours|my|me|you|your|here)\b",
    re.IGNORECASE,
)
"""Words that may refer to a view other than the requested one."""
_ASIDE = re.compile(
    rf"{DENIED.pattern}|{NOT_OWN.pattern}|\b(?:viewers?|camera|observer|photo\w*|picture|screen|frame"
    r"|mirror|we|i|us|our|my|me|shows?|says|printed|written|original|options|than|while|whereas"
    r"|but)\b|\bimage\b(?! of)",
    re.IGNORECASE,
)
"""An option in such a sentence may be excluded, or merely given."""
_BECOMES = re.compile(r"\b(?:becomes?|turn\w* into|gives?|yields?|looks? like|reads? as)\b|→|->|⇒")
_CONDITION = re.compile(rf"\A{CONDITION.pattern}", re.IGNORECASE)
_POLITE = re.compile(r"(?:です|だ|입니다|이다|である)\Z")
_LONGEST_PIECE = 300


class OptionWords(Protocol):
    """The words for a family's options."""

    def stated(self, piece: str) -> str | None:
        """Return the letter of the option that the piece states, if it states nothing else."""

    def mentioned(self, sentence: str) -> frozenset[str]:
        """Return the letters of all options that a sentence names in words."""

    def found_in(self, sentence: str) -> frozenset[str]:
        """Return the same, with the letters of options whose words a sentence has without naming
        them."""
        return self.mentioned(sentence)


@dataclass(frozen=True, slots=True)
class Options(Kind):
    """Lettered options.

    Args:
        letters: of the options that were offered, e.g. "ABCD".
        words: recognizes the options' words.
        by_words: a concluding sentence may name an option by its words alone.
        leads: a family's words before an answer, as “the monkey sees”.
        follows: a family's words after an answer, as “is mine”.
    """

    remark = NEVER

    letters: str
    words: OptionWords
    by_words: bool = True
    leads: re.Pattern[str] = NEVER
    follows: re.Pattern[str] = NEVER

    def stated(self, piece: str, *, called: bool = False) -> str | None:
        """Return the letter of the option that a piece begins with or is.

        A letter next to words of another option, or of none, names no option."""
        piece = piece[:_LONGEST_PIECE].strip().strip("*_`").strip()
        bare = piece.strip(WRAPPING)
        found = _LETTER.fullmatch(piece)
        if found is not None and found["letter"].upper() in self.letters:
            return self._lettered(found["letter"], found["rest"], is_named=bool(found["named"]))
        if found is not None and found["letter"].isupper() and found["rest"][:1] in (".", ")", ":"):
            return None
        return self._named(piece, bare)

    def _named(self, piece: str, bare: str) -> str | None:
        if behind := _BEHIND.fullmatch(piece):
            named = self.words.stated(behind["words"].strip(WRAPPING))
            return named if named == behind["letter"] else None
        if place := _ORDINAL.fullmatch(bare):
            number = next(n for n in range(1, 6) if place[n])
            at = len(self.letters) if number == _LAST else number
            return self.letters[at - 1] if at <= len(self.letters) else None
        head = REASON.split(bare, maxsplit=1)[0].strip(WRAPPING)
        said = (bare, head, _CALLED.sub("", head, count=1).strip(WRAPPING))
        found = ((each, self.words.stated(each)) for each in said if each and ": " not in bare)
        words, letter = next(((each, one) for each, one in found if one is not None), ("", None))
        rest = bare[bare.find(words) + len(words) :]
        is_clear = not self.letters_named(rest) - {letter} and not ALTERNATIVE.match(rest)
        return letter if is_clear else None

    def letters_named(self, text: str) -> set[str]:
        """Return the letters that a text has as separate words."""
        return {each for each in _LONE.findall(text) if each in self.letters}

    def within(self, sentence: str) -> str | None:
        """Return the letter of the only option that a sentence names, by letter or by words."""
        if DENIED.search(sentence) or _OTHER_VIEW.search(sentence):
            return None
        letters = self.letters_named(sentence)
        if not letters and not self.by_words:
            return None
        named = letters | self.words.mentioned(sentence)
        return named.pop() if len(named) == 1 else None

    def is_contradicted(self, texts: Iterable[str], letter: str) -> bool:
        """Return whether texts name another option only in words, and never the letter's own."""
        ends = (_BECOMES.split(each)[-1] for each in texts)
        named = [(each, self.words.found_in(each)) for each in ends]
        parts = [SO.split(_CONDITION.sub("", each))[0] for each, found in named if found]
        is_own = any(letter in found for _, found in named)
        return not is_own and not all(_ASIDE.search(x) or self.letters_named(x) for x in parts)

    def _lettered(self, letter: str, rest: str, *, is_named: bool) -> str | None:
        comment = _POLITE.sub("", rest.strip(WRAPPING))
        capital = letter.upper()
        if letter.islower():
            is_listed = rest.startswith((")", ".", ":")) and self.words.stated(comment) == capital
            if not comment and not is_named:
                return self.words.stated(letter) or capital
            return capital if is_listed else None
        is_bare = not comment or comment == letter or _IS_RIGHT.fullmatch(comment) is not None
        if is_bare or _CONTRAST.match(rest):
            return letter
        others = self.letters_named(comment) - {letter}
        head = REASON.split(comment, maxsplit=1)[0].strip(WRAPPING)
        said = (comment, head, _CALLED.sub("", head, count=1).strip(WRAPPING))
        of_words = next(filter(None, map(self.words.stated, said)), None)
        others |= self.words.mentioned(comment) - {letter}
        if others or of_words not in (None, letter) or ALTERNATIVE.match(rest):
            return None
        return letter if of_words or _GIVES_REASON.match(rest) else None


_LAST = 5
_CONTRAST = re.compile(r"[ .,;]{0,3}(?:over|rather than|instead of|(?:and |but )?not)\b", re.I)
