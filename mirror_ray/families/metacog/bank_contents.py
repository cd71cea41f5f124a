"""Counts a bank's distinct tasks and duplicates, and how its answers are distributed."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from mirror_ray.families.metacog.bank.facts import (
    CAPITALS,
    DATED_EVENTS,
    ELEMENTS,
    KNOWN_COUNTS,
    WORKS,
)
from mirror_ray.families.metacog.bank.question import Question
from mirror_ray.families.metacog.bank.words import DAYS, JOBS, NAMES, THINGS

Solver = Callable[[str], object]


def _drawn() -> "re.Pattern[str]":
    words = {*NAMES, *THINGS, *JOBS, *DAYS, *(name for _, _, name in ELEMENTS)}
    words |= {part for country, capital, _ in CAPITALS for part in (country, capital)}
    words |= {name for name, _ in (*DATED_EVENTS, *KNOWN_COUNTS)}
    words |= {part for work, author, _ in WORKS for part in (work, author)}
    words |= {"first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"}
    words |= {"north", "south", "east", "west", "northeast", "northwest", "southeast", "southwest"}
    either = "|".join(map(re.escape, sorted(words, key=len, reverse=True)))
    return re.compile(rf"\b(?:an? |the )?(?:{either})(?:s|'s)?\b|\b[A-Z]\w+(?= |,|'s)(?<!^)")


_DRAWN = _drawn()
_QUOTED = re.compile(r"“[^”]{1,24}”")
_NUMBER = re.compile(r"-?\d[\d.,:]*")
_RUN = re.compile(r"_(?:(?:, | and |; | – |, and )_)+")
_SENTENCES = re.compile(r"[.;:?!]\s+|\n|, then ")


def skeleton(text: str) -> str:
    """Return the template of a question: numbers, names and drawn words are masked, and each
    pattern of a sentence counts once, in no order. Two questions with one skeleton are the same
    task with other contents.
    """
    masked = _NUMBER.sub("#", _DRAWN.sub("_", _QUOTED.sub("_", text)))
    return " | ".join(
        sorted({_RUN.sub("_", part).strip(" .?!:;") for part in _SENTENCES.split(masked)})
    )


@dataclass(frozen=True, slots=True)
class Contents:
    """Counts of some questions.

    Args:
        duplicates: questions whose text an earlier one has.
        contradictions: texts that come with more than one key.
        skeletons: distinct templates.
        yes: the share of yes among yes-or-no answers; None without such answers.
        letter, digit: the largest share of a letter among lettered answers, and of a last digit
            among whole numbers, relative to an even share (1); None if there are none.
        levels: level → how many questions have it; empty in a bank without levels.
        agreed, solved: of the questions that a solver tried, those whose key it found.
    """

    n: int
    duplicates: int
    contradictions: int
    skeletons: int
    yes: float | None
    letter: float | None
    digit: float | None
    levels: dict[int, int]
    agreed: int = 0
    solved: int = 0


def contents_of(
    questions: Iterable[Question], agrees: Callable[[Question], bool | None] | None = None
) -> Contents:
    """Count the questions' contents; `agrees`: whether an independent solver finds the key; None
    without a solver."""
    listed = list(questions)
    keys = defaultdict(set)
    for question in listed:
        keys[" ".join(question.text.split())].add(question.key.answer.casefold())
    booleans = [_is_yes(q.key.answer) for q in listed if q.key.kind == "boolean"]
    verdicts = [agrees(question) for question in listed] if agrees else []
    return Contents(
        n=len(listed),
        duplicates=len(listed) - len(keys),
        contradictions=sum(len(answers) > 1 for answers in keys.values()),
        skeletons=len({skeleton(question.text) for question in listed}),
        yes=booleans.count(True) / len(booleans) if booleans else None,
        letter=_letters(listed),
        digit=_digits(listed),
        levels=dict(sorted(Counter(q.level for q in listed if q.level is not None).items())),
        agreed=verdicts.count(True),
        solved=len(verdicts) - verdicts.count(None),
    )


def _is_yes(answer: str) -> bool:
    return answer.casefold().startswith(("yes", "true"))


def _letters(questions: Sequence[Question]) -> float | None:
    lettered = [q for q in questions if q.key.kind == "letter"]
    if not lettered:
        return None
    expected: Counter[str] = Counter()
    for question in lettered:
        for letter in question.key.options:
            expected[letter] += 1 / len(question.key.options)  # type: ignore[assignment]
    found = Counter(question.key.answer for question in lettered)
    often = [letter for letter in expected if expected[letter] >= 5]
    return max((found[letter] / expected[letter] for letter in often), default=None)


def _digits(questions: Sequence[Question]) -> float | None:
    """Return the share relative to an even distribution over last digits. Only whole numbers from
    10 on count, because smaller ones are counts and begin at 0 or 1."""
    whole = [
        q.key.answer[-1]
        for q in questions
        if q.key.kind == "number" and re.fullmatch(r"-?\d{2,}", q.key.answer)
    ]
    return 10 * max(Counter(whole).values()) / len(whole) if len(whole) >= 50 else None
