"""What a question asks for, as far as a reader of replies may know, which never includes the
correct answer."""

import re
from dataclasses import dataclass
from functools import lru_cache

from mirror_ray.reading.grammar import FUNCTION_WORDS
from mirror_ray.reading.number_words import in_digits
from mirror_ray.reading.plain_words import plain
from mirror_ray.reading.quantity import Quantity, clock_times, quantities

_LONGEST_QUESTION_CHARS = 4_000
_SENTENCE = re.compile(r"(?<=[.!?])\s|(?<=[.!?][”\"’)])\s")
_LETTERED = re.compile(r"(?<![\w'])\(?([A-H])[).:]\s")
_LISTED = re.compile(r"[^:?\n]*+:\s([^?\n]++)\?")
_EITHER = re.compile(r"(?<![\w'-])([\w'-]++),? or ([\w'-]++)(?=[?]|$)")
_ASIDE = re.compile(r"\([^()\n]*+\)")
_OPEN = re.compile(r"(?:in |at |on |for |from |to )?(?:wh\w+|how)\b", re.IGNORECASE)
_LAST_OF_LIST = re.compile(r",? or ")
_WORD = re.compile(r"[^\W_]++")
_COUNTED = re.compile(r"\bhow (?:many|much) ((?>(?:[a-z-]++ ){0,3}))", re.IGNORECASE)
_FOLLOWS = re.compile(
    r"\b(?:follow|must|necessar|conclude|conclusion|certain|logically|valid|guarantee|definite"
    r"|infer|deduc)",
    re.IGNORECASE,
)
_FRACTION = re.compile(r"(?<![\d/])(\d{1,12})\s?/\s?(\d{1,12})(?![\d/])")
_TARGET = re.compile(r"\b(?:in|into|to) ([a-z]{2,12})\b")
_HALF = re.compile(r"\d[ ]?[ap]\.?m\b", re.IGNORECASE)
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_ASKS_WEEKDAY = re.compile(
    r"\b(?:wh(?:ich|at) (?:week)?day\b(?! of (?:the|that) month)|(?<!per )day of the week\b)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class AskedQuestion:
    """What a question asks for.

    Args:
        options: the possible answers, or their letters; empty for an open question.
        texts: the text after each letter, in order.
        numbers: the given ones.
        units: the units of these numbers, and those to convert to.
        times: times of day that it gives, in minutes after midnight.
        words: of its last interrogative sentence, without function words.
        counted: what it asks how many of.
        unit: one of the unit that it asks how many of, where that is a unit of measure.
        has_halves: its times are on a 12-hour clock.
        asks_what_follows: it asks what is certain, so that “not necessarily” means no.
    """

    options: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    numbers: frozenset[float] = frozenset()
    units: frozenset[str] = frozenset()
    times: frozenset[int] = frozenset()
    words: frozenset[str] = frozenset()
    counted: frozenset[str] = frozenset()
    unit: Quantity | None = None
    has_halves: bool = False
    asks_what_follows: bool = False

    def coverage(self, text: str) -> float:
        """Return the share of the question's words that a text repeats, 0 to 1."""
        if not self.words:
            return 0.0
        said = {_stem(word) for word in _WORD.findall(text.casefold())}
        return len(self.words & said) / len(self.words)

    def echoes(self, text: str) -> bool:
        """Return whether a text says nothing beyond the question."""
        return all(
            word in FUNCTION_WORDS or _stem(word) in self.words
            for word in _WORD.findall(text.casefold())
        )

    def counts(self, unit: str) -> bool:
        """Return whether the question asks for a number of this unit."""
        return _stem(unit) in self.counted


@lru_cache(maxsize=1_024)
def question_facts(text: str, kind: str, options: tuple[str, ...] = ()) -> AskedQuestion:
    """Return what a question asks for.

    Args:
        text: as the model read it.
        kind: of its answer, e.g. "number" or "letter".
        options: all answers that it leaves open, where they are known.
    """
    text = text[:_LONGEST_QUESTION_CHARS]
    sentence = _interrogative(text)
    texts: tuple[str, ...] = ()
    if kind == "letter":
        texts = _lettered(text, options)
    elif kind == "text" and not options:
        options = WEEKDAYS if _ASKS_WEEKDAY.search(sentence) else _options(sentence)
    elif kind != "text":
        options = ()
    stem = sentence.partition(":")[0] if kind == "text" and options else sentence
    counted = _COUNTED.search(sentence)
    given = quantities(_FRACTION.sub(r"\1 \2", in_digits(text)))
    return AskedQuestion(
        options=options,
        texts=texts,
        numbers=frozenset(each.value for each in given),
        units=frozenset(each.unit.partition("/")[0] for each in given if each.unit)
        | {unit for unit in _TARGET.findall(text) if Quantity(1.0, unit=unit).dimension},
        times=frozenset(clock_times(text)),
        words=frozenset(
            _stem(word)
            for word in _WORD.findall(stem.casefold())
            if word not in FUNCTION_WORDS and not word.isdigit()
        )
        - {_stem(word) for option in options for word in _WORD.findall(option.casefold())},
        counted=frozenset(
            _stem(word)
            for word in (counted[1].split() if counted else ())
            if word.casefold() not in FUNCTION_WORDS
        ),
        unit=_unit(counted[1] if counted else ""),
        has_halves=_HALF.search(text) is not None,
        asks_what_follows=_FOLLOWS.search(text) is not None,
    )


def named_options(text: str, options: tuple[str, ...]) -> set[str]:
    """Return the options that a text names; “cannot be determined” does not name “determined”."""
    said = f" {plain(text)} "
    named = {option for option in options if f" {plain(option)} " in said}
    return {o for o in named if not any(o != other and plain(o) in plain(other) for other in named)}


def _unit(counted: str) -> Quantity | None:
    found = quantities(f"1 {counted.split(maxsplit=1)[0]}") if counted.split() else []
    return found[0] if len(found) == 1 and found[0].dimension is not None else None


def _interrogative(question: str) -> str:
    sentences = [each for each in _SENTENCE.split(question.strip()) if each.strip()]
    asking = [each for each in sentences if "?" in each]
    return (asking or sentences or [""])[-1]


def _lettered(question: str, letters: tuple[str, ...]) -> tuple[str, ...]:
    marks = list(_LETTERED.finditer(question))
    if [mark[1] for mark in marks] != [*letters][: len(marks)] or len(marks) < 2:
        return ()
    ends = [*(mark.start() for mark in marks[1:]), len(question)]
    return tuple(
        question[mark.end() : end].strip(" \n.,;") for mark, end in zip(marks, ends, strict=True)
    )


def _options(sentence: str) -> tuple[str, ...]:
    listed = _LISTED.match(sentence)
    if listed and " or " in listed[1]:
        several = _LAST_OF_LIST.sub(", ", _ASIDE.sub("", listed[1])).split(", ")
        return tuple(each.strip() for each in several if each.strip())
    either = None if _OPEN.match(sentence) else _EITHER.search(sentence)
    return (either[1], either[2]) if either else ()


def _stem(word: str) -> str:
    return word.casefold()[:5].rstrip("s")
