"""A number with its unit."""

import re
from dataclasses import dataclass

from mirror_ray.reading.grammar import DENIED, NUMBER_REMARK
from mirror_ray.reading.kinds.kind import ENOUGH_ECHO, Kind
from mirror_ray.reading.number_words import in_digits
from mirror_ray.reading.quantity import Quantity, quantities
from mirror_ray.reading.question_facts import AskedQuestion

_LEAD = re.compile(
    r"(?:(?:so|thus|therefore|hence|(?:that|this|it|there|they)(?:'s| is| are| was| would be)"
    r"|es sind|es ist"
    r"|the (?:number|total|amount|sum|result) is|a total of|is|are|equals|exactly|only|just|about"
    r"|approximately|approx\.?|around|roughly|nearly|almost|the year|in(?= \d{4}\Z)|≈|~"
    r"|=)[ ,]{1,2}|[~≈]){0,6}",
    re.IGNORECASE,
)
_ASIDE = re.compile(r"\([^()\n]*+\)")
_EQUALS = re.compile(r"(?<![<>!≠])=|≈|⇒")
_UNCLEAR = re.compile(
    r"[<>≤≥≠?]|\b(?:than|times as|fold|percent of|out of|not|never|if|\d in \d)\b"
    r"|\d[ ]?%?[ ]?(?:–|—|-(?=[ ]?[$€£]?\d)|\bto\b|\bor\b|\band\b)[ ]?[$€£]?\d"
    r"|\bbetween\b|\bor (?:so|more|less|fewer)\b|\bat (?:least|most)\b"
    r"|(?<![\d.,])[1-9]\d{0,2}\.\d\d0\b|\d[ ]?%?[ ]of\b|,[ ]",
    re.IGNORECASE,
)
"""Comparisons, ranges, conditions, “in six”, and “3.600”, which may group thousands."""
_VERB = re.compile(
    r"\b(?:is|are|was|were|when|has|have|had|because|since|as|so|would|which|giving|then)\b",
    re.IGNORECASE,
)
_BECAUSE = re.compile(r",? (?:because|since|as|if)\b|: ", re.IGNORECASE)
_DIGIT = re.compile(r"\d")
_STARTS = re.compile(r"[-−+$€£.]{0,2}[ ]?[$€£]?\.?\d")
_WRAPPING = " \t\n*_`\"'“”[]{}:"
_WORD = re.compile(r"[^\W\d_]{2,}")
_CONDITIONAL = re.compile(r"\b(?:each|every|per|one|first|second|third|step)\b", re.IGNORECASE)
_MOST_WORDS_BESIDE = 6
_TOLERANCE = 0.01
"""The relative tolerance of two equal numbers, such as an answer and its key."""
_OPERATOR = re.compile(r"[+×*÷^/]|[ ][–−-][ ]|\b(?:plus|minus|times)\b")
_STRAY = re.compile(r"[-−–+×*÷/^]\Z|[A-Za-z]\d|\d[A-Za-z]{1,2}\d")


@dataclass(frozen=True, slots=True)
class Numbers(Kind):
    """A number, converted to the unit that the question requests if the reply has another."""

    remark = NUMBER_REMARK
    is_computed = True

    question: AskedQuestion

    def stated(self, piece: str, *, called: bool = False) -> str | None:
        """Return the number of a piece that has one number and its unit, or ends in “= 42”."""
        asides = [each.strip("() ") for each in _ASIDE.findall(piece)]
        text = in_digits(
            _ASIDE.sub(" ", piece) if _DIGIT.search(_ASIDE.sub(" ", in_digits(piece))) else piece
        )
        if not _is_equation(text):
            return None
        text = _EQUALS.split(text)[-1].strip(_WRAPPING).rstrip(".,;:!")
        text = _LEAD.sub("", text, count=1).strip(_WRAPPING)
        if _UNCLEAR.search(text) or _VERB.search(text) or not _STARTS.match(text):
            return None
        found = quantities(text)
        if len({each.value for each in found}) != 1 or _STRAY.search(text):
            return None
        is_fraction = not found[0].value.is_integer()
        if _OPERATOR.search(text) and not (is_fraction or found[0].unit):
            return None
        if len(_WORD.findall(text)) > _MOST_WORDS_BESIDE:
            return None
        value = self._written(found[-1])
        others = [other for each in asides if (other := self._alone(each)) is not None]
        return value if all(self.same(other, value) for other in others) else None

    def _alone(self, text: str) -> str | None:
        found = quantities(in_digits(text))
        return self._written(found[0]) if len(found) == 1 and len(text.split()) <= 4 else None

    def within(self, sentence: str) -> str | None:
        """Return the only number of a sentence that is not given in the question."""
        if DENIED.search(sentence):
            return None
        text = _BECAUSE.split(_ASIDE.sub(" ", sentence))[0]
        if _EQUALS.search(text):
            return self.stated(text)
        if ";" in text or _UNCLEAR.search(text) or _CONDITIONAL.search(text):
            return None
        own = [each for each in quantities(text) if each.value not in self.question.numbers]
        return self._written(own[0]) if len({each.value for each in own}) == 1 else None

    def takes_up(self, sentence: str) -> bool:
        """Return whether a sentence repeats half of the question's words."""
        return not self.question.words or self.question.coverage(sentence) >= ENOUGH_ECHO

    def same(self, one: str, other: str) -> bool:
        """Return whether two numbers are within 1 % of each other."""
        first, second = quantities(one)[-1:], quantities(other)[-1:]
        if not first or not second:
            return False
        a, b = first[0], second[0]
        if a.dimension is not None and a.dimension == b.dimension:
            return abs(a.base_value - b.base_value) <= _TOLERANCE * max(
                1.0, a.base_value / (a.value or 1.0)
            )
        return abs(a.value - b.value) <= _TOLERANCE

    def _written(self, found: Quantity) -> str:
        wanted = self.question.unit or self._given_unit(found)
        if wanted and found.dimension == wanted.dimension and found.unit != wanted.unit:
            return f"{found.base_value / wanted.base_value:.12g} {wanted.unit}"
        unit = "%" if found.percent else f" {found.unit}" if found.unit else ""
        return f"{found.value:.12g}{unit}"

    def _given_unit(self, found: Quantity) -> Quantity | None:
        if found.unit is None or found.dimension is None or self.question.echoes(found.unit):
            return None
        given = {
            unit.base_value: unit
            for unit in (Quantity(1.0, unit=name) for name in self.question.units)
            if unit.dimension == found.dimension
        }
        is_new = Quantity(1.0, unit=found.unit).base_value not in given
        return next(iter(given.values())) if len(given) == 1 and is_new else None


def _is_equation(text: str) -> bool:
    n_signs = len(_EQUALS.findall(text))
    is_plain = not (_VERB.search(text) or ", " in text or ";" in text or " and " in text)
    return n_signs == 0 or is_plain
