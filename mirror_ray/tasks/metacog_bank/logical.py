"""Generated logical questions: five subcategories, three levels (0 easy, 1 medium, 2 hard).

Validity is decided by enumerating every possible world.
"""

from collections.abc import Mapping
from functools import lru_cache
from itertools import product
from types import MappingProxyType

from mirror_ray.tasks.metacog_bank.draws import Draws
from mirror_ray.tasks.metacog_bank.question import Draft, number, text, yes_no
from mirror_ray.tasks.metacog_bank.words import JOBS, NAMES, Template

_LETTERS = ("P", "Q", "R", "S")
_KINDS = (
    "poets", "swimmers", "vegetarians", "chess players", "cyclists", "early risers", "collectors",
    "climbers", "dancers", "beekeepers", "sailors", "bakers", "skaters", "birdwatchers",
)  # fmt: skip
_OPEN_KEY = ("yes", "no", "cannot be determined")


def _propositional_logic(d: Draws, level: int) -> Draft:
    names = d.sample(_LETTERS, 3)
    values = {name: bool(d.integer(0, 1)) for name in names}
    words, truth = _leaf(d, names[0], values)
    for name in [*names[1:], *names][: 2 + level]:
        side, holds = _leaf(d, name, values)
        joint = d.pick(("and", "or", "if"))
        if joint == "and":
            words, truth = f"({words} and {side})", truth and holds
        elif joint == "or":
            words, truth = f"({words} or {side})", truth or holds
        else:
            words, truth = f"(if {words} then {side})", not truth or holds
        if level == 2 and d.integer(0, 1):
            words, truth = f"not {words}", not truth
    given = ", ".join(f"{n} is {'true' if values[n] else 'false'}" for n in sorted(names))
    return Draft(
        f"Suppose {given}. “Or” is inclusive and “if … then” is the material conditional. "
        f"Is this statement true? {words}",
        yes_no(holds=truth),
    )


def _leaf(d: Draws, name: str, values: Mapping[str, bool]) -> tuple[str, bool]:
    return (f"not {name}", not values[name]) if d.integer(0, 1) else (name, values[name])


_FORMS = ("All {} are {}", "No {} are {}", "Some {} are {}", "Some {} are not {}")


@lru_cache(maxsize=4_096)
def _follows(premises: tuple[tuple[int, int, int], ...], conclusion: tuple[int, int, int]) -> bool:
    """Whether the conclusion holds in every world where the premises do.

    A statement is (form, subject, predicate); a world says which of the eight kinds of individual,
    given by three properties, exist.
    """
    kinds = list(product((False, True), repeat=3))
    for exists in product((False, True), repeat=8):
        world = [kind for kind, there in zip(kinds, exists, strict=True) if there]
        if all(_holds(premise, world) for premise in premises) and not _holds(conclusion, world):
            return False
    return True


def _holds(statement: tuple[int, int, int], world: list[tuple[bool, ...]]) -> bool:
    form, subject, predicate = statement
    shared = any(kind[subject] and kind[predicate] for kind in world)
    apart = any(kind[subject] and not kind[predicate] for kind in world)
    return (not apart, not shared, shared, apart)[form]


def _syllogisms(d: Draws, level: int) -> Draft:
    names = d.sample(_KINDS, 3)
    if level == 0:
        first, second = (d.pick((0, 1)), 0, 1), (d.pick((0, 1)), 1, 2)
    else:
        ends = ((0, 1), (1, 0)), ((1, 2), (2, 1))
        first = (d.pick((0, 1, 2)), *d.pick(ends[0]))
        second = (d.pick((0, 1, 3) if level == 2 else (0, 1)), *d.pick(ends[1]))
    ends_of = ((0, 2), (2, 0)) if level else ((0, 2),)
    conclusions = [(form, *end) for form in range(len(_FORMS)) for end in ends_of]
    valid = [one for one in conclusions if _follows((first, second), one)]
    # Few conclusions follow from any two premises: drawn evenly, nearly all answers were no.
    wanted = (
        valid if valid and d.integer(0, 2) else [one for one in conclusions if one not in valid]
    )
    conclusion = d.pick(wanted)
    told = [_FORMS[form].format(names[s], names[p]) for form, s, p in (first, second, conclusion)]
    return Draft(
        f"{told[0]}. {told[1]}. Does it follow from these two statements alone that "
        f"{told[2][0].lower()}{told[2][1:]}? (There may be no members of a group at all.)",
        yes_no(holds=_follows((first, second), conclusion)),
    )


def _set_relations(d: Draws, level: int) -> Draft:
    one, two, three = d.sample(_KINDS, 3)
    only_one, only_two, both = d.integer(5, 60), d.integer(4, 55), d.integer(3, 40)
    if level == 0:
        return Draft(
            f"In a club, {only_one + both} members are {one}, {only_two + both} are {two}, and "
            f"{both} are both. How many members are {one} or {two} or both?",
            number(only_one + only_two + both),
        )
    neither = d.integer(2, 30)
    if level == 1:
        total = only_one + only_two + both + neither
        return Draft(
            f"Of {total} members of a club, {only_one + both} are {one}, {only_two + both} are "
            f"{two}, and {neither} are neither. How many are both?",
            number(both),
        )
    only_three, ab, ac, bc = d.integer(2, 40), d.integer(1, 20), d.integer(2, 19), d.integer(1, 18)
    every = both
    total = only_one + only_two + only_three + ab + ac + bc + every + neither
    return Draft(
        f"Of {total} members of a club, {only_one + ab + ac + every} are {one}, "
        f"{only_two + ab + bc + every} are {two} and {only_three + ac + bc + every} are {three}; "
        f"{ab + every} are both {one} and {two}, {ac + every} both {one} and {three}, "
        f"{bc + every} both {two} and {three}; {neither} are none of the three. "
        "How many are all three?",
        number(every),
    )


def _conditional_reasoning(d: Draws, level: int) -> Draft:
    n = 2 + level
    people = d.sample(NAMES, n)
    verb = d.pick(("comes to the party", "joins the choir", "signs the letter", "buys a ticket"))
    # A chain: if the first then the second, and so on, some links given by contraposition.
    links = []
    for i in range(n - 1):
        if level and d.integer(0, 1):
            links.append(f"unless {people[i + 1]} {verb}, {people[i]} does not")
        else:
            links.append(f"if {people[i]} {verb}, so does {people[i + 1]}")
    first, last = people[0], people[-1]
    fact, asked, answer = d.pick(
        (
            (f"{first} {verb}", last, "yes"),
            (f"it is not so that {last} {verb}", first, "no"),
            (f"{last} {verb}", first, _OPEN_KEY[2]),
            (f"it is not so that {first} {verb}", last, _OPEN_KEY[2]),
        )
    )
    told = "; ".join(links)
    return Draft(
        f"{told[0].upper()}{told[1:]}. Now {fact}. Is it so that {asked} {verb}? "
        "Answer yes, no, or cannot be determined.",
        text(answer, _OPEN_KEY),
    )


def _proof_evaluation(d: Draws, level: int) -> Draft:
    x, a, b, c = d.integer(3, 19), d.integer(2, 9), d.integer(3, 24), d.integer(2, 15)
    wrong_at = d.integer(0, 3 + level)
    right = a * (x + b) - c
    lines = [f"{a}(x + {b}) - {c} = {right}"]
    # Each step is carried out from the line before it; at `wrong_at` with a slip.
    value = right + c + (1 + c if wrong_at == 1 else 0)
    lines.append(f"{a}(x + {b}) = {value}")
    inner = a * b + (a if wrong_at == 2 else 0)
    lines.append(f"{a}x + {inner} = {value}")
    value -= inner + (2 * a if wrong_at == 3 else 0)
    lines.append(f"{a}x = {value}")
    for step in range(4, 4 + level):
        factor = 2 + step - 4
        value = value * factor + (a if wrong_at == step else 0)
        a *= factor
        lines.append(f"{a}x = {value}")
    steps = "\n".join(f"Step {i}: {line}" for i, line in enumerate(lines) if i)
    teacher = d.pick(JOBS)
    return Draft(
        f"A {teacher} solves for x, beginning with {lines[0]}, each step drawn from the one before "
        f"it:\n{steps}\nWhich step is the first that does not follow? Answer with its number, or "
        "with 0 if every step follows.",
        number(wrong_at),
    )


TEMPLATES: Mapping[str, Template] = MappingProxyType(
    {
        "propositional_logic": _propositional_logic,
        "syllogisms": _syllogisms,
        "set_relations": _set_relations,
        "conditional_reasoning": _conditional_reasoning,
        "proof_evaluation": _proof_evaluation,
    }
)
