"""Generated tasks of two domains, for all 28 pairs (experiments 3 and 9).

Two questions become one task: the answer in the first domain decides which of two questions in the
second has to be answered, so that one skill alone is not enough."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from mirror_ray.families.metacog.bank import keys
from mirror_ray.families.metacog.bank.draws import Draws
from mirror_ray.families.metacog.bank.question import DOMAINS, Question
from mirror_ray.reading.quantity import clock_times, quantities

PAIRS = tuple(combinations(DOMAINS, 2))


@dataclass(frozen=True, slots=True)
class Parts:
    """A task of two questions about one scene."""

    item_id: str
    scene: str
    one: Question
    two: Question

    @classmethod
    def from_facts(cls, facts: Mapping[str, Any]) -> "Parts":
        """Make the object from plain data, the inverse of `dataclasses.asdict`."""
        one, two = (Question.from_facts(facts[name]) for name in ("one", "two"))
        return cls(**{**facts, "one": one, "two": two})


def joined(
    d: Draws,
    item_id: str,
    domains: tuple[str, str],
    first: Question,
    others: tuple[Question, Question],
) -> Question:
    """Return one task of a question and two of another domain. The first decides which of the two
    applies."""
    second, third = others
    opens = bool(d.integer(0, 1))
    goal = second if opens else third
    text = (
        f"Question 1. {first.text}\n"
        f"If the answer to question 1 {_gate(d, first, opens)}, answer question 2; otherwise "
        "answer question 3. Only the answer to that one question counts.\n"
        f"Question 2. {second.text}\n"
        f"Question 3. {third.text}"
    )
    return Question(
        item_id=item_id,
        domain=" × ".join(domains),
        subcategory=f"{first.subcategory} × {goal.subcategory}",
        difficulty=goal.difficulty,
        text=text,
        key=goal.key,
        level=goal.level,
    )


def _gate(d: Draws, question: Question, opens: bool) -> str:
    """Return a condition on the first answer, which is true only if `opens`."""
    key = question.key
    if key.options:
        others = [option for option in key.options if option != key.answer]
        return f"is “{key.answer if opens else d.pick(others)}”"
    if key.kind == "time":
        limit = (clock_times(key.answer)[-1] + (25 if opens else -25)) % 1440
        later = limit < clock_times(key.answer)[-1]
        word = "later" if later == opens else "earlier"
        return f"is a time of day {word} than {limit // 60:02d}:{limit % 60:02d}"
    if key.kind == "number":
        value = quantities(key.answer)[-1].value
        margin = 1 + abs(value) // 20
        limit_value = value - margin if opens else value + margin
        return f"is greater than {keys.in_figures(limit_value)}"
    if key.kind == "text":
        letters = sum(letter.isalpha() for letter in key.answer)
        return f"has more than {letters - 1 if opens else letters} letters"
    first = key.answer.split(", ")[0]
    other = next((part for part in key.answer.split(", ") if part != first), f"{first}1")
    return f"begins with {first if opens else other}"
