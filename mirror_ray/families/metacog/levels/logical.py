"""Logical questions at ten levels: five subcategories."""

from collections.abc import Callable, Mapping
from itertools import product
from math import gcd
from types import MappingProxyType

from mirror_ray.families.metacog.bank.draws import Draws
from mirror_ray.families.metacog.bank.question import Draft, in_words, number, yes_no
from mirror_ray.families.metacog.bank.words import JOBS
from mirror_ray.families.metacog.levels.kind import Kind, one_of
from mirror_ray.families.metacog.levels.logical_inference import conditionals, syllogism
from mirror_ray.families.metacog.levels.logical_liars import liars

_LETTERS = ("P", "Q", "R", "S", "T", "U")
_GROUPS = (
    "poets", "swimmers", "vegetarians", "cyclists", "climbers", "dancers", "beekeepers",
    "sailors", "bakers", "skaters", "birdwatchers", "singers",
)  # fmt: skip

_World = Mapping[str, bool]
_Formula = tuple[str, Callable[[_World], bool]]


def _formula(d: Draws, names: list[str], size: int) -> _Formula:
    """A formula with so many connectives, and what decides it."""
    if size == 0:
        name = d.pick(names)
        if d.integer(0, 2) == 0:
            return f"not {name}", lambda world: not world[name]
        return name, lambda world: world[name]
    left_size = d.integer(0, size - 1)
    left, left_holds = _formula(d, names, left_size)
    right, right_holds = _formula(d, names, size - 1 - left_size)
    match d.pick(("and", "or", "if", "iff", "xor")):
        case "and":
            return f"({left} and {right})", lambda w: left_holds(w) and right_holds(w)
        case "or":
            return f"({left} or {right})", lambda w: left_holds(w) or right_holds(w)
        case "if":
            return f"(if {left} then {right})", lambda w: not left_holds(w) or right_holds(w)
        case "iff":
            return (
                f"({left} if and only if {right})",
                lambda w: left_holds(w) == right_holds(w),
            )
        case _:
            return f"(either {left} or {right})", lambda w: left_holds(w) != right_holds(w)


_READING = (
    "“Or” alone is inclusive, “either … or” is exclusive, “if … then” is the material conditional. "
)


def _propositional_logic(d: Draws, level: int) -> Draft:
    wanted, how = bool(d.integer(0, 1)), d.integer(0, 2)
    names = sorted(d.sample(_LETTERS, min(6, 2 + level // 2)))
    size = level + 1 if how == 0 else min(8, 1 + (level + 1) // 2)
    if how == 0:
        world = {name: bool(d.integer(0, 1)) for name in names}
        while True:
            words, holds = _formula(d, names, size)
            if holds(world) == wanted:
                break
        given = in_words([f"{n} is {'true' if world[n] else 'false'}" for n in names])
        return Draft(
            f"Suppose {given}. {_READING}Is this statement true? {words}", yes_no(holds=wanted)
        )
    names = names[: min(4, len(names))]
    worlds = [
        dict(zip(names, row, strict=True)) for row in product((True, False), repeat=len(names))
    ]
    if how == 1:
        words, holds = _formula(d, names, size + 1)
        return Draft(
            f"The letters {in_words(names)} stand for statements, each true or false. {_READING}"
            f"Of the {len(worlds)} ways to make them true or false, how many make this true? "
            f"{words}",
            number(sum(map(holds, worlds))),
        )
    while True:
        one, one_holds = _formula(d, names, size)
        two, two_holds = _formula(d, names, (size + 1) // 2)
        where = [world for world in worlds if one_holds(world)]
        if where and all(map(two_holds, where)) == wanted and not all(map(two_holds, worlds)):
            break
    return Draft(
        f"The letters {in_words(names)} stand for statements, each true or false. {_READING}"
        f"Suppose this is true: {one}. Must this then be true? {two}",
        yes_no(holds=wanted),
    )


def _venn(d: Draws, level: int) -> Draft:
    """Two or three groups; all sizes are told but the one asked for."""
    n = 2 if level < 4 else 3
    groups = d.sample(_GROUPS, n)
    most = 12 + 9 * level
    size = {region: d.integer(1, most) for region in product((0, 1), repeat=n)}

    def total(*held: int) -> int:
        return sum(k for region, k in size.items() if all(region[i] for i in held))

    whole, none = sum(size.values()), size[(0,) * n]
    told = [f"{total(i)} are {groups[i]}" for i in range(n)]
    pairs = [(i, j) for i in range(n) for j in range(i)]
    both = [f"{total(i, j)} are both {groups[j]} and {groups[i]}" for i, j in pairs]
    asks: list[tuple[str, int, list[str]]]
    if n == 2:
        asks = [
            ("are both", total(0, 1), [f"{none} are neither"]),
            ("are neither", none, both),
            (f"are {groups[0]} but not {groups[1]}", size[1, 0], both),
            ("are exactly one of the two", size[1, 0] + size[0, 1], [f"{none} are neither"]),
        ]
    else:
        every = f"{total(0, 1, 2)} are all three"
        nobody = f"{none} are none of the three"
        asks = [
            ("are all three", total(0, 1, 2), [*both, nobody]),
            ("are none of the three", none, [*both, every]),
            (f"are {groups[0]} only", size[1, 0, 0], [*both, every]),
            (
                "are exactly two of the three",
                size[1, 1, 0] + size[1, 0, 1] + size[0, 1, 1],
                [*both, every],
            ),
            (f"are {groups[1]} but not {groups[2]}", total(1) - total(1, 2), [*both, nobody]),
        ]
    ask, value, more = d.pick(asks)
    listed = "; ".join(d.shuffled([*told, *more]))
    return Draft(
        f"Of {whole} members of a club, {listed}. (Those in several groups are counted in each.) "
        f"How many {ask}?",
        number(value),
    )


def _bounds(d: Draws, level: int) -> Draft:
    """How large, or how small, an overlap may be."""
    n = 2 + level // 4
    groups = d.sample(_GROUPS, n)
    whole = d.integer(40, 60 + 30 * level)
    sizes = [d.integer(whole // 2, whole - 2) for _ in groups]
    told = in_words([f"{k} are {group}" for k, group in zip(sizes, groups, strict=True)])
    all_of = "both" if n == 2 else f"all {('', '', '', 'three', 'four')[n]}"
    lead = f"Of {whole} members of a club, {told}. "
    match d.integer(0, 3):
        case 0:
            least = max(0, sum(sizes) - (n - 1) * whole)
            return Draft(f"{lead}What is the least possible number of members who are {all_of}?",
                         number(least))  # fmt: skip
        case 1:
            return Draft(f"{lead}What is the greatest possible number of members who are {all_of}?",
                         number(min(sizes)))  # fmt: skip
        case 2:
            return Draft(
                f"{lead}What is the greatest possible number of members who are none of these?",
                number(whole - max(sizes)),
            )
        case _:
            return Draft(
                f"{lead}What is the least possible number of members who are at least one of "
                "these?",
                number(max(sizes)),
            )


def _proof_evaluation(d: Draws, level: int) -> Draft:
    """A chain of equations, one of which may not follow from the one before it."""
    n = level + 3
    wrong_at = d.integer(0, n)
    a, b, x = d.integer(2, 9), d.integer(-20, 30), d.integer(2, 15)
    lines = [(a, b, a * x + b)]
    for step in range(1, n + 1):
        a, b, right = lines[-1]
        k, common = d.pick([i for i in range(-15, 16) if i]), gcd(a, b, right)
        if common > 1 and d.integer(0, 1):
            a, b, right = a // common, b // common, right // common
        elif a < 40 and abs(right) < 600 and d.integer(0, 1):
            a, b, right = (value * (abs(k) % 3 + 2) for value in (a, b, right))
        else:
            b, right = b + k, right + k
        slip = d.pick((-2, -1, 1, 2, 10)) if step == wrong_at else 0
        lines.append((a, b, right + slip))
    shown = [_equation(*line) for line in lines]
    who = d.pick(JOBS)
    steps = "\n".join(f"Step {i}: {line}" for i, line in enumerate(shown) if i)
    return Draft(
        f"A {who} works on an equation, beginning with {shown[0]}. Each step should follow from "
        f"the one before it.\n{steps}\nWhich step is the first that does not follow from the line "
        "before it? Answer with its number, or with 0 if every step follows.",
        number(wrong_at),
    )


def _equation(a: int, b: int, right: int) -> str:
    rest = "" if b == 0 else f" {'+' if b > 0 else '-'} {abs(b)}"
    return f"{'' if a == 1 else a}x{rest} = {right}"


KINDS: Mapping[str, Kind] = MappingProxyType(
    {
        "propositional_logic": Kind(
            _propositional_logic, "connectives (level + 1), letters (2 to 6)"
        ),
        "syllogisms": Kind(syllogism, "premises (2 to 6), groups (3 to 7)"),
        "set_relations": Kind(one_of(_venn, _bounds), "groups (2 to 4), their size"),
        "conditional_reasoning": Kind(
            one_of(conditionals, conditionals, liars), "conditionals (level + 1), people (2 to 7)"
        ),
        "proof_evaluation": Kind(_proof_evaluation, "steps (level + 3)"),
    }
)
