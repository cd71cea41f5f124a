"""Arithmetic at ten levels: five subcategories."""

from collections.abc import Mapping
from fractions import Fraction
from math import gcd, lcm

from mirror_ray.families.metacog.bank import keys
from mirror_ray.families.metacog.bank.draws import Draws
from mirror_ray.families.metacog.bank.question import Draft, in_words
from mirror_ray.families.metacog.bank.words import NAMES, Template, one_of, question_texts

_T = question_texts(__name__)


def _mental_calculation(d: Draws, level: int) -> Draft:
    most = 30 + 12 * level
    value = d.integer(12, 88)
    words = str(value)
    for turn in range(level + (level == 1)):
        operand = d.integer(11, most)
        how = d.integer(0, 4)
        inner = f"({words})" if turn else words
        if how == 0:
            words, value = f"{inner} + {operand}", value + operand
        elif how == 1:
            words, value = f"{inner} - {operand}", value - operand
        elif how == 2:
            words, value = f"{operand} - {inner}", operand - value
        elif how == 3 or abs(value) > 1_500:
            other = d.integer(3, 9 + level)
            small = operand % 17 + 3
            words, value = f"{inner} + {small} × {other}", value + small * other
        else:
            factor = d.integer(3, 9)
            words, value = f"{inner} × {factor}", value * factor
    return Draft(d.pick(_T["asks"]).format(words), keys.number_key(value))


def _unit_sum(d: Draws, level: int) -> Draft:
    system = d.pick(_T["systems"])
    units = system[-min(len(system), 2 + level // 3) :]
    amounts = [d.integer(2, 30 + 10 * level) for _ in units]
    total = sum(amount * size for amount, (_, size) in zip(amounts, units, strict=True))
    shown = [f"{amount} {unit}s" for amount, (unit, _) in zip(amounts, units, strict=True)]
    return _T.draft_one(d, "unit_sum", total, least=units[-1][0], shown=in_words(shown))


def _invented_units(d: Draws, level: int) -> Draft:
    n = 2 + (level + 1) // 2
    names = [f"{one}{ending}" for one in d.sample(_T["syllables"], 2) for ending in "oaei"]
    units = d.sample(names, n)
    factors = [d.integer(2, 4 + level) for _ in range(n - 1)]
    amount = d.integer(3, 40)
    told = [
        _T.say_one(d, "one_unit", one=one, two=two, factor=factor)
        for one, two, factor in zip(units, units[1:], factors, strict=False)
    ]
    product = amount
    for factor in factors:
        product *= factor
    names_told = {"told": "; ".join(d.shuffled(told)), "small": units[-1], "large": units[0]}
    if d.integer(0, 1):
        k = d.integer(2, 29)
        return _T.draft("invented_sum", product + k, amount=amount, k=k, **names_told)
    rest = d.integer(1, factors[-1])
    missing = (amount + rest) * (product // amount) - product - rest * factors[-1]
    return _T.draft(
        "invented_difference",
        missing,
        product=product,
        rest=rest,
        above=units[-2],
        amount=amount + rest,
        **names_told,
    )


def _rates(d: Draws, level: int) -> Draft:
    machine, does, what = d.pick(_T["machines"])
    every, made = d.integer(2, 9 + 3 * level), d.integer(3, 11 + 6 * level)
    hours, minutes = d.integer(0, level), d.integer(2, 58)
    seconds = hours * 3600 + minutes * 60
    seconds -= seconds % every
    parts = (seconds // 3600, "hour"), (seconds % 3600 // 60, "minute"), (seconds % 60, "second")
    shown = [f"{amount} {unit}{'s' if amount > 1 else ''}" for amount, unit in parts if amount]
    n_machines = 1 if level < 4 else d.integer(2, level)
    before = d.integer(3, 99)
    lead = _T.say("machine", machine=machine, does=does, made=made, what=what, every=every)
    if n_machines > 1:
        lead += _T.say("machines_together", n=n_machines, kind=machine.split(" ", 1)[1])
        lead = lead.replace("each a oven", "each an oven")
    value = before + seconds // every * made * n_machines
    time = in_words(shown)
    return _T.draft("made_in", value, lead=lead, before=before, what=what, time=time)


def _estimation(d: Draws, level: int) -> Draft:
    exact, estimate, words = 0, 0, ""
    for turn in range(level + 1):
        size, name = d.pick(_T["rounded_to"][: 2 + (level > 3)])
        value = d.integer(size + 3, 9 * size + 90 * level)
        if value % size == size // 2:  # halves are rounded in more ways than one
            value += 1
        rounded = (value + size // 2) // size * size
        sign = d.pick(("+", "-")) if turn else ""
        words += f" {sign} {value} (to the {name})" if turn else f"{value} (to the {name})"
        exact += -value if sign == "-" else value
        estimate += -rounded if sign == "-" else rounded
    name = d.pick(NAMES)
    told = _T.say_one(d, "rounding", words=words, name=name)
    if d.integer(0, 1):
        k = d.integer(1, 9)
        return _T.draft("rounded_plus", estimate + k, told=told, k=k)
    return _T.draft("rounding_error", abs(estimate - exact), told=told)


def _recurrence(d: Draws, level: int) -> Draft:
    one, two = d.integer(2, 19), d.integer(3, 29)
    times, plus = d.integer(1, 2 + level // 3), d.integer(1, 12)
    n = 4 + level
    limit = d.pick((100, 97, 60, 50)) if level > 3 else None
    sign, sign_word = d.pick(((1, "plus"), (-1, "minus")))
    terms = [one, two]
    while len(terms) < n:
        term = times * terms[-1] + sign * terms[-2] + plus
        terms.append(term % limit if limit else term)
    first = "the term before it" if times == 1 else f"{times} times the term before it"
    rule = _T.say("rule", first=first, sign=sign_word, plus=plus)
    if limit:
        rule = _T.say("rule_of_remainders", limit=limit, most=limit - 1, rule=rule)
    return _T.draft("recurrence", terms[-1], one=one, two=two, rule=rule, n=n)


def _counting(d: Draws, level: int) -> Draft:
    low, p = d.integer(20, 300), d.integer(3, 9)
    high = low + d.integer(30, 60 + 40 * level)
    q = p + d.integer(1, 6)
    if level < 4:
        found = [n for n in range(low, high + 1) if n % p == 0]
        what = _T.say("divisible", p=p)
    elif level < 7:
        found = [n for n in range(low, high + 1) if n % p == 0 and n % q]
        what = _T.say("divisible_by_one", p=p, q=q)
    else:
        r = d.integer(2, 11)
        found = [n for n in range(low, high + 1) if (n % p == 0) != (n % q == 0) and n % r]
        what = _T.say("divisible_by_either", p=p, q=q, r=r)
    is_count = d.integer(0, 1) or not found
    name, value = ("count_between", len(found)) if is_count else ("largest_between", found[-1])
    return _T.draft(name, value, low=low, high=high, what=what)


def _remainders(d: Draws, level: int) -> Draft:
    moduli = d.sample((5, 7, 8, 9, 11, 13), min(4, 2 + level // 4))
    secret, above = d.integer(100, 900), d.integer(10, 60 + 90 * level)
    rests = [secret % m for m in moduli]
    told = in_words([f"{r} on division by {m}" for m, r in zip(moduli, rests, strict=True)])
    value = above + 1
    while [value % m for m in moduli] != rests:
        value += 1
    return _T.draft("remainders", value, above=above, told=told)


def _powers(d: Draws, level: int) -> Draft:
    base, power, by = d.integer(3, 29), d.integer(2 + level, 6 + 6 * level), d.integer(7, 19)
    given = {"base": base, "power": power, "by": by}
    if level < 4:
        other = d.integer(21, 99)
        return _T.draft("remainder_of_sum", (base * other + power) % by, other=other, **given)
    return _T.draft("remainder_of_power", pow(base, power, by), **given)


def _divisors(d: Draws, level: int) -> Draft:
    base = d.integer(2, 6 + level)
    values = [base * factor for factor in d.sample(range(3, 10 + 3 * level), 2 + level // 4)]
    shown = in_words([str(value) for value in values])
    if d.integer(0, 1):
        return _T.draft("common_divisor", gcd(*values), shown=shown)
    return _T.draft("common_multiple", lcm(*values), shown=shown)


def _shares(d: Draws, level: int) -> Draft:
    """Ask for a price after several percentage changes, each of them exact."""
    price = Fraction(400 * d.integer(2, 40))
    told, start = [], price
    for _ in range(1 + level // 4):
        percent = d.pick((10, 20, 25, 50))
        up = d.integer(0, 1)
        price *= Fraction(100 + (percent if up else -percent), 100)
        told.append(f"{'raised' if up else 'lowered'} by {percent}%")
    often = _T["often"] if len(told) > 1 else ""
    return _T.draft("price", price, start=start, told=", then ".join(told), often=often)


_MOST = 4_000


def story(d: Draws, level: int) -> Draft:
    """Write level + 1 events among one to four people, and a question about their result."""
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


KINDS: Mapping[str, Template] = {
    "mental_calculation": _mental_calculation,
    "word_problems": one_of(*[story] * 7, _shares),
    "unit_conversion": one_of(_unit_sum, _invented_units, _rates),
    "estimation": _estimation,
    "numerical_reasoning": one_of(_recurrence, _counting, _remainders, _powers, _divisors),
}
