"""What six of the domains add to a scenario about the same people and things, and ask of it."""

from dataclasses import dataclass
from itertools import pairwise

from mirror_ray.families.metacog.bank.draws import Draws
from mirror_ray.families.metacog.bank.facts import CAPITALS
from mirror_ray.families.metacog.bank.question import Key, clock, in_words, number, text, yes_no
from mirror_ray.families.metacog.levels.factual_elements import ELEMENTS, FAMILIAR
from mirror_ray.families.metacog.levels.linguistic_sentences import swaps
from mirror_ray.families.metacog.levels.orders import ORDINALS
from mirror_ray.families.metacog.levels.social_minds import moves


@dataclass(frozen=True, slots=True)
class Cast:
    """Who and what a scenario is about; `spot`: what each of them has there, as in “stall”."""

    people: tuple[str, ...]
    things: tuple[str, ...]
    spot: str


@dataclass(frozen=True, slots=True)
class Facet:
    """What a domain adds: facts for the scene, and a question that needs them."""

    subcategory: str
    facts: str
    ask: str
    key: Key


def _at(minutes: int) -> str:
    return f"{minutes // 60 % 24:02d}:{minutes % 60:02d}"


def temporal(d: Draws, level: int, cast: Cast) -> Facet:
    """Shows of the things, one after another or at the same time."""
    start = 5 * d.integer(96, 130)
    ends: dict[str, int] = {}
    told = []
    shows = [f"the show of the {thing}" for thing in cast.things][: 2 + (level + 1) // 4]
    for show in shows:
        name = d.pick(cast.people)
        pause = 5 * d.integer(1, 4 + level)
        length = 5 * d.integer(2, 8) + d.integer(0, 4) * (level > 4)
        others = list(ends)
        after = d.pick(others) if others else ""
        begin = (ends[after] if after else start) + pause
        since = f"after {after} is over" if after else f"after {_at(start)}"
        told.append(
            f"{show}, given by {name}, begins {pause} minutes {since} and takes {length} minutes"
        )
        ends[show] = begin + length
    late = d.integer(3, 40) if level > 4 else 0
    if late:
        told.append(f"on the day itself, all of it takes place {late} minutes later")
    facts = f"The plan of the day says: {'; '.join(told)}."
    show = d.pick(shows)
    ask = f"At what time is {show} over, on the 24-hour clock?"
    return Facet("scheduling", facts, ask, clock(ends[show] + late))


def linguistic(d: Draws, level: int, cast: Cast) -> Facet:
    """Who looks after what, told by “the former”, “the latter”, “respectively”."""
    lines, has = swaps(d, level, list(cast.people), list(cast.things))
    facts = (
        f"A note on who looks after what reads: “{'. '.join(lines)}.” (To swap is to exchange what "
        "the two look after at that moment.)"
    )
    who = d.pick(cast.people)
    if d.integer(0, 1):
        ask = f"According to the note, what does {who} look after in the end?"
        return Facet("ambiguity_resolution", facts, ask, text(has[who], cast.things))
    ask = f"According to the note, who looks after the {has[who]} in the end?"
    return Facet("ambiguity_resolution", facts, ask, text(who, cast.people))


def logical(d: Draws, level: int, cast: Cast) -> Facet:
    """Which of the four open, by conditions on each other and on the things' safe arrival."""
    wanted = bool(d.integer(0, 1))
    count = 2 + (level + 1) // 3
    claims = [
        *(f"{name} opens" for name in cast.people),
        *(f"the {thing} arrives" for thing in cast.things),
    ]
    chain = d.sample(claims, min(len(claims), count + 1))
    value = bool(d.integer(0, 1))
    fact = _negated(chain[0], value)
    told = []
    for one, two in pairwise(chain):
        after = wanted if two == chain[-1] else bool(d.integer(0, 1))
        premise, result = _negated(one, value), _negated(two, after)
        back, front = _negated(two, not after), _negated(one, not value)
        told.append(
            d.pick(
                (
                    f"if {premise}, {result}",
                    f"{result} whenever {premise}",
                    f"if {back}, {front}",
                    f"{premise} only if {result}",
                )
            )
        )
        value = after
    spare = [claim for claim in claims if claim not in chain]
    told += [
        f"if {claim}, {_negated(chain[1], bool(d.integer(0, 1)))}" for claim in spare[: level // 4]
    ]
    facts = f"These rules hold: {'; '.join(d.shuffled(told))}. Today {fact}."
    # What is known without the spare rules stays so with them: their conditions are open.
    ask = f"Is it so that {chain[-1]}?"
    return Facet("conditional_reasoning", facts, ask, yes_no(holds=value))


def _negated(claim: str, holds: bool) -> str:
    if holds:
        return claim
    who, verb = claim.rsplit(" ", 1)
    return f"{who} does not {verb.removesuffix('s')}"


def social(d: Draws, level: int, cast: Cast) -> Facet:
    """Where one of them thinks that another thinks a thing is."""
    n = min(4, 2 + level // 3)
    facts, ask, answer, places = moves(d, level, list(cast.people[:n]), cast.things[0])
    return Facet("theory_of_mind", f"Before the opening, {facts}", ask, text(answer, places))


def factual(d: Draws, level: int, cast: Cast) -> Facet:
    """The four go by names from a quiz, and their order follows from facts of the world."""
    people = list(cast.people)[: 3 + (level > 3)]
    place = d.integer(0, len(people) - 1)
    if d.integer(0, 1):
        pool = FAMILIAR if level < 4 else ELEMENTS[:86]
        signs = d.sample(pool, len(people))
        names = [name for _, _, name in signs]
        ranked = sorted(range(len(people)), key=lambda i: signs[i][0])
        by, kind = "the atomic numbers of these elements, the lowest first", "a chemical element"
        subcategory = "science"
    else:
        rows = d.sample([row for row in CAPITALS if row[0] != "Egypt"], len(people))
        names = [row[1] for row in rows]
        ranked = sorted(range(len(people)), key=lambda i: rows[i][0])
        by = "the usual English names of the countries of which these are the capitals, from A to Z"
        kind, subcategory = "a city", "geography"
    signs_told = in_words([f"{p} has {name}" for p, name in zip(people, names, strict=True)])
    facts = (
        f"Each of their signs shows {kind}: {signs_told}. They draw prizes in the order of {by}."
    )
    ask = f"Who is the {ORDINALS[place]} to draw a prize?"
    return Facet(subcategory, facts, ask, text(people[ranked[place]], people))


def procedural(d: Draws, level: int, cast: Cast) -> Facet:
    """Jobs on the things that wait for each other: when is all of it done?"""
    n = min(8, 3 + level // 2)
    jobs = [f"{verb} the {thing}" for thing in cast.things for verb in ("clean", "mount")]
    jobs = d.sample(jobs, n)
    minutes = [d.integer(3, 20) for _ in jobs]
    waits: list[list[int]] = [[]]
    least = 0 if level > 3 else 1
    waits += [sorted(d.sample(range(i), d.integer(least, min(2, i)))) for i in range(1, n)]
    ends: list[int] = []
    for i in range(n):
        ends.append(max((ends[j] for j in waits[i]), default=0) + minutes[i])
    told = [
        f"“{jobs[i]}” takes {minutes[i]} minutes"
        + (
            f" and needs {in_words([f'“{jobs[j]}”' for j in waits[i]])} finished"
            if waits[i]
            else ""
        )
        for i in range(n)
    ]
    facts = (
        f"To prepare the exhibits, {'; '.join(d.shuffled(told))}. There are helpers enough to do "
        "all jobs at once that need not wait for others."
    )
    if d.integer(0, 1):
        ask = "After how many minutes, at the earliest, are all of these jobs done?"
        return Facet("multistep_planning", facts, ask, number(max(ends)))
    which = d.integer(n // 2, n - 1)
    ask = f"After how many minutes, at the earliest, is “{jobs[which]}” done?"
    return Facet("multistep_planning", facts, ask, number(ends[which]))
