"""The answer of a reply by its first verdict, its conclusion and what stands out.

Knows the signs of a verdict: it takes up the question's words, is bold, stands first or last or
alone, or is announced as a conclusion. [Our decision] A first verdict and a conclusion that say
different things leave no answer.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from mirror_ray.families.metacog.asserted import same
from mirror_ray.families.metacog.matching import chosen
from mirror_ray.families.metacog.question_facts import Asked
from mirror_ray.reading.replies.answer_phrases import (
    ANSWERS_AT_ONCE,
    ASIDE,
    CLAUSE,
    CONCLUDES,
    LISTED_LETTER,
)
from mirror_ray.reading.replies.statements import Statement, part_of

Read = Callable[[Statement, Asked], str | None]
"""What a statement answers to what was asked."""

_Place = Literal["first", "between", "last", "listed"]
_FEW_WORDS = 3
_DIGIT = re.compile(r"\d")
_MANY_SIGNS = 4.0
_MOST, _MUCH = 0.7, 0.5
"""Of the question's words."""


@dataclass(frozen=True, slots=True)
class Weighed:
    """What one statement answers, and the signs that it means to.

    Args:
        is_first: it opens the reply.
        is_verdict: it cannot be taken for a step on the way.
    """

    value: str
    weight: float
    is_first: bool
    is_verdict: bool


def agreed(outright: str | None, weighed: Sequence[Weighed], asked: Asked) -> str | None:
    """The answer that is called one, else the one with most signs of a verdict.

    None where the first verdict, or a conclusion, says another thing.
    """
    verdicts = [one for one in weighed if one.is_verdict]
    if outright is not None:
        value = outright
        is_choice = asked.kind in _CHOICES or asked.options
        verdicts = [one for one in verdicts if one.is_first and is_choice]
    elif not weighed:
        return None
    elif verdicts and (asked.kind in _CHOICES or (verdicts[0].is_first and not _is_open(asked))):
        # What stands between the verdict and the conclusion gives the reasons.
        value = verdicts[0].value
    else:
        value = max(reversed(weighed), key=lambda one: one.weight).value
    return value if all(same(one.value, value, asked) for one in verdicts) else None


def weigh(said: Sequence[Statement], asked: Asked, read: Read) -> list[Weighed]:
    """Every statement that answers, in order."""
    if asked.kind == "letter":
        said = _unlisted(said, asked)
    clauses = [
        clause
        for each in said
        if not (_is_aside(each) and not (len(said) == 1 and asked.kind == "boolean"))
        and (each.bold or not each.text.endswith((":", "?")))
        for clause in _clauses(each)
    ]
    only_items = all(each.item or each.row for each in clauses)
    found = []
    for number, each in enumerate(clauses, 1):
        value = read(each, asked)
        if value is None:
            continue
        place: _Place = "last" if number == len(clauses) else "between"
        if number == 1 and not each.item:
            place = "first"
        if each.heading or ((each.item or each.row) and not only_items):
            place = "listed"
        found.append(_weighed(value, each, asked, place, read))
    if asked.kind == "text":
        return [one for one in found if chosen(one.value, asked.options)] or found
    return found


def _is_aside(said: Statement) -> bool:
    """Not what is bold in a main clause: "If it is 11 in Rome, it would be **4**" answers."""
    return ASIDE.match(said.text) is not None and not (said.bold and said.text.startswith("If "))


def _weighed(value: str, said: Statement, asked: Asked, place: _Place, read: Read) -> Weighed:
    coverage = asked.coverage(said.text)
    concludes = CONCLUDES.match(said.text) is not None
    is_bare = (
        said.stands_alone
        or (
            place != "between"
            and len(said.text.split()) <= _FEW_WORDS
            and "=" not in said.text
            and not (asked.kind == "text" and _DIGIT.search(said.text))
        )
        or (place == "first" and ANSWERS_AT_ONCE.match(said.text) is not None)
        or (place == "first" and asked.kind == "text" and _is_led_by_few_words(said.text))
    )
    is_bold = bool(said.bold)
    is_computed = asked.kind in ("number", "time")
    label, colon, behind = said.text.partition(": ")
    if is_computed and colon and behind and not concludes:
        # "Sold: 57" is a step, and so is "Rolls baked: 504" where more follows.
        is_bare &= asked.coverage(label) > 0 and not (place == "first" and coverage < _MOST)
    if is_computed and asked.is_of_another(said.text):
        place = "listed"
    weight = 3 * coverage + 2 * (concludes + is_bare) + (3 if _is_open(asked) else 2) * is_bold
    weight += (place in ("first", "last")) - 4 * (place == "listed")
    # A calculation ends with what was asked for.
    weight += is_computed and place == "last"
    if place == "listed":
        is_verdict = False
    elif asked.kind in _CHOICES and place == "first":
        is_verdict = True
    elif is_computed:
        # Steps on the way take up the question's words, too.
        takes_it_up = coverage >= (_MOST if place == "first" else _MUCH)
        is_marked = (is_bold and concludes) or ((is_bold or concludes) and takes_it_up)
        is_verdict = is_bare or (is_marked and place != "between")
    else:
        takes_it_up = place == "last" or (place == "first" and coverage >= _MOST)
        is_verdict = (
            (is_bare and place == "first")
            or (takes_it_up and weight >= _MANY_SIGNS)
            or (concludes and is_bold)
        )
    if asked.kind == "letter":
        is_verdict |= place == "last" and len(said.text.strip(" .()*")) == 1
    if asked.kind == "boolean":
        is_verdict |= any(read(replace(said, text=each), asked) for each in said.bold)
    return Weighed(value, weight, place == "first", is_verdict)


def _is_led_by_few_words(text: str) -> bool:
    """“The drawer — that is where she left them.”"""
    lead, dash, _ = text.replace(" – ", " — ").partition(" — ")
    return bool(dash) and len(lead.split()) <= _FEW_WORDS


def _unlisted(said: Sequence[Statement], asked: Asked) -> list[Statement]:
    """Without a list that goes through the letters; of one that is all, what takes up the question.

    "A) tired – adjective, D) soundly – adverb" answers which the adverb is.
    """
    letters = {mark[1] for each in said if (mark := LISTED_LETTER.match(each.text))}
    if len(letters) < 2:
        return list(said)
    rest = [each for each in said if not LISTED_LETTER.match(each.text)]
    most = max(asked.coverage(each.text) for each in said)
    best = [each for each in said if asked.coverage(each.text) == most]
    return rest or (best if len(best) == 1 and most else [])


def _is_open(asked: Asked) -> bool:
    return asked.kind in ("text", "open") and not asked.options


_CHOICES = ("boolean", "letter")


def _clauses(said: Statement) -> Iterator[Statement]:
    """A sentence that ends in a conclusion is two statements."""
    parts = CLAUSE.split(said.text)
    for part in parts:
        yield part_of(said, part) if len(parts) > 1 else said
