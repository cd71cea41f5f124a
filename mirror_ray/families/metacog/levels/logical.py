"""Logical questions at ten levels: five subcategories."""

from collections.abc import Callable, Mapping
from itertools import product
from math import gcd

from mirror_ray.families.metacog.bank.draws import Draws
from mirror_ray.families.metacog.bank.question import Draft, in_words
from mirror_ray.families.metacog.bank.words import JOBS, Template, one_of, question_texts
from mirror_ray.families.metacog.levels.logical_inference import conditionals, liars, syllogism

_T = question_texts(__name__)

_World = Mapping[str, bool]
_Formula = tuple[str, Callable[[_World], bool]]


def _formula(d: Draws, names: list[str], size: int) -> _Formula:
    """Ask about a formula with `size` connectives."""
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
            return f"({left} if and only if {right})", lambda w: left_holds(w) == right_holds(w)
        case _:
            return f"(either {left} or {right})", lambda w: left_holds(w) != right_holds(w)


def _propositional_logic(d: Draws, level: int) -> Draft:
    wanted, how = bool(d.integer(0, 1)), d.integer(0, 2)
    names = sorted(d.sample("PQRSTU", min(6, 2 + level // 2)))
    size = level + 1 if how == 0 else min(8, 1 + (level + 1) // 2)
    if how == 0:
        world = {name: bool(d.integer(0, 1)) for name in names}
        while True:
            words, holds = _formula(d, names, size)
            if holds(world) == wanted:
                break
        given = in_words([f"{n} is {'true' if world[n] else 'false'}" for n in names])
        return _T.draft("is_true", wanted, given=given, reading=_T["reading"], words=words)
    names = names[: min(4, len(names))]
    worlds = [
        dict(zip(names, row, strict=True)) for row in product((True, False), repeat=len(names))
    ]
    lead = _T.say("letters", names=in_words(names), reading=_T["reading"])
    if how == 1:
        words, holds = _formula(d, names, size + 1)
        count = sum(map(holds, worlds))
        return _T.draft("n_worlds", count, lead=lead, n=len(worlds), words=words)
    while True:
        one, one_holds = _formula(d, names, size)
        two, two_holds = _formula(d, names, (size + 1) // 2)
        where = [world for world in worlds if one_holds(world)]
        if where and all(map(two_holds, where)) == wanted and not all(map(two_holds, worlds)):
            break
    return _T.draft("follows", wanted, lead=lead, one=one, two=two)


def _venn(d: Draws, level: int) -> Draft:
    """Ask for one size of two or three overlapping groups, given all other sizes."""
    n = 2 if level < 4 else 3
    groups = d.sample(_T["groups"], n)
    most = 12 + 9 * level
    size = {region: d.integer(1, most) for region in product((0, 1), repeat=n)}

    def total(*held: int) -> int:
        return sum(k for region, k in size.items() if all(region[i] for i in held))

    whole, none = sum(size.values()), size[(0,) * n]
    told = [f"{total(i)} are {groups[i]}" for i in range(n)]
    both = [
        f"{total(i, j)} are both {groups[j]} and {groups[i]}" for i in range(n) for j in range(i)
    ]
    asks: list[tuple[str, int, list[str]]]
    if n == 2:
        neither = [f"{none} are neither"]
        asks = [
            ("are both", total(0, 1), neither),
            ("are neither", none, both),
            (f"are {groups[0]} but not {groups[1]}", size[1, 0], both),
            ("are exactly one of the two", size[1, 0] + size[0, 1], neither),
        ]
    else:
        every = [*both, f"{total(0, 1, 2)} are all three"]
        nobody = [*both, f"{none} are none of the three"]
        two = size[1, 1, 0] + size[1, 0, 1] + size[0, 1, 1]
        asks = [
            ("are all three", total(0, 1, 2), nobody),
            ("are none of the three", none, every),
            (f"are {groups[0]} only", size[1, 0, 0], every),
            ("are exactly two of the three", two, every),
            (f"are {groups[1]} but not {groups[2]}", total(1) - total(1, 2), nobody),
        ]
    ask, value, more = d.pick(asks)
    listed = "; ".join(d.shuffled([*told, *more]))
    return _T.draft("venn", value, whole=whole, told=listed, ask=ask)


def _bounds(d: Draws, level: int) -> Draft:
    """Ask how large, or how small, an overlap may be."""
    n = 2 + level // 4
    groups = d.sample(_T["groups"], n)
    whole = d.integer(40, 60 + 30 * level)
    sizes = [d.integer(whole // 2, whole - 2) for _ in groups]
    told = in_words([f"{k} are {group}" for k, group in zip(sizes, groups, strict=True)])
    all_of = "both" if n == 2 else f"all {('three', 'four')[n - 3]}"
    name, value = (
        ("least_overlap", max(0, sum(sizes) - (n - 1) * whole)),
        ("greatest_overlap", min(sizes)),
        ("greatest_rest", whole - max(sizes)),
        ("least_union", max(sizes)),
    )[d.integer(0, 3)]
    ask = _T.say(name, all_of=all_of)
    return _T.draft("bounds", value, whole=whole, told=told, ask=ask)


def _proof_evaluation(d: Draws, level: int) -> Draft:
    """Show a chain of equations, one of which may not follow from the one before it."""
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
    first, *shown = (_equation(*line) for line in lines)
    steps = "\n".join(f"Step {i}: {line}" for i, line in enumerate(shown, 1))
    return _T.draft("proof", wrong_at, who=d.pick(JOBS), first=first, steps=steps)


def _equation(a: int, b: int, right: int) -> str:
    rest = "" if b == 0 else f" {'+' if b > 0 else '-'} {abs(b)}"
    return f"{'' if a == 1 else a}x{rest} = {right}"


KINDS: Mapping[str, Template] = {
    "propositional_logic": _propositional_logic,
    "syllogisms": syllogism,
    "set_relations": one_of(_venn, _bounds),
    "conditional_reasoning": one_of(conditionals, conditionals, liars),
    "proof_evaluation": _proof_evaluation,
}
