"""Logic, solved from the words: Python's own evaluation, small worlds tried one by one."""

import re
from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from support.solvers_of_metacog.figures import Answer, ints

_TOKEN = re.compile(r"\(|\)|if and only if|\w+")


def _yes(holds: bool) -> str:
    return "yes" if holds else "no"


class _Formula:
    """A formula read by descent, evaluated in a world."""

    def __init__(self, text: str) -> None:
        self._left = _TOKEN.findall(text)
        self._tree = self._read()

    def _read(self) -> tuple[object, ...]:
        token = self._left.pop(0)
        if token == "not":
            return ("not", self._read())
        if token != "(":
            return ("is", token)
        opening = self._left.pop(0) if self._left[0] in ("if", "either") else ""
        one = self._read()
        how = self._left.pop(0)
        two = self._read()
        assert self._left.pop(0) == ")"
        return (opening or how, one, two)

    def holds(self, world: dict[str, bool]) -> bool:
        def of(node: tuple[object, ...]) -> bool:
            how, *parts = node
            if how == "is":
                return world[str(parts[0])]
            values = [of(part) for part in parts]  # type: ignore[arg-type]
            if how == "not":
                return not values[0]
            return {
                "and": all(values),
                "or": any(values),
                "if": values[0] <= values[1],
                "either": sum(values) == 1,
                "if and only if": len(set(values)) == 1,
            }[str(how)]

        return of(self._tree)


def _worlds(names: list[str]) -> Iterator[dict[str, bool]]:
    for row in product((False, True), repeat=len(names)):
        yield dict(zip(names, row, strict=True))


def propositional(q: str) -> Answer:
    if q.startswith("Suppose"):
        world = {n: v == "true" for n, v in re.findall(r"\b([P-U]) is (true|false)", q)}
        return _yes(_Formula(q.split("statement true? ")[1]).holds(world))
    names = re.findall(r"\b[P-U]\b", q.split(" stand for", maxsplit=1)[0])
    if "Of the" in q:
        formula = _Formula(q.split("make this true? ")[1])
        return sum(map(formula.holds, _worlds(names)))
    one, two = re.search(r"Suppose this is true: (.*)\. Must this then be true\? (.*)$", q).groups()  # type: ignore[union-attr]  # fmt: skip
    given, then = _Formula(one), _Formula(two)
    return _yes(all(then.holds(w) for w in _worlds(names) if given.holds(w)))


_STATEMENT = re.compile(r"^(all|no|some) (.+?) are (not )?(.+)$", re.IGNORECASE)


def syllogism(q: str) -> Answer:
    told, ask = re.split(r"\. (?=Does it|Taking only|Can one)", q, maxsplit=1)
    said = re.search(r"that (.+?)\?", ask)[1]  # type: ignore[index]
    premises = [_STATEMENT.match(each).groups() for each in told.split(". ")]  # type: ignore[union-attr]
    goal = _STATEMENT.match(said).groups()  # type: ignore[union-attr]
    groups = sorted({g for _, one, _, two in [*premises, goal] for g in (one, two)})
    kinds = [frozenset(g for g, there in w.items() if there) for w in _worlds(groups)]

    def holds(statement: tuple[str, ...], people: list[frozenset[str]]) -> bool:
        how, one, negated, two = statement
        ones = [who for who in people if one in who]
        if how.lower() == "all":
            return all(two in who for who in ones)
        if how.lower() == "no":
            return not any(two in who for who in ones)
        return any((two not in who) if negated else (two in who) for who in ones)

    # A counterexample needs no more people than existential premises, and one against the goal.
    universal = [p for p in premises if p[0].lower() != "some"]
    possible = [kind for kind in kinds if all(holds(p, [kind]) for p in universal)]
    n_some = len(premises) - len(universal)
    for size in range(n_some + 2):
        for people in product(possible, repeat=size):
            world = list(people)
            if all(holds(p, world) for p in premises) and not holds(goal, world):
                return "no"
    return "yes"


def sets(q: str) -> Answer:
    if "possible number" in q:
        return _bounds(q)
    whole = ints(q)[0]
    groups = list(dict.fromkeys(re.findall(r"\d+ are (?!both|neither|all|none)(\w+)", q)))
    regions = list(product((0, 1), repeat=len(groups)))

    def row(words: str) -> list[int]:
        """1 for each region that is counted."""
        named = [groups.index(g) for g in re.findall(r"\w+", words) if g in groups]
        if "neither" in words or "none of" in words:
            return [int(not any(r)) for r in regions]
        if "exactly" in words:
            n = 1 if "one of" in words else 2
            return [int(sum(r) == n) for r in regions]
        if "all three" in words or ("both" in words and not named):
            return [int(all(r)) for r in regions]
        if "only" in words:
            return [int(r[named[0]] and sum(r) == 1) for r in regions]
        if "but not" in words:
            return [int(r[named[0]] and not r[named[1]]) for r in regions]
        return [int(all(r[i] for i in named)) for r in regions]

    facts, ask = q.split(". (Those")
    rows = [([1] * len(regions), whole)]
    rows += [(row(each), ints(each)[0]) for each in facts.split("club, ")[1].split("; ")]
    return _determined(rows, row(ask.split("How many")[1]))


def _determined(rows: list[tuple[list[int], int]], goal: list[int]) -> Fraction:
    """The value of a sum that the equations determine, by elimination."""
    table = [[Fraction(v) for v in (*left, right)] for left, right in rows]
    target = [Fraction(v) for v in (*goal, 0)]
    for column in range(len(goal)):
        pivot = next((r for r in table if r[column]), None)
        if pivot is None:
            continue
        table.remove(pivot)
        pivot = [v / pivot[column] for v in pivot]
        table = [[v - r[column] * p for v, p in zip(r, pivot, strict=True)] for r in table]
        target = [v - target[column] * p for v, p in zip(target, pivot, strict=True)]
    assert not any(target[:-1]), "the question has more than one answer"
    return -target[-1]


def _bounds(q: str) -> Answer:
    whole, *sizes = ints(q)
    # Members on a circle: groups laid end to end meet least, laid on each other most.
    spread, at = [0] * whole, 0
    for size in sizes:
        for _ in range(size):
            spread[at % whole] += 1
            at += 1
    nested = [sum(i < size for size in sizes) for i in range(whole)]
    if "least possible" in q and "at least one" not in q:
        return spread.count(len(sizes))
    if "none of these" in q:
        return nested.count(0)
    if "at least one" in q:
        return whole - nested.count(0)
    return nested.count(len(sizes))


def conditional(q: str) -> Answer:
    if q.startswith("On an island"):
        return _island(q)
    told, rest = q.split(". Now ")
    fact, ask = rest.split(". Does ")
    who = sorted(set(re.findall(r"[A-Z]\w+(?= (?:do|com|joi|sig|buy|go))", f"{told} {fact} {ask}")) - {"Whenever", "Unless", "If"})  # fmt: skip  # noqa: E501

    def literal(text: str) -> tuple[str, bool]:
        name = next(n for n in who if re.search(rf"\b{n}\b", text))
        return name, " not " not in text

    clauses = []
    for link in re.sub(r"^(If|Unless|Whenever)", lambda m: m[1].lower(), told).split("; "):
        if found := re.match(r"(?:if|whenever) (.+?), (.+)$", link):
            clauses.append((literal(found[1]), literal(found[2])))
        elif found := re.match(r"unless (.+?), (.+)$", link):
            name, is_so = literal(found[1])
            clauses.append(((name, not is_so), literal(found[2])))
        elif found := re.match(r"(.+?) only if (.+)$", link):
            clauses.append((literal(found[1]), literal(found[2])))
        else:
            one, two = link.split(" if ")
            clauses.append((literal(two), literal(one)))
    known = literal(fact)
    asked = re.match(r"\w+", ask)[0]  # type: ignore[index]
    values = {
        world[asked]
        for world in _worlds(who)
        if world[known[0]] == known[1]
        and all(world[a] != a_is or world[b] == b_is for (a, a_is), (b, b_is) in clauses)
    }
    assert values
    return "cannot be determined" if len(values) > 1 else _yes(values.pop())


def _island(q: str) -> Answer:
    claims = re.findall(r"(\w+): “(.+?)\.”", q)
    names = [name for name, _ in claims]

    def true(by: str, said: str, world: dict[str, bool]) -> bool:
        about = [world[by if w in ("I", "me") else w] for w in re.findall(r"\w+", said) if w in world or w in ("I", "me")]  # fmt: skip  # noqa: E501
        if "same kind" in said:
            return about[0] is about[1]
        if "different kinds" in said:
            return about[0] is not about[1]
        kind = "truth-teller" in said
        return kind in about if said.startswith("At least") else about[0] is kind

    fits = [w for w in _worlds(names) if all(true(by, s, w) == w[by] for by, s in claims)]
    assert len(fits) == 1
    if "How many" in q:
        return sum(fits[0].values())
    return _yes(fits[0][re.search(r"Is (\w+) a truth-teller\?", q)[1]])  # type: ignore[index]


def proof(q: str) -> Answer:
    lines = re.findall(r"(\d*)x(?: ([+-]) (\d+))? = (-?\d+)", q)
    roots = [
        Fraction(int(right) - (int(f"{sign}{b}") if b else 0), int(a or 1))
        for a, sign, b, right in lines
    ]
    return next((i for i in range(1, len(roots)) if roots[i] != roots[i - 1]), 0)
