"""What a question asks for, as far as a reader of replies may know: never what is right.

Knows the kind of answer, the options, the numbers that the question gives and its words.
"""

import re
from dataclasses import dataclass

from mirror_ray.families.metacog.bank.question import Key
from mirror_ray.families.metacog.matching import parts_of, plain
from mirror_ray.reading.function_words import FUNCTION_WORDS
from mirror_ray.reading.number_words import in_digits
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
_COUNTED = re.compile(r"\bhow (?:many|much) ((?:[a-z-]++ ){0,3}+)", re.IGNORECASE)
_FOLLOWS = re.compile(
    r"\b(?:follow|must|necessar|conclude|conclusion|certain|logically|valid|guarantee|definite"
    r"|infer|deduc)",
    re.IGNORECASE,
)
_DENIED = re.compile(r"\b(?:not|no|never|none|nobody|cannot)\b|n't\b", re.IGNORECASE)
_SCOPES = frozenset({"all", "every", "each", "some", "any", "most", "always", "sometimes"})
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_ASKS_WEEKDAY = re.compile(
    r"\b(?:wh(?:ich|at) (?:week)?day\b(?! of (?:the|that) month)|(?<!per )day of the week\b)",
    re.IGNORECASE,
)
_ORDINALS = frozenset(
    ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "last")
)
_LEADS = frozenset(
    ("a", "an", "the", "of", "in", "on", "at", "to", "for", "from", "by", "with", "under", "behind")
)
"""What goes with the name behind it."""
_NAME = re.compile(r"\b[A-Z][a-z]+")
_STATED_OF = re.compile(
    r"(?:(?:so|then|and|therefore|thus),? )?([A-Z][a-z]+)(?:'s?(?: \w+){1,3})?"
    r"(?: (?:has|have|had|is|was|gets|got|therefore|then)\b|:| =| [–—-] )"
)


@dataclass(frozen=True, slots=True)
class Asked:
    """What a question asks for.

    Args:
        kind: as a key's.
        options: what the question leaves open, letters with a letter key; empty where it is open.
        given: the options that the question's own facts name, where not all are named.
        texts: what stands behind the letters, in their order.
        parts: what is to be put in order, itself in no order that tells.
        n_lists: how many lists in brackets are asked for, 1 where none are.
        numbers: what the question gives.
        units: what its numbers are counted in.
        times: times of day that it gives.
        words: of its last interrogative sentence, function words aside.
        counted: what it asks how many of.
        unit: one of the unit that it asks how many of, where that is one of measure.
        subject: whom its last interrogative sentence names.
        ordinals: which place in an order it asks for.
        bystanders: whom else the question names.
        scopes: words like “all” and “some” in its last sentence.
        n_denials: how often its last sentence denies: “does it follow that some are not …”.
        asks_what_follows: it asks for what is certain, so that “not necessarily” is no.
    """

    kind: str
    options: tuple[str, ...]
    given: tuple[str, ...]
    texts: tuple[str, ...]
    parts: tuple[str, ...]
    n_lists: int
    numbers: frozenset[float]
    units: frozenset[str]
    times: frozenset[int]
    words: frozenset[str]
    counted: frozenset[str]
    unit: Quantity | None
    subject: frozenset[str]
    ordinals: frozenset[str]
    bystanders: frozenset[str]
    scopes: frozenset[str]
    n_denials: int
    asks_what_follows: bool

    def coverage(self, text: str) -> float:
        """The share of the question's words that a text takes up, 0 to 1."""
        if not self.words:
            return 0.0
        said = {_stem(word) for word in _WORD.findall(text.casefold())}
        return len(self.words & said) / len(self.words)

    def repeats(self, word: str) -> bool:
        """A word says nothing that the question has not said."""
        bare = word.strip(".,;:!?\"'()").casefold()
        return bare in FUNCTION_WORDS or _stem(bare) in self.words

    def leads(self, word: str) -> bool:
        """A word goes with the name behind it: an article, a preposition."""
        return word.casefold() in _LEADS

    def echoes(self, text: str) -> bool:
        """All of a text repeats the question."""
        return all(self.repeats(word) for word in _WORD.findall(text))

    def is_of_another(self, text: str) -> bool:
        """A text states something of one whom the question names, and does not ask about."""
        stated = _STATED_OF.match(text)
        return bool(self.subject and stated and stated[1] in self.bystanders)

    def counts(self, unit: str) -> bool:
        """A unit is what the question asks how many of."""
        return _stem(unit) in self.counted


def asked_by(question: str, key: Key | None) -> Asked:
    """What a question asks for; without a key, any text."""
    question = question[:_LONGEST_QUESTION_CHARS]
    kind = "open" if key is None else key.kind
    sentence = _interrogative(question)
    options = () if key is None or kind not in ("text", "letter") else key.options
    texts: tuple[str, ...] = ()
    if kind == "letter":
        texts = _lettered(question, options)
    elif kind == "text" and not options:
        options = WEEKDAYS if _ASKS_WEEKDAY.search(sentence) else _options(sentence)
    elif kind == "boolean":
        options = ("yes", "no")
    stem = sentence.partition(":")[0] if kind == "text" and options else sentence
    counted = _COUNTED.search(sentence)
    subject = _names(sentence.partition(" ")[2])
    given = quantities(_unjoined(in_digits(question)))
    return Asked(
        kind=kind,
        options=options,
        given=_given(question, options) if kind == "text" else (),
        texts=texts,
        parts=_parts(question, key) if key and kind == "sequence" else (),
        n_lists=max(1, key.answer.count("[")) if key and kind == "sequence" else 1,
        numbers=frozenset(each.value for each in given),
        units=frozenset(each.unit.partition("/")[0] for each in given if each.unit),
        times=frozenset(clock_times(question)),
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
        subject=subject,
        ordinals=_ORDINALS & set(_WORD.findall(sentence.casefold())),
        bystanders=_names(question) - subject,
        scopes=_SCOPES & set(_WORD.findall(sentence.casefold())),
        n_denials=len(_DENIED.findall(sentence)),
        asks_what_follows=_FOLLOWS.search(question) is not None,
    )


def _parts(question: str, key: Key) -> tuple[str, ...]:
    """What is to be put in order; nothing where the question does not name all of it."""
    parts, named = parts_of(key), f" {plain(question)} "
    return tuple(sorted(parts)) if all(f" {part} " in named for part in parts) else ()


def _given(question: str, options: tuple[str, ...]) -> tuple[str, ...]:
    """A weekday that the question starts from; nothing where it names all that may be answered."""
    named = f" {plain(question)} "
    given = tuple(option for option in options if f" {plain(option)} " in named)
    return given if len(given) < len(options) else ()


def _unit(counted: str) -> Quantity | None:
    """“minutes” as one minute."""
    found = quantities(f"1 {counted.split(maxsplit=1)[0]}") if counted.split() else []
    return found[0] if len(found) == 1 and found[0].dimension is not None else None


def _names(text: str) -> frozenset[str]:
    """Words with a capital, function words aside."""
    return frozenset(name for name in _NAME.findall(text) if name.casefold() not in FUNCTION_WORDS)


def _interrogative(question: str) -> str:
    sentences = [each for each in _SENTENCE.split(question.strip()) if each.strip()]
    asking = [each for each in sentences if "?" in each]
    return (asking or sentences or [""])[-1]


def _lettered(question: str, letters: tuple[str, ...]) -> tuple[str, ...]:
    """The texts behind the letters, where all letters from A on have one."""
    marks = list(_LETTERED.finditer(question))
    if [mark[1] for mark in marks] != [*letters][: len(marks)] or len(marks) < 2:
        return ()
    ends = [*(mark.start() for mark in marks[1:]), len(question)]
    return tuple(
        question[mark.end() : end].strip(" \n.,;") for mark, end in zip(marks, ends, strict=True)
    )


def _options(sentence: str) -> tuple[str, ...]:
    """“…: x, y or z?” and “… x or y?”."""
    listed = _LISTED.match(sentence)
    if listed and " or " in listed[1]:
        several = _LAST_OF_LIST.sub(", ", _ASIDE.sub("", listed[1])).split(", ")
        return tuple(each.strip() for each in several if each.strip())
    either = None if _OPEN.match(sentence) else _EITHER.search(sentence)
    return (either[1], either[2]) if either else ()


def _unjoined(text: str) -> str:
    """A question's fractions as their two numbers: what they come to, it does not give."""
    return _FRACTION.sub(r"\1 \2", text)


_FRACTION = re.compile(r"(?<![\d/])(\d{1,12})\s?/\s?(\d{1,12})(?![\d/])")


def _stem(word: str) -> str:
    """Enough of a word to know it by in another form."""
    return word.casefold()[:5].rstrip("s")
