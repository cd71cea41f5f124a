"""The order that a reply states: in a line, in a list, or step by step.

Knows how orders and steps are set out; [our decision] of several the last counts, and where the
question names what is to be put in order, one that has all of it comes first.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from mirror_ray.families.metacog.asserted import value_of
from mirror_ray.families.metacog.asserted_orders import item_part, lists_in
from mirror_ray.families.metacog.matching import plain
from mirror_ray.families.metacog.question_facts import Asked
from mirror_ray.families.metacog.steps import LONGEST_STEPS_CHARS
from mirror_ray.reading.replies.answer_phrases import ASIDE
from mirror_ray.reading.replies.statements import Statement

_STEP_CHARS = 200


def last_order(said: Sequence[Statement], asked: Asked) -> str | None:
    """The order that counts, its parts between commas."""
    said = [each for each in said if not ASIDE.match(each.text)]
    found = [order for each in _runs(said) if (order := _stated_order(each, asked))]
    whole = [each for each in found if sorted(map(plain, each.split(", "))) == [*asked.parts]]
    if asked.parts and not whole and (one_by_one := _one_by_one(said, asked)):
        return one_by_one
    return next(reversed(whole or found), None) or _line_by_line(said)


def _line_by_line(said: Sequence[Statement]) -> str | None:
    """A reply of nothing but a few words a line."""
    parts = [each.text.strip(" .,;") for each in said]
    lines = {each.line for each in said}
    is_list = len(parts) > 2 and len(lines) == len(parts)
    return ", ".join(parts) if is_list and all(len(p.split()) <= 3 for p in parts) else None


def _one_by_one(said: Sequence[Statement], asked: Asked) -> str | None:
    """The order of lines or rows that each name one thing, if together they name each once."""
    named = [part for each in said if (part := _only_part(each, asked))]
    return ", ".join(named) if sorted(named) == [*asked.parts] else None


def _only_part(said: Statement, asked: Asked) -> str | None:
    text = f" {plain(said.text)} "
    named = [part for part in asked.parts if f" {part} " in text]
    return named[0] if len(named) == 1 else None


def _runs(said: Sequence[Statement]) -> Iterator[list[Statement]]:
    """The items of each list together, all else alone."""
    for is_item, run in groupby(said, key=lambda each: each.item):
        together = list(run)
        if is_item:
            yield together
        else:
            yield from ([each] for each in together)


def _stated_order(run: list[Statement], asked: Asked) -> str | None:
    if asked.n_lists > 1:
        lists = [each for one in run for each in lists_in(one.text)]
        return " and ".join(lists) if len(lists) == asked.n_lists else None
    if len(run) == 1:
        return value_of(replace(run[0], item=False), asked)
    parts = [_only_part(each, asked) or item_part(each) for each in run]
    if None in parts and lists_in(run[-1].text):
        # "Step 2: add 1 → [10, 3, 6]" ends with what comes of it.
        return value_of(replace(run[-1], item=False, text=lists_in(run[-1].text)[-1]), asked)
    return None if None in parts else ", ".join(filter(None, parts))


def steps_taken(said: Sequence[Statement]) -> str | None:
    """The steps that a reply lists, one a line."""
    lines = [each.text[:_STEP_CHARS] for each in said if each.item or each.heading or each.bold]
    return "\n".join(lines)[:LONGEST_STEPS_CHARS] or None
