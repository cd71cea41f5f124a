"""What arithmetic and spatial reasoning add to a scenario: takings, and where people stand."""

from mirror_ray.families.metacog.bank.draws import Draws
from mirror_ray.families.metacog.bank.question import number
from mirror_ray.families.metacog.levels.scenario_facets import Cast, Facet

_STEPS = {"north": (0, 1), "east": (1, 0), "south": (0, -1), "west": (-1, 0)}


def arithmetic(d: Draws, level: int, cast: Cast) -> Facet:
    """Money taken, paid and shared by the four."""
    has = {name: d.integer(20, 60 + 20 * level) for name in cast.people}
    told = [", ".join(f"{name} has ${has[name]} in the till" for name in cast.people)]
    for _ in range(level + 1):
        one, two = d.sample(cast.people, 2)
        how, k = d.integer(0, 4), d.integer(3, 30)
        thing = d.pick(cast.things)
        if how == 0:
            each = d.integer(2, 9)
            has[one] += each * k
            told.append(f"{one} sells {k} tickets to see the {thing}, at ${each} each")
        elif how == 1 and has[one] > k + 5:
            has[one] -= k
            has[two] += k
            told.append(f"{one} pays {two} ${k} for polish for the {thing}")
        elif how == 2 and (has[one] + has[two]) % 2 == 0:
            has[one] = has[two] = (has[one] + has[two]) // 2
            told.append(f"{one} and {two} put their money together and share it equally")
        elif how == 3 and has[one] % 2 == 0:
            has[one] //= 2
            has[two] += has[one]
            told.append(f"{one} lends {two} half of what is in {one}'s till")
        else:
            has[one] += k
            told.append(f"a visitor gives {one} ${k} for the {thing}'s repair")
    facts = f"In the morning {told[0]}. Then, in this order: {'; '.join(told[1:])}."
    name, other = d.sample(cast.people, 2)
    how = d.integer(0, 2)
    if how == 0:
        ask, value = f"How many dollars are in {name}'s till in the end?", has[name]
    elif how == 1:
        ask = f"How many dollars do {name} and {other} have in their tills together in the end?"
        value = has[name] + has[other]
    else:
        ask, value = "How many dollars are in all four tills in the end?", sum(has.values())
    return Facet("word_problems", facts, ask, number(value))


def spatial(d: Draws, level: int, cast: Cast) -> Facet:
    """Where the four stand, each told from another."""
    at = {"the gate": (0, 0)}
    told = []
    for name in cast.people:
        base = d.pick(list(at)) if level > 4 else list(at)[-1]
        x, y = at[base]
        legs = []
        for _ in range(1 + (level + 1) // 3):
            way, far = d.pick(tuple(_STEPS)), d.integer(2, 9 + 3 * level)
            legs.append(f"{far} m {way}")
            x, y = x + far * _STEPS[way][0], y + far * _STEPS[way][1]
        at[name] = (x, y)
        start = base if base == "the gate" else f"{base}'s {cast.spot}"
        told.append(
            f"{name}'s {cast.spot} is reached from {start} by going {' and then '.join(legs)}"
        )
    facts = f"Seen on a map, {'; '.join(d.shuffled(told))}."
    one, two = d.sample(cast.people, 2)
    (x, y), (u, v) = at[one], at[two]
    how = d.integer(0, 2)
    if how == 0:
        ask = (
            f"How many metres does one walk at least from {one}'s {cast.spot} to {two}'s, if all "
            "paths run north, east, south or west?"
        )
        value = abs(x - u) + abs(y - v)
    elif how == 1:
        ask = (
            f"How many metres further north is {one}'s {cast.spot} than {two}'s? A negative number "
            "means further south."
        )
        value = y - v
    else:
        ask = (
            f"How many metres further east is {one}'s {cast.spot} than the gate? A negative number "
            "means further west."
        )
        value = x
    return Facet("distance_direction", facts, ask, number(value))
