"""What arithmetic and spatial reasoning add to a scenario: money, and people's positions."""

from mirror_ray.families.metacog.bank import keys
from mirror_ray.families.metacog.bank.draws import Draws
from mirror_ray.families.metacog.bank.words import question_texts
from mirror_ray.families.metacog.levels.scenario_facets import Cast, ScenarioFacet
from mirror_ray.families.metacog.levels.spatial import COMPASS_STEPS

_T = question_texts(__name__)


def arithmetic(d: Draws, level: int, cast: Cast) -> ScenarioFacet:
    """Let the four receive, pay and share money."""
    has = {name: d.integer(20, 60 + 20 * level) for name in cast.people}
    first = ", ".join(f"{name} has ${has[name]} in the till" for name in cast.people)
    told = []
    for _ in range(level + 1):
        one, two = d.sample(cast.people, 2)
        how, k = d.integer(0, 4), d.integer(3, 30)
        words = {"one": one, "two": two, "k": k, "thing": d.pick(cast.things)}
        if how == 0:
            each = d.integer(2, 9)
            has[one] += each * k
            told.append(_T.say("sells", each=each, **words))
        elif how == 1 and has[one] > k + 5:
            has[one] -= k
            has[two] += k
            told.append(_T.say("pays", **words))
        elif how == 2 and (has[one] + has[two]) % 2 == 0:
            has[one] = has[two] = (has[one] + has[two]) // 2
            told.append(_T.say("shares", **words))
        elif how == 3 and has[one] % 2 == 0:
            has[one] //= 2
            has[two] += has[one]
            told.append(_T.say("lends", **words))
        else:
            has[one] += k
            told.append(_T.say("is_given", **words))
    facts = _T.say("morning", first=first, told="; ".join(told))
    name, other = d.sample(cast.people, 2)
    values = has[name], has[name] + has[other], sum(has.values())
    how = d.integer(0, 2)
    ask = _T["money"][how].format(name=name, other=other)
    return ScenarioFacet("word_problems", facts, ask, keys.number_key(values[how]))


def spatial(d: Draws, level: int, cast: Cast) -> ScenarioFacet:
    """Place the four people, each relative to another's spot."""
    at = {"the gate": (0, 0)}
    told = []
    for name in cast.people:
        base = d.pick(list(at)) if level > 4 else list(at)[-1]
        x, y = at[base]
        legs = []
        for _ in range(1 + (level + 1) // 3):
            way, far = d.pick(tuple(COMPASS_STEPS)), d.integer(2, 9 + 3 * level)
            legs.append(f"{far} m {way}")
            x, y = x + far * COMPASS_STEPS[way][0], y + far * COMPASS_STEPS[way][1]
        at[name] = (x, y)
        start = base if base == "the gate" else f"{base}'s {cast.spot}"
        route = " and then ".join(legs)
        told.append(_T.say("reached", name=name, spot=cast.spot, start=start, route=route))
    facts = _T.say("map", told="; ".join(d.shuffled(told)))
    one, two = d.sample(cast.people, 2)
    (x, y), (u, v) = at[one], at[two]
    how = d.integer(0, 2)
    ask = _T["distances"][how].format(one=one, two=two, spot=cast.spot)
    value = (abs(x - u) + abs(y - v), y - v, x)[how]
    return ScenarioFacet("distance_direction", facts, ask, keys.number_key(value))
