"""The answer that a free reply commits itself to.

Knows how a reply comes to its answer: it says so outright ("the answer is", a box, a label), or
its first statement is the verdict, or a conclusion is. What is taken back, refused, said by others
or only to be expected at first sight is no commitment. [Our decision] The last outright commitment
counts; without one, the statement with most signs of a verdict does, and a reply whose first
verdict and conclusion say different things commits itself to neither.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from mirror_ray.families.metacog.asserted import value_of
from mirror_ray.families.metacog.asserted_letters import ruled_out
from mirror_ray.families.metacog.asserted_orders import PICTURES
from mirror_ray.families.metacog.bank.question import Key
from mirror_ray.families.metacog.orders import last_order, steps_taken
from mirror_ray.families.metacog.question_facts import Asked, asked_by
from mirror_ray.families.metacog.steps import steps_of
from mirror_ray.families.metacog.verdict import agreed, weigh
from mirror_ray.families.metacog.yes_no import by_clause
from mirror_ray.reading.number_words import in_one_grouping
from mirror_ray.reading.replies.answer_phrases import (
    ANOTHER_VERDICT,
    AS_OTHERS_SAY,
    ASIDE,
    BUT,
    CORRECTED_TO,
    LABEL,
    NAMES_THE_ANSWER,
    OUTRIGHT,
    REFUSED,
    SAID_BY_OTHERS,
    TAKEN_BACK,
)
from mirror_ray.reading.replies.objects import answers_named
from mirror_ray.reading.replies.statements import LONGEST_READ_CHARS, Statement, part_of, statements
from mirror_ray.reading.replies.verdicts import verdicts_named

LONGEST_ANSWER_CHARS = 500
_MOST_CORRECTION_CHARS, _MOST_CORRECTION_WORDS = 80, 6


def commitment(text: str, question: str, key: Key | None) -> str | None:
    """The answer of a free reply, as a short text; None where it commits itself to none.

    Args:
        text: without thinking.
        question: as the model read it.
        key: tells the kind and the options; never what is right.
    """
    asked = asked_by(question, key)
    text = answers_named(text[-LONGEST_READ_CHARS:])
    if asked.kind == "letter":
        text = verdicts_named(text, "".join(asked.options), asked.texts)
        text = _LETTER_ENDS.sub(r"\1.\n", text)
    else:
        text = PICTURES.sub("", text)
    if asked.kind == "number":
        text = in_one_grouping(text, asked.numbers)
    said = _standing(statements(text), asked)
    if asked.kind == "sequence":
        if key and steps_of(key.answer):
            return steps_taken(said)
        outright = _outright(said, asked) if asked.n_lists == 1 else None
        return outright or last_order(said, asked)
    outright, weighed = _outright(said, asked), weigh(said, asked, value_of)
    if asked.kind == "boolean" and outright is None and not weighed:
        weighed = weigh(said, asked, lambda each, asked: by_clause(each.text, asked))
        # "Absolutely! It has seeds" says no more than that.
        weighed = weighed or weigh(said[:1], asked, value_of)
    value = agreed(outright, weighed, asked)
    if asked.kind == "letter" and outright is None and value in ruled_out(said, asked):
        return None
    return None if value is None else value[:LONGEST_ANSWER_CHARS]


def stated(labelled: str, question: str, key: Key | None) -> str:
    """The answer on a line of its own label, read as any other; as it stands where that says none.

    Args:
        labelled: what follows the label.
    """
    is_bare = labelled.isalnum() and not labelled.isalpha()
    found = None if key is None or is_bare else commitment(f"ANSWER: {labelled}", question, key)
    return labelled if found is None else found


_LETTER_ENDS = re.compile(
    r"((?:\b(?:is|be|option|choice|answer|pick|choose|say|with)\b|:)[ ][*_(]{0,4}[C-H][*_)]{0,4})"
    r"\.[*_]{0,3}[ ](?=[\"“'A-Z(*])",
    re.IGNORECASE,
)
"""A letter that ends its sentence is no initial of a name."""


def _standing(said: Sequence[Statement], asked: Asked) -> list[Statement]:
    """The statements that are not taken back, refused or ascribed to others."""
    standing: list[Statement] = []
    for each in _with_their_intro(said):
        text = each.text
        if back := list(TAKEN_BACK.finditer(text)):
            standing.clear()
            text = text[back[-1].end() :].lstrip(" ,.:;!…–—-")
        if corrected := _corrected(part_of(each, text), asked):
            standing.clear()
            text = corrected
        if _is_no_answer(text):
            text = AS_OTHERS_SAY.sub("", text)
        if _is_no_answer(text):
            # "I can't use a calculator, but 6 × 7 = 42" answers.
            but = BUT.search(text)
            sides = (text[: but.start()], text[but.end() :]) if but else ()
            # "It is Canberra, though many think of Sydney" answers before it.
            text = next((side for side in sides if side and not _is_no_answer(side)), "")
        if text and not _is_no_answer(text):
            standing.append(each if text == each.text else part_of(each, text))
    return standing


def _corrected(said: Statement, asked: Asked) -> str | None:
    """The few words that follow a "no," a "sorry," or the like, where they are an answer."""
    another = ANOTHER_VERDICT.search(said.text) if asked.kind == "boolean" else None
    if another is not None:
        return said.text[another.end() :]
    for turn in CORRECTED_TO.finditer(said.text):
        rest = said.text[turn.end() : turn.end() + _MOST_CORRECTION_CHARS]
        denies_only = turn["no"] and asked.kind == "boolean"
        if denies_only or turn.end() + len(rest) < len(said.text):
            continue
        if len(rest.split()) <= _MOST_CORRECTION_WORDS and value_of(part_of(said, rest), asked):
            return rest
    return None


def _is_no_answer(text: str) -> bool:
    return bool(REFUSED.search(text) or SAID_BY_OTHERS.search(text))


def _with_their_intro(said: Sequence[Statement]) -> Iterator[Statement]:
    """An introduction that ends in a colon goes with the line behind it, if that stands alone."""
    intro: Statement | None = None
    for each in said:
        if intro is not None and each.stands_alone and not (each.item or intro.bold):
            yield replace(each, text=f"{intro.text} {each.text}", line=intro.line)
            intro = None
            continue
        if intro is not None:
            yield intro
            intro = None
        if each.text.endswith(":") and not (each.item or ASIDE.match(each.text)):
            intro = each
        else:
            yield each
    if intro is not None:
        yield intro


def _outright(said: Sequence[Statement], asked: Asked) -> str | None:
    """The last answer that is called one."""
    for place in range(len(said) - 1, -1, -1):
        for part in _called_answers(said, place, asked):
            value = value_of(part, asked)
            if value is not None:
                return value
    return None


def _called_answers(said: Sequence[Statement], place: int, asked: Asked) -> Iterator[Statement]:
    """What a statement calls the answer."""
    each = said[place]
    if inside := _IN_BRACKETS.match(each.text):
        each = part_of(each, inside[1])
    if label := LABEL.match(each.text):
        rest = each.text[label.end() :].strip()
        if rest:
            yield part_of(each, rest)
        elif place + 1 < len(said):
            yield replace(said[place + 1], item=False)
        return
    found = list(OUTRIGHT.finditer(each.text))
    rest = each.text[found[-1].end() :].strip() if found else ""
    if rest and not _DENIES.match(rest):
        yield part_of(each, rest)
    if asked.kind == "letter" and (called := _IS_LETTER.search(each.text)):
        # "The synonym is C."
        yield from [part_of(each, called[2])] if asked.repeats(called[1]) else []
    if named := NAMES_THE_ANSWER.search(each.text):
        yield part_of(each, each.text[: named.start()])


_IN_BRACKETS = re.compile(r"\((?=(?:final )?answer\b)([^()\n]{1,200})\)", re.IGNORECASE)
_IS_LETTER = re.compile(r"\bthe (\w+) is (?:option )?\(?([A-H])\)?[.!]?\Z", re.IGNORECASE)
_DENIES = re.compile(r"(?:not|neither|nor)\b(?! (?:nec|real))", re.IGNORECASE)
