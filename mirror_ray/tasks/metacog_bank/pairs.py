"""Generated tasks of two domains, for all 28 pairs (experiments 3 and 9).

Two questions become one task: the answer in the first domain decides which of two questions in the
second has to be answered, so that neither skill is enough.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from mirror_ray.tasks.metacog_bank.draws import Draws
from mirror_ray.tasks.metacog_bank.quantity import clock_times, quantities
from mirror_ray.tasks.metacog_bank.question import DIFFICULTIES, DOMAINS, Question, in_figures
from mirror_ray.tasks.metacog_bank.questions import PER_DOMAIN, SUBCATEGORIES, question_of

PAIRS = tuple(combinations(DOMAINS, 2))

_SCENES = (
    "A museum guide prepares two rooms of an exhibition.",
    "A clerk at a harbour office works through the morning's papers.",
    "A teacher puts together two sheets for tomorrow's class.",
    "The night desk of a newspaper has two things left to settle.",
    "A village council's secretary answers two letters.",
    "A theatre's stage manager goes through a checklist.",
    "A librarian helps two visitors before closing time.",
    "The crew of a research ship settles two questions over breakfast.",
)


@dataclass(frozen=True, slots=True)
class Parts:
    """A task of two parts, each a question of its own."""

    item_id: str
    scene: str
    one: Question
    two: Question

    @classmethod
    def from_facts(cls, facts: Mapping[str, Any]) -> "Parts":
        """The inverse of `dataclasses.asdict`."""
        one, two = (Question.from_facts(facts[name]) for name in ("one", "two"))
        return cls(**{**facts, "one": one, "two": two})


def composed_at(index: int, level: int | None = None) -> Question:
    """The two-domain question number `index`; 28 neighbours have all pairs.

    Args:
        level: in place of the level whose turn it is.
    """
    n, pair = divmod(index, len(PAIRS))
    level = n % len(DIFFICULTIES) if level is None else level
    a, b = PAIRS[pair]
    d = Draws(f"pair.{a}.{b}.{level}", n)
    if d.integer(0, 1):
        a, b = b, a
    first = _some(d, a, level, n)
    second, third = _some(d, b, level, 2 * n), _some(d, b, level, 2 * n + 1)
    item_id = f"pair.{PAIRS[pair][0]}.{PAIRS[pair][1]}.{DIFFICULTIES[level]}.{n}"
    return joined(d, item_id, PAIRS[pair], first, (second, third))


def joined(
    d: Draws,
    item_id: str,
    domains: tuple[str, str],
    first: Question,
    others: tuple[Question, Question],
) -> Question:
    """One task of a question in one domain and two in another, of which the first decides one."""
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


def parts_at(index: int) -> Parts:
    """The two-part task number `index`, the same for every model; 28 neighbours have all pairs."""
    n, pair = divmod(index, len(PAIRS))
    return _parts("fixed", PAIRS[pair], n)


def tailored_parts_at(index: int, strong: tuple[str, ...], weak: tuple[str, ...]) -> Parts:
    """The task number `index` of one strong and one weak domain, all their pairs in turn."""
    n, pair = divmod(index, len(strong) * len(weak))
    a, b = strong[pair % len(strong)], weak[pair // len(strong)]
    return _parts("tailored", (a, b), n)


def _parts(task_set: str, domains: tuple[str, str], n: int) -> Parts:
    d = Draws(f"{task_set}.{'.'.join(domains)}", n)
    scene = d.pick(_SCENES)
    # Each part has a difficulty of its own: a task may be easy where the model is weak.
    levels = d.integer(0, 2), d.integer(0, 2)
    one, two = (_some(d, domain, level, n) for domain, level in zip(domains, levels, strict=True))
    return Parts(f"{task_set}.{domains[0]}.{domains[1]}.{n}", scene, one, two)


def _some(d: Draws, domain: str, level: int, n: int) -> Question:
    """The n-th question of some subcategory."""
    return question_of(domain, SUBCATEGORIES[domain][d.integer(0, PER_DOMAIN - 1)], level, n)


def _gate(d: Draws, question: Question, opens: bool) -> str:
    """The condition on its answer under which the second question applies; only if `opens`."""
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
        return f"is greater than {in_figures(limit_value)}"
    if key.kind == "text":
        letters = sum(letter.isalpha() for letter in key.answer)
        return f"has more than {letters - 1 if opens else letters} letters"
    first = key.answer.split(", ")[0]
    other = next((part for part in key.answer.split(", ") if part != first), f"{first}1")
    return f"begins with {first if opens else other}"
