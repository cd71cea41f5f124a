"""What six domains add to a scenario: facts about the same people and things, and questions."""

from dataclasses import dataclass
from itertools import pairwise

from mirror_ray.families.metacog.bank import keys
from mirror_ray.families.metacog.bank.draws import Draws
from mirror_ray.families.metacog.bank.facts import CAPITALS, ELEMENTS, FAMILIAR
from mirror_ray.families.metacog.bank.question import Key, in_words
from mirror_ray.families.metacog.bank.words import question_texts
from mirror_ray.families.metacog.levels.linguistic_sentences import swaps
from mirror_ray.families.metacog.levels.orders import ORDINAL_WORDS
from mirror_ray.families.metacog.levels.procedural import waiting_tasks
from mirror_ray.families.metacog.levels.social import moves

_T = question_texts(__name__)


@dataclass(frozen=True, slots=True)
class Cast:
    """The people and things of a scenario. `spot` names each person's place there: “stall”."""

    people: tuple[str, ...]
    things: tuple[str, ...]
    spot: str


@dataclass(frozen=True, slots=True)
class ScenarioFacet:
    """What a domain adds: facts for the scene, and a question that needs them."""

    subcategory: str
    facts: str
    ask: str
    key: Key


def temporal(d: Draws, level: int, cast: Cast) -> ScenarioFacet:
    """Schedule shows of the things, one after another or at the same time."""
    start = 5 * d.integer(96, 130)
    ends: dict[str, int] = {}
    told = []
    shows = [f"the show of the {thing}" for thing in cast.things][: 2 + (level + 1) // 4]
    for show in shows:
        name = d.pick(cast.people)
        pause = 5 * d.integer(1, 4 + level)
        length = 5 * d.integer(2, 8) + d.integer(0, 4) * (level > 4)
        after = d.pick(list(ends)) if ends else ""
        since = f"{after} is over" if after else keys.time_of_day(start)
        times = {"pause": pause, "since": since, "length": length}
        told.append(_T.say("show", show=show, name=name, **times))
        ends[show] = (ends[after] if after else start) + pause + length
    late = d.integer(3, 40) if level > 4 else 0
    if late:
        told.append(_T.say("late", late=late))
    show = d.pick(shows)
    facts, ask = _T.say("plan", told="; ".join(told)), _T.say("over", show=show)
    return ScenarioFacet("scheduling", facts, ask, keys.clock_key(ends[show] + late))


def linguistic(d: Draws, level: int, cast: Cast) -> ScenarioFacet:
    """State who looks after what by “the former”, “the latter”, “respectively”."""
    lines, has = swaps(d, level, list(cast.people), list(cast.things))
    facts = _T.say("note", lines=". ".join(lines))
    who = d.pick(cast.people)
    if d.integer(0, 1):
        ask, key = _T.say("looks_after_what", who=who), keys.text(has[who], cast.things)
    else:
        ask, key = _T.say("who_looks_after", thing=has[who]), keys.text(who, cast.people)
    return ScenarioFacet("ambiguity_resolution", facts, ask, key)


def logical(d: Draws, level: int, cast: Cast) -> ScenarioFacet:
    """State which of the four open, depending on each other and on the things' safe arrival."""
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
        words = {
            "premise": _negated(one, value),
            "result": _negated(two, after),
            "not_result": _negated(two, not after),
            "not_premise": _negated(one, not value),
        }
        told.append(_T.say_one(d, "rules", **words))
        value = after
    spare = [claim for claim in claims if claim not in chain]
    told += [
        f"if {claim}, {_negated(chain[1], bool(d.integer(0, 1)))}" for claim in spare[: level // 4]
    ]
    facts = _T.say("rules_hold", told="; ".join(d.shuffled(told)), fact=fact)
    # Redundant rules change nothing that is known, because their conditions stay undecided.
    ask = _T.say("is_it_so", claim=chain[-1])
    return ScenarioFacet("conditional_reasoning", facts, ask, keys.yes_no(is_yes=value))


def _negated(claim: str, holds: bool) -> str:
    if holds:
        return claim
    who, verb = claim.rsplit(" ", 1)
    return f"{who} does not {verb.removesuffix('s')}"


def social(d: Draws, level: int, cast: Cast) -> ScenarioFacet:
    """Ask where one person thinks that another thinks a thing is."""
    n = min(4, 2 + level // 3)
    facts, ask, answer, places = moves(d, level, list(cast.people[:n]), cast.things[0])
    return ScenarioFacet(
        "theory_of_mind", f"Before the opening, {facts}", ask, keys.text(answer, places)
    )


def factual(d: Draws, level: int, cast: Cast) -> ScenarioFacet:
    """Give the people names from a quiz, so that their order follows from general knowledge."""
    people = list(cast.people)[: 3 + (level > 3)]
    place = d.integer(0, len(people) - 1)
    if d.integer(0, 1):
        signs = d.sample(FAMILIAR if level < 4 else ELEMENTS[:86], len(people))
        names = [name for _, _, name in signs]
        ranked = sorted(range(len(people)), key=lambda i: signs[i][0])
        subcategory = "science"
    else:
        rows = d.sample([row for row in CAPITALS if row[0] != "Egypt"], len(people))
        names = [row[1] for row in rows]
        ranked = sorted(range(len(people)), key=lambda i: rows[i][0])
        subcategory = "geography"
    signs_told = in_words([f"{p} has {name}" for p, name in zip(people, names, strict=True)])
    facts = _T.say(f"signs_of_{subcategory}", signs=signs_told)
    ask = _T.say("draws_prize", place=ORDINAL_WORDS[place])
    return ScenarioFacet(subcategory, facts, ask, keys.text(people[ranked[place]], people))


def procedural(d: Draws, level: int, cast: Cast) -> ScenarioFacet:
    """Define jobs on the things, some of which wait for others; ask when all jobs are done."""
    n = min(8, 3 + level // 2)
    jobs = [f"{verb} the {thing}" for thing in cast.things for verb in ("clean", "mount")]
    jobs = d.sample(jobs, n)
    minutes = [d.integer(3, 20) for _ in jobs]
    waits_for = 0 if level > 3 else 1, 2
    _, ends, told = waiting_tasks(d, jobs, minutes, "minutes", waits_for=waits_for)
    facts = _T.say("jobs", told=told)
    if d.integer(0, 1):
        return ScenarioFacet(
            "multistep_planning", facts, _T["all_done"], keys.number_key(max(ends))
        )
    which = d.integer(n // 2, n - 1)
    ask = _T.say("one_done", job=jobs[which])
    return ScenarioFacet("multistep_planning", facts, ask, keys.number_key(ends[which]))
