"""Stories of people whose things change hands, event by event."""

from mirror_ray.families.metacog.bank.draws import Draws
from mirror_ray.families.metacog.bank.question import Draft, in_words, number
from mirror_ray.families.metacog.bank.words import NAMES

_GOODS = ("pencils", "marbles", "stamps", "apples", "postcards", "beads", "shells", "tokens")
_MOST = 4_000
_GAINS = ("buys {k} more", "finds {k} more", "is given {k} more by an aunt", "wins {k} more")
_LOSSES = ("loses {k}", "sells {k}", "gives {k} to a charity", "throws {k} away")


def story(d: Draws, level: int) -> Draft:
    """Level + 1 events among one to four people, and a question about the end."""
    goods = d.pick(_GOODS)
    people = d.sample(NAMES, min(4, 1 + (level + 1) // 3))
    has = {name: d.integer(20, 60 + 20 * level) for name in people}
    told = [in_words([f"{name} has {has[name]} {goods}" for name in people])]
    while len(told) < level + 2:
        told.append(_event(d, people, has, goods))
    ask, value = _asked(d, people, has, goods)
    lead = ". ".join(told[:2]) + "".join(f". Then {each}" for each in told[2:])
    return Draft(f"{lead}. {ask}", number(value))


def _event(d: Draws, people: list[str], has: dict[str, int], goods: str) -> str:
    name = d.pick(people)
    how = d.integer(0, 3 if len(people) == 1 else 8)
    others = [person for person in people if person != name]
    other = d.pick(others) if others else name
    own, k = has[name], d.integer(3, 40)
    if how == 1 and own > 8:
        k = min(k, own - 2)
        has[name] -= k
        return f"{name} {d.pick(_LOSSES).format(k=k)}"
    if how == 2 and own * 2 < _MOST:
        has[name] *= 2
        return f"{name} doubles the number of {name}'s {goods}"
    if how == 3 and own > 4 and own % 2 == 0:
        has[name] //= 2
        return f"{name} sells half of {name}'s {goods}"
    if how == 4 and own > 8:
        k = min(k, own - 2)
        has[name] -= k
        has[other] += k
        return f"{name} gives {k} to {other}"
    if how == 5 and own + has[other] < _MOST:
        has[name] += has[other]
        return f"{name} buys as many {goods} as {other} has"
    if how == 6 and own > 4 and own % 2 == 0:
        has[name] //= 2
        has[other] += has[name]
        return f"{name} gives half of {name}'s {goods} to {other}"
    if how == 7 and (own + has[other]) % 2 == 0:
        has[name] = has[other] = (own + has[other]) // 2
        return f"{name} and {other} put theirs together and share them equally"
    if how == 8 and own != has[other]:
        has[name], has[other] = has[other], own
        return f"{name} and {other} swap all their {goods}"
    has[name] += k
    return f"{name} {d.pick(_GAINS).format(k=k)}"


def _asked(d: Draws, people: list[str], has: dict[str, int], goods: str) -> tuple[str, int]:
    name, how = d.pick(people), d.integer(0, 2)
    if len(people) > 1 and how == 1:
        return f"How many {goods} do they have in all in the end?", sum(has.values())
    if len(people) > 1 and how == 2:
        other = d.pick([person for person in people if person != name])
        if has[name] == has[other]:
            return f"How many {goods} does {name} have in the end?", has[name]
        more, fewer = (name, other) if has[name] >= has[other] else (other, name)
        return (
            f"How many more {goods} does {more} have than {fewer} in the end?",
            has[more] - has[fewer],
        )
    return f"How many {goods} does {name} have in the end?", has[name]
