"""A time of day."""

import re
from dataclasses import dataclass

from mirror_ray.reading.grammar import DENIED, NUMBER_REMARK
from mirror_ray.reading.kinds.kind import ENOUGH_ECHO, Kind
from mirror_ray.reading.number_words import in_digits
from mirror_ray.reading.quantity import clock_times
from mirror_ray.reading.question_facts import AskedQuestion

_MINUTES = {"quarter": 15, "half": 30}
_PAST = re.compile(
    r"\b(?:an? )?(quarter|half|\d{1,2})(?: minutes?)? (past|to|before|after) (\d{1,2}|one)\b"
    r"(?: o'clock)?(?P<half>[ ]in the (?:morning|afternoon|evening)|[ ]at night|[ ]?[ap]\.?m\b)?",
    re.IGNORECASE,
)
_MILITARY = re.compile(r"(?<![\d:.,])([01]\d|2[0-3])([0-5]\d) ?(?:hours|hrs)\b", re.IGNORECASE)
_CLOCK = re.compile(r"(?<![\d:])\d{1,2}(?:[:.h][0-5]\d)?[ ]?(?:[ap]\.?[ ]?m\b\.?)?", re.IGNORECASE)
_ASIDE = re.compile(r"\([^()\n]*+\)")
_EQUALS = re.compile(r"=|→|⇒")
_SEVERAL = re.compile(r"\b(?:or|between|until|from|to)\b", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]{3,}")
_MOST_WORDS_BESIDE = 6
_HALF = re.compile(r"[ap]\.?[ ]?m", re.IGNORECASE)
_NOON = 720


def in_clock_times(text: str) -> str:
    """Write spoken times as ``22:15``; “9 to 10” is not changed."""
    if any(character.isdigit() for character in text):
        return _MILITARY.sub(r"\1:\2", text)
    return _PAST.sub(_put, _MILITARY.sub(r"\1:\2", in_digits(text)))


def _put(found: re.Match[str]) -> str:
    hour = 1 if found[3].casefold() == "one" else int(found[3])
    minutes = _MINUTES.get(found[1].casefold()) or int(found[1])
    if not 1 <= hour <= 12 or not 0 < minutes < 60:
        return found[0]
    half = (found["half"] or "").strip().casefold().removeprefix("in the ").removeprefix("at ")
    at = hour * 60 + (minutes if found[2].casefold() in ("past", "after") else -minutes)
    if half.startswith(("afternoon", "evening", "p")) or (half == "night" and 6 <= hour < 12):
        at += 12 * 60 * (at < 12 * 60)
    elif half and at >= 12 * 60:
        at -= 12 * 60
    return f"{at % 1440 // 60:02}:{at % 60:02}"


@dataclass(frozen=True, slots=True)
class Times(Kind):
    """A time of day."""

    remark = NUMBER_REMARK
    is_computed = True

    question: AskedQuestion

    def stated(self, piece: str, *, called: bool = False) -> str | None:
        """Return the time of a piece that has one time and few words."""
        text = _EQUALS.split(in_clock_times(_ASIDE.sub(" ", piece)))[-1]
        found = self._found(text)
        is_alone = len(_WORD.findall(text)) <= _MOST_WORDS_BESIDE and not _SEVERAL.search(text)
        one = len({clock_times(each)[0] for each in found}) == 1
        is_given = (
            one and bool(_WORD.search(text)) and clock_times(found[0])[0] in self.question.times
        )
        is_clear = one and is_alone and (called or not is_given) and not DENIED.search(text)
        return found[0] if is_clear and self._is_one_half(found[0]) else None

    def within(self, sentence: str) -> str | None:
        """Return the only time of a sentence that is not given in the question."""
        if DENIED.search(sentence) or ";" in sentence:
            return None
        text = _EQUALS.split(in_clock_times(_ASIDE.sub(" ", sentence)))[-1]
        given = self.question.times
        own = [each for each in self._found(text) if clock_times(each)[0] not in given]
        is_clear = len({clock_times(each)[0] for each in own}) == 1
        return own[0] if is_clear and self._is_one_half(own[0]) else None

    def takes_up(self, sentence: str) -> bool:
        """Return whether a sentence repeats half of the question's words."""
        return self.question.coverage(sentence) >= ENOUGH_ECHO

    def same(self, one: str, other: str) -> bool:
        """Return whether two times are the same minute of the day."""
        return clock_times(one)[-1:] == clock_times(other)[-1:]

    def _found(self, text: str) -> list[str]:
        return [each[0].strip() for each in _CLOCK.finditer(text) if clock_times(each[0])]

    def _is_one_half(self, time: str) -> bool:
        is_said = _HALF.search(time) is not None or clock_times(time)[0] >= _NOON + 60
        return is_said or not self.question.has_halves
