"""Stories of people whose things change hands, event by event."""

from mirror_ray.families.metacog.bank import keys
from mirror_ray.families.metacog.bank.draws import Draws
from mirror_ray.families.metacog.bank.question import Draft, in_words
from mirror_ray.families.metacog.bank.words import NAMES, question_texts

_T = question_texts(__name__)
_MOST = 4_000


def story(d: Draws, level: int) -> Draft:
    """Write level + 1 events among one to four people, and a question about the end."""
    goods = d.pick(_T["goods"])
    people = d.sample(NAMES, min(4, 1 + (level + 1) // 3))
    has = {name: d.integer(20, 60 + 20 * level) for name in people}
    told = [in_words([f"{name} has {has[name]} {goods}" for name in people])]
    while len(told) < level + 2:
        told.append(_event(d, people, has, goods))
    ask, value = _asked(d, people, has, goods)
    lead = ". ".join(told[:2]) + "".join(f". Then {each}" for each in told[2:])
    return Draft(f"{lead}. {ask}", keys.number_key(value))


def _event(d: Draws, people: list[str], has: dict[str, int], goods: str) -> str:
    name = d.pick(people)
    how = d.integer(0, 3 if len(people) == 1 else 8)
    others = [person for person in people if person != name]
    other = d.pick(others) if others else name
    own, k = has[name], d.integer(3, 40)
    words = {"name": name, "other": other, "goods": goods}
    if how in (1, 4) and own > 8:
        k = min(k, own - 2)
        has[name] -= k
        if how == 1:
            return f"{name} {_T.say_one(d, 'losses', k=k)}"
        has[other] += k
        return _T.say("gives", k=k, **words)
    if how == 2 and own * 2 < _MOST:
        has[name] *= 2
        return _T.say("doubles", **words)
    if how in (3, 6) and own > 4 and own % 2 == 0:
        has[name] //= 2
        if how == 3:
            return _T.say("sells_half", **words)
        has[other] += has[name]
        return _T.say("gives_half", **words)
    if how == 5 and own + has[other] < _MOST:
        has[name] += has[other]
        return _T.say("buys_as_many", **words)
    if how == 7 and (own + has[other]) % 2 == 0:
        has[name] = has[other] = (own + has[other]) // 2
        return _T.say("shares", **words)
    if how == 8 and own != has[other]:
        has[name], has[other] = has[other], own
        return _T.say("swaps", **words)
    has[name] += k
    return f"{name} {_T.say_one(d, 'gains', k=k)}"


def _asked(d: Draws, people: list[str], has: dict[str, int], goods: str) -> tuple[str, int]:
    name, how = d.pick(people), d.integer(0, 2)
    if len(people) > 1 and how == 1:
        return _T.say("have_in_all", goods=goods), sum(has.values())
    if len(people) > 1 and how == 2:
        other = d.pick([person for person in people if person != name])
        if has[name] != has[other]:
            more, fewer = (name, other) if has[name] > has[other] else (other, name)
            ask = _T.say("has_more", goods=goods, more=more, fewer=fewer)
            return ask, has[more] - has[fewer]
    return _T.say("has", goods=goods, name=name), has[name]
