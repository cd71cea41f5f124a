"""Generated transfer tasks: everyday tasks that hide the domain they need (experiment 2)."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from fractions import Fraction

from mirror_ray.families.metacog.bank import keys
from mirror_ray.families.metacog.bank.draws import Draws
from mirror_ray.families.metacog.bank.facts import DATED_EVENTS
from mirror_ray.families.metacog.bank.question import (
    DIFFICULTIES,
    DOMAINS,
    Draft,
    Question,
    lettered_options,
)
from mirror_ray.families.metacog.bank.words import (
    DAYS,
    JOBS,
    NAMES,
    THINGS,
    Template,
    question_texts,
)

_T = question_texts(__name__)


@dataclass(frozen=True, slots=True)
class Disguise:
    """The surface of a task, and the skill that it needs."""

    surface_domain: str
    hidden_dependency: str


DISGUISES: Mapping[str, Disguise] = {
    domain: Disguise(*names) for domain, names in _T["disguises"].items()
}
"""The disguise of each source domain."""


def transfer_at(index: int, level: int | None = None) -> Question:
    """Return transfer task number `index`; 8 neighbours have all source domains."""
    n, place = divmod(index, len(DOMAINS))
    level = n % len(DIFFICULTIES) if level is None else level
    domain = DOMAINS[place]
    draft = _TEMPLATES[domain](Draws(f"transfer.{domain}.{level}", n), level)
    return Question(
        item_id=f"transfer.{domain}.{DIFFICULTIES[level]}.{n}",
        domain=domain,
        subcategory=DISGUISES[domain].hidden_dependency,
        difficulty=DIFFICULTIES[level],
        text=draft.text,
        key=draft.key,
    )


def _business_evaluation(d: Draws, level: int) -> Draft:
    name, seats = d.pick(NAMES), 5 * d.integer(8, 60)
    price, wage = d.integer(12, 60), d.integer(400, 1900)
    share = d.integer(1, 4) * 20
    income = Fraction(seats * price * share, 100)
    hall = _T.say("hall", name=name, seats=seats, price=price, share=share)
    if level == 0:
        return _T.draft("income", income, hall=hall)
    rent = 10 * d.integer(40, 190)
    costs = {"hall": hall, "rent": rent, "wage": wage}
    if level == 1:
        return _T.draft("left", income - rent - wage, **costs)
    tax = d.integer(1, 4) * 5
    left = income * (100 - tax) / 100 - rent - wage
    return _T.draft("left_after_tax", left, tax=tax, **costs)


def _trip_planning(d: Draws, level: int) -> Draft:
    name = d.pick(NAMES)
    if level == 0:
        out, back = d.integer(24, 90), d.integer(2, 19)
        return _T.draft("tour", out - back, name=name, out=out, back=back)
    sides, scale = d.pick(_T["triples"]), d.integer(2, 12)
    east, north, direct = (side * scale for side in sides)
    way = {"name": name, "east": east, "north": north}
    if level == 1:
        village = d.pick(_T["villages"])
        return _T.draft("footpath", east + north - direct, village=village, **way)
    speed = d.pick((5, 10, 20))
    return _T.draft("boat", Fraction(east + north + direct, speed), speed=speed, **way)


def _meeting_scheduling(d: Draws, level: int) -> Draft:
    one, two = d.sample(NAMES, 2)
    hour, ahead = d.integer(8, 12), d.pick([hours for hours in range(-9, 10) if hours])
    apart = f"{abs(ahead)} hours {'ahead of' if ahead > 0 else 'behind'}"
    call = _T.say("call", one=one, two=two, hour=hour, apart=apart)
    if level == 0:
        return _T.draft("at_once", keys.clock_key(60 * (hour + ahead)), call=call, two=two)
    begin, length = 60 * hour + 15 * d.integer(1, 7), 15 * d.integer(2, 8)
    if level == 1:
        words = {"two": two, "begin": f"{begin // 60}:{begin % 60:02d}", "length": length}
        return _T.draft("put_off", keys.clock_key(begin + length + 60 * ahead), call=call, **words)
    start = date(2024, 1, 1) + timedelta(days=d.integer(0, 600))
    every, times = d.integer(9, 16), d.integer(3, 8)
    first, last = start.weekday(), (start + timedelta(days=every * (times - 1))).weekday()
    calls = {"day": f"{start.day} {start:%B} {start.year}", "weekday": DAYS[first], "times": times}
    key = keys.text(DAYS[last], (*DAYS[first:], *DAYS[:first]))
    return _T.draft("every", key, one=one, two=two, every=every, **calls)


def _document_proofreading(d: Draws, level: int) -> Draft:
    name, thing = d.pick(NAMES), d.pick(THINGS)
    one, two = d.sample(JOBS, 2)
    sentences = [each.format(one=one, two=two, thing=thing) for each in _T["sentences"][level]]
    options = d.shuffled(sentences)
    key = keys.letter(options.index(sentences[0]), options)
    return _T.draft("notice", key, name=name, options=lettered_options(options))


def _argument_analysis(d: Draws, level: int) -> Draft:
    name, critic = d.sample(NAMES, 2)
    group, trait = d.pick(JOBS), d.pick(_T["traits"])
    claim = d.pick(_T["arguments"][level])
    said = claim.format(group=group, trait=trait, critic=critic)
    is_sound = bool(claim == _T["arguments"][level][0])
    return _T.draft("editor", is_sound, day=d.pick(_T["days"]), name=name, claim=said)


def _email_composition(d: Draws, level: int) -> Draft:
    writer, reader = d.sample(NAMES, 2)
    wish, hint, others = d.pick(_T["wishes"])
    options = d.shuffled((wish, *others))
    mail = _T["mails"][level].format(writer=writer, reader=reader, hint=hint)
    key = keys.letter(options.index(wish), options)
    return _T.draft("promise", key, mail=mail, options=lettered_options(options))


def _fact_checking(d: Draws, level: int) -> Draft:
    (one, year_one), (two, year_two) = d.sample(DATED_EVENTS, 2)
    events = {"one": one, "two": two, "name": d.pick(NAMES)}
    apart = abs(year_one - year_two)
    if level == 0:
        return _T.draft("already_past", year_one < year_two, **events)
    shift = d.pick((0, 0, 100, -100, 30, -30)) if level == 1 else d.pick((0, 0, 10, -10, 3, -3))
    claimed = apart + shift if apart + shift > 0 else apart + 40
    return _T.draft("years_between", abs(claimed - apart) <= 1, claimed=claimed, **events)


def _troubleshooting(d: Draws, level: int) -> Draft:
    name = d.pick(NAMES)
    n = 4 + 2 * level
    chain = d.sample(_T["components"], n)
    broken = d.integer(1, n - 2)
    good = d.integer(0, broken - 1) if level else broken - 1
    dead = d.integer(broken, n - 2) + 1 if level == 2 else broken + 1
    ends = {"good": chain[good], "dead": chain[dead]}
    told = _T.say("machine", name=name, chain=" → ".join(chain), **ends)
    if checked := [part for part in chain[good + 1 : dead] if part != chain[broken]]:
        told += _T.say("bridged", checked=", ".join(d.shuffled(checked)))
    return _T.draft("replace", keys.text(chain[broken], chain), machine=told)


_IN_TURN: tuple[Template, ...] = (
    *(_business_evaluation, _trip_planning, _meeting_scheduling, _document_proofreading),
    *(_argument_analysis, _email_composition, _fact_checking, _troubleshooting),
)
_TEMPLATES: Mapping[str, Template] = dict(zip(DOMAINS, _IN_TURN, strict=True))
