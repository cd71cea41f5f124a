"""People who always or never tell the truth, and what they say about each other."""

from dataclasses import dataclass
from itertools import product

from mirror_ray.families.metacog.bank import keys
from mirror_ray.families.metacog.bank.draws import Draws
from mirror_ray.families.metacog.bank.question import Draft
from mirror_ray.families.metacog.bank.words import NAMES, question_texts

_T = question_texts(__name__)
_World = tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class _Claim:
    """What person `by` says about `one` and, if there are two, about `two`."""

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
        return _T.draft("n_truthful", keys.number_key(sum(fits[0])), lead=lead, n=n)
    return _T.draft("is_truthful", keys.yes_no(is_yes=bool(wanted)), lead=lead, who=people[who])


def _drawn(d: Draws, by: int, n: int) -> _Claim:
    others = [i for i in range(n) if i != by]
    how = d.pick(("is", "same", "or"))
    one = d.pick(others)
    if how == "is":
        return _Claim(by, one, None, how, bool(d.integer(0, 1)))
    two = d.pick([i for i in range(n) if i != one])
    return _Claim(by, one, two, how, bool(d.integer(0, 1)))
