"""Questions about what follows from statements about groups, and from conditionals."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise, product

from mirror_ray.families.metacog.bank import keys
from mirror_ray.families.metacog.bank.draws import Draws
from mirror_ray.families.metacog.bank.question import Draft
from mirror_ray.families.metacog.bank.words import NAMES, capital, question_texts

_T = question_texts(__name__)
_FORMS = ("all {} are {}", "no {} are {}", "some {} are {}", "some {} are not {}")
OPEN_KEY = ("yes", "no", "cannot be determined")

_Statement = tuple[int, int, int]
_Type = tuple[bool, ...]


@lru_cache(maxsize=8)
def _types(n: int) -> tuple[_Type, ...]:
    return tuple(product((False, True), repeat=n))


def _decided(premises: list[_Statement], n: int) -> Callable[[_Statement], bool] | None:
    """Return a test of whether a conclusion follows; None if the premises contradict each other.

    A universal premise excludes kinds of individuals; an existential one requires one of the rest.
    """
    allowed = [
        kind for kind in _types(n) if not any(_forbids(premise, kind) for premise in premises)
    ]
    witnesses = [
        [kind for kind in allowed if _shows(premise, kind)]
        for premise in premises
        if premise[0] >= 2
    ]
    if not all(witnesses):
        return None

    def follows(conclusion: _Statement) -> bool:
        if conclusion[0] < 2:
            return not any(_forbids(conclusion, kind) for kind in allowed)
        return any(all(_shows(conclusion, kind) for kind in each) for each in witnesses)

    return follows


def _forbids(statement: _Statement, kind: _Type) -> bool:
    form, subject, predicate = statement
    if form == 0:
        return kind[subject] and not kind[predicate]
    return form == 1 and kind[subject] and kind[predicate]


def _shows(statement: _Statement, kind: _Type) -> bool:
    form, subject, predicate = statement
    return kind[subject] and kind[predicate] == (form == 2)


def syllogism(d: Draws, level: int) -> Draft:
    """Chain two to six statements, and ask whether another one follows from them."""
    wanted = bool(d.integer(0, 1))
    n_premises = min(6, 2 + level // 2)
    names = d.sample(_T["kinds"], n_premises + 1)
    while True:
        premises = []
        existential = d.integer(-1, n_premises - 1) if level > 1 else -1
        for i in range(n_premises):
            form = d.pick((2, 3)) if i == existential else d.pick((0, 0, 0, 1))
            ends = (i, i + 1) if level < 3 or d.integer(0, 2) else (i + 1, i)
            premises.append((form, *ends))
        follows = _decided(premises, n_premises + 1)
        both_ways = ((0, n_premises), (n_premises, 0))
        possible = d.shuffled([(form, *end) for form in range(4) for end in both_ways])
        fitting = [one for one in possible if follows and follows(one) is wanted]
        if fitting:
            conclusion = fitting[0]
            break
    told = [_FORMS[form].format(names[s], names[p]) for form, s, p in d.shuffled(premises)]
    said = _FORMS[conclusion[0]].format(names[conclusion[1]], names[conclusion[2]])
    ask = _T.say_one(d, "follows", said=said)
    premises_told = ". ".join(map(capital, told))
    return _T.draft("syllogism", wanted, told=premises_told, ask=ask)


_Link = tuple[int, bool, int, bool]


def conditionals(d: Draws, level: int) -> Draft:
    """State conditionals about people, some irrelevant, and one fact; ask about a person."""
    wanted = d.pick(OPEN_KEY)
    n = min(8, 3 + level // 2)
    people = d.sample(NAMES, n)
    does, do = d.pick(_T["verbs"])
    while True:
        links = [
            (a, bool(d.integer(0, 2)), b, bool(d.integer(0, 2)))
            for a, b in pairwise(range(min(n, level + 2)))
        ]
        while len(links) < level + 1:
            a, b = d.sample(range(n), 2)
            link = (a, bool(d.integer(0, 1)), b, bool(d.integer(0, 1)))
            if not {link, (b, not link[3], a, not link[1])} & set(links):
                links.append(link)
        fact = (d.integer(0, n - 1), bool(d.integer(0, 1)))
        asked = d.pick([i for i in range(n) if i != fact[0]])
        # The consequences of the fact, link by link, forwards and by contraposition.
        known = {fact[0]: fact[1]}
        if not (_spread(known, links) and _satisfiable(known, links, n)):
            continue
        found = known.get(asked)
        if found is None and not all(
            _satisfiable({**known, asked: value}, links, n) for value in (True, False)
        ):
            continue
        if {True: "yes", False: "no", None: OPEN_KEY[2]}[found] == wanted:
            break
    told = "; ".join(_told(d, link, people, does, do) for link in d.shuffled(links))
    who, comes = people[fact[0]], fact[1]
    now = f"{who} {does}" if comes else f"{who} does not {do}"
    asks = {"now": now, "who": people[asked], "do": do}
    return _T.draft("conditionals", keys.text(wanted, OPEN_KEY), told=capital(told), **asks)


def _spread(known: dict[int, bool], links: list[_Link]) -> bool:
    """Add all consequences; return whether they are free of contradictions."""
    changed = True
    while changed:
        changed = False
        for a, a_is, b, b_is in links:
            for x, x_is, y, y_is in ((a, a_is, b, b_is), (b, not b_is, a, not a_is)):
                if known.get(x) == x_is:
                    if known.get(y, y_is) != y_is:
                        return False
                    if y not in known:
                        known[y] = y_is
                        changed = True
    return True


def _satisfiable(known: dict[int, bool], links: list[_Link], n: int) -> bool:
    known = dict(known)
    if not _spread(known, links):
        return False
    for i in range(n):
        if i not in known:
            return any(_satisfiable({**known, i: value}, links, n) for value in (True, False))
    return True


def _told(d: Draws, link: _Link, people: list[str], does: str, do: str) -> str:
    a, a_is, b, b_is = link
    one = f"{people[a]} {does}" if a_is else f"{people[a]} does not {do}"
    two = f"{people[b]} {does}" if b_is else f"{people[b]} does not {do}"
    wordings = _T["links"] + (_T["links_of_positives"] if a_is and b_is else [])
    return str(d.pick(wordings)).format(one=one, two=two, not_one=f"{people[a]} does not {do}")


_World = tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class _Claim:
    """What person `by` says about `one` and, if there is a second, about `two`."""

    by: int
    one: int
    two: int | None
    how: str
    positive: bool

    def holds(self, world: _World) -> bool:
        if self.two is None:
            return world[self.one] == self.positive
        if self.how == "same":
            return (world[self.one] == world[self.two]) == self.positive
        return self.positive in (world[self.one], world[self.two])

    def words(self, people: list[str]) -> str:
        kind = "a truth-teller" if self.positive else "a liar"
        if self.two is None:
            return f"{people[self.by]}: “{people[self.one]} is {kind}.”"
        one, two = (
            "I" if who == self.by else people[who]
            for who in sorted((self.one, self.two), key=lambda who: who == self.by)
        )
        if self.how == "same":
            alike = "the same kind" if self.positive else "different kinds"
            return f"{people[self.by]}: “{one} and {two} are of {alike}.”"
        return f"{people[self.by]}: “At least one of {one} and {two} is {kind}.”".replace(
            "and I is", "and me is"
        )


def liars(d: Draws, level: int) -> Draft:
    """Let two to seven people make a claim each, so that exactly one assignment is consistent."""
    n = 2 + level // 2
    wanted, how = d.integer(0, 1), d.integer(0, 1)
    people = d.sample(NAMES, n)
    who = d.integer(0, n - 1)
    while True:
        said = [_drawn(d, by, n) for by in range(n)]
        fits = [
            world
            for world in product((True, False), repeat=n)
            if all(claim.holds(world) == world[claim.by] for claim in said)
        ]
        if len(fits) == 1 and (how or fits[0][who] == wanted):
            break
    lead = _T.say("island", claims=" ".join(claim.words(people) for claim in said))
    if how:
        return _T.draft("n_truthful", sum(fits[0]), lead=lead, n=n)
    return _T.draft("is_truthful", bool(wanted), lead=lead, who=people[who])


def _drawn(d: Draws, by: int, n: int) -> _Claim:
    others = [i for i in range(n) if i != by]
    how = d.pick(("is", "same", "or"))
    one = d.pick(others)
    if how == "is":
        return _Claim(by, one, None, how, bool(d.integer(0, 1)))
    two = d.pick([i for i in range(n) if i != one])
    return _Claim(by, one, two, how, bool(d.integer(0, 1)))
