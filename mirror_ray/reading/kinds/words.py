"""A few words: one of the options that a question offers, or the model's own words."""

import re
from dataclasses import dataclass

from mirror_ray.core.shipped_files import shipped_patterns
from mirror_ray.reading.grammar import DENIED, FUNCTION_WORDS, REFUSED, WORDS_REMARK
from mirror_ray.reading.kinds.kind import ENOUGH_ECHO, WRAPPING, Kind
from mirror_ray.reading.plain_words import plain
from mirror_ray.reading.question_facts import AskedQuestion, named_options

_PATTERNS = shipped_patterns("mirror_ray.reading.kinds", "word_patterns.yaml")
_CONTRAST = _PATTERNS["contrast"]
_COPULA = _PATTERNS["copula"]
_FINITE = _PATTERNS["finite"]
_RELATED = _PATTERNS["related"]
_LEAD = _PATTERNS["lead"]
_PRONOUN = _PATTERNS["pronoun"]
_SIGNS = re.compile(r"[<>→=;\[\]|]|: |\b(?:until|till)\b|[{}@]|\w\(|\A/|[\u3040-\u9fff]{9}")
_ARTICLE = re.compile(r"(?:the|an?)[ ]", re.IGNORECASE)
_MOST_WORDS, _MOST_BARE_WORDS, _MOST_OTHER_WORDS = 10, 4, 4


@dataclass(frozen=True, slots=True)
class OneOf(Kind):
    """One of the options that a question names."""

    remark = WORDS_REMARK

    question: AskedQuestion

    def stated(self, piece: str, *, called: bool = False) -> str | None:
        """Return the option that a short piece names."""
        if self._is_void(piece) or (_FINITE.search(piece) and not called):
            return None
        named = named_options(piece, self.question.options)
        if len(named) != 1:
            return None
        option = named.pop()
        n_others = len(plain(piece).split()) - len(plain(option).split())
        return option if n_others <= _MOST_OTHER_WORDS else None

    def within(self, sentence: str) -> str | None:
        """Return the only option that a sentence names."""
        if self._is_void(sentence):
            return None
        named = named_options(sentence, self.question.options)
        return named.pop() if len(named) == 1 else None

    def takes_up(self, sentence: str) -> bool:
        """Return whether a sentence repeats half of the question's words."""
        return self.question.coverage(sentence) >= ENOUGH_ECHO

    def same(self, one: str, other: str) -> bool:
        """Return whether both are the same option."""
        return plain(one) == plain(other)

    def _is_void(self, text: str) -> bool:
        """Return whether a text negates an option, or only refers to it."""
        found = DENIED.search(text) or _RELATED.search(text)
        return found is not None and not any(
            found[0].casefold() in option.casefold() for option in self.question.options
        )


@dataclass(frozen=True, slots=True)
class OwnWords(Kind):
    """The model's own words, at most ten; words of the question do not count."""

    remark = WORDS_REMARK

    question: AskedQuestion

    def stated(self, piece: str, *, called: bool = False) -> str | None:
        """Return a short piece, unless it is a sentence."""
        said = _LEAD.sub("", piece.strip(WRAPPING), count=1).strip(WRAPPING)
        words = said.split()
        if not 0 < len(words) <= (_MOST_WORDS if called else _MOST_BARE_WORDS):
            return None
        if said.count(", ") > 1 or _SIGNS.search(said) or DENIED.search(said) or " or " in said:
            return None
        is_sentence = any((_FINITE.search(said), _PRONOUN.match(said), REFUSED.search(said)))
        is_nothing = all(word.casefold().strip(",.") in FUNCTION_WORDS for word in words)
        if is_sentence or (is_nothing and not called):
            return None
        return None if self.question.words and self.question.echoes(said) else said

    def within(self, sentence: str) -> str | None:
        """Return one side of “X is Y” if the other repeats the question."""
        if DENIED.search(sentence):
            return None
        parts = _COPULA.split(_CONTRAST.split(sentence.strip(" .!"))[0])
        if len(parts) != 2:
            return None
        left, right = (part.strip(WRAPPING) for part in parts)
        about = self.question.echoes(left), self.question.echoes(right)
        if about == (True, False) and self.question.coverage(left) > 0:
            return self._short(right)
        if about == (False, True) and self.question.coverage(right) > 0:
            return self._short(left)
        return None

    def takes_up(self, sentence: str) -> bool:
        """Return whether a sentence repeats half of the question's words."""
        return self.question.coverage(sentence) >= ENOUGH_ECHO

    def same(self, one: str, other: str) -> bool:
        """Return whether one has all words of the other."""
        first, second = set(plain(one).split()), set(plain(other).split())
        return first <= second or second <= first

    def _short(self, side: str) -> str | None:
        is_short = len(side.split()) <= _MOST_BARE_WORDS + 2 and not _FINITE.search(side)
        is_vague = _PRONOUN.fullmatch(side) or _SEVERAL.search(side) or _RELATED.search(side)
        return side if is_short and not is_vague else None


_SEVERAL = re.compile(r"\b(?:or|and|either)\b", re.IGNORECASE)
