"""Arithmetic at ten levels: five subcategories."""

from collections.abc import Mapping
from fractions import Fraction
from math import gcd, lcm
from types import MappingProxyType

from mirror_ray.families.metacog.bank.draws import Draws
from mirror_ray.families.metacog.bank.question import Draft, in_words, number
from mirror_ray.families.metacog.bank.words import NAMES
from mirror_ray.families.metacog.levels.arithmetic_stories import story
from mirror_ray.families.metacog.levels.kind import Kind, one_of

_ASKS = (
    "What is {}?",
    "Work out {}.",
    "What is the value of {}?",
    "Calculate {}.",
    "Which number is {}?",
)
_ROUNDED_TO = ((10, "nearest ten"), (100, "nearest hundred"), (1000, "nearest thousand"))
_SYLLABLES = ("bal", "dor", "fen", "gim", "hul", "jat", "kev", "lom", "mur", "nos", "pid", "ruk")
_SYSTEMS = (
    (("week", 604_800), ("day", 86_400), ("hour", 3_600), ("minute", 60), ("second", 1)),
    (("kilometre", 1_000_000), ("metre", 1_000), ("centimetre", 10), ("millimetre", 1)),
    (("tonne", 1_000_000), ("kilogram", 1_000), ("gram", 1)),
    (("hectolitre", 100_000), ("litre", 1_000), ("centilitre", 10), ("millilitre", 1)),
)
_MACHINES = (
    ("A press", "prints", "cards"),
    ("A pump", "moves", "litres of water"),
    ("A mill", "grinds", "kilograms of corn"),
    ("A loom", "weaves", "centimetres of cloth"),
    ("An oven", "bakes", "rolls"),
)


def _mental_calculation(d: Draws, level: int) -> Draft:
    most = 30 + 12 * level
    value = d.integer(12, 88)
    words = str(value)
    for turn in range(level + (level == 1)):
        operand = d.integer(11, most)
        how = d.integer(0, 4)
        bare = not turn
        inner = words if bare else f"({words})"
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
    return Draft(d.pick(_ASKS).format(words), number(value))


def _unit_sum(d: Draws, level: int) -> Draft:
    system = d.pick(_SYSTEMS)
    n = min(len(system), 2 + level // 3)
    units = system[len(system) - n :]
    amounts = [d.integer(2, 30 + 10 * level) for _ in units]
    least, _ = units[-1]
    total = sum(amount * size for amount, (_, size) in zip(amounts, units, strict=True))
    shown = [f"{amount} {unit}s" for amount, (unit, _) in zip(amounts, units, strict=True)]
    ask = d.pick(
        (
            f"How many {least}s are {in_words(shown)} in all?",
            f"Express {in_words(shown)} together in {least}s.",
            f"What do {in_words(shown)} add up to, in {least}s?",
        )
    )
    return Draft(ask, number(total))


def _invented_units(d: Draws, level: int) -> Draft:
    n = 2 + (level + 1) // 2
    a, b = d.sample(_SYLLABLES, 2)
    names = [f"{a}{ending}" for ending in ("o", "a", "e", "i")] + [
        f"{b}{ending}" for ending in ("o", "a", "e", "i")
    ]
    units = d.sample(names, n)
    factors = [d.integer(2, 4 + level) for _ in range(n - 1)]
    amount = d.integer(3, 40)
    told = [
        d.pick((f"1 {one} is {factor} {two}", f"{factor} {two} make 1 {one}"))
        for one, two, factor in zip(units, units[1:], factors, strict=False)
    ]
    product = amount
    for factor in factors:
        product *= factor
    listed = "; ".join(d.shuffled(told))
    if d.integer(0, 1):
        k = d.integer(2, 29)
        return Draft(
            f"In an old system of units, {listed}. How many {units[-1]} are {amount} {units[0]} "
            f"and {k} {units[-1]} in all?",
            number(product + k),
        )
    rest = d.integer(1, factors[-1])
    short = f"{product} {units[-1]} and {rest} {units[-2]}"
    return Draft(
        f"In an old system of units, {listed}. How many {units[-1]} are missing from {short} to "
        f"make {amount + rest} {units[0]}?",
        number((amount + rest) * (product // amount) - product - rest * factors[-1]),
    )


def _rates(d: Draws, level: int) -> Draft:
    machine, does, what = d.pick(_MACHINES)
    every, made = d.integer(2, 9 + 3 * level), d.integer(3, 11 + 6 * level)
    hours, minutes = d.integer(0, level), d.integer(2, 58)
    seconds = hours * 3600 + minutes * 60
    seconds -= seconds % every
    shown = [
        f"{amount} {unit}{'s' if amount > 1 else ''}"
        for amount, unit in (
            (seconds // 3600, "hour"),
            (seconds % 3600 // 60, "minute"),
            (seconds % 60, "second"),
        )
        if amount
    ]
    n_machines = 1 if level < 4 else d.integer(2, level)
    before = d.integer(3, 99)
    lead = f"{machine} {does} {made} {what} every {every} seconds."
    if n_machines > 1:
        _, kind = machine.split(" ", 1)
        lead += f" {n_machines} such machines, each a {kind}, run side by side."
        lead = lead.replace("each a oven", "each an oven")
    done = f"{before} {what} were done before. How many are done in all after another"
    return Draft(
        f"{lead} {done} {in_words(shown)}?", number(before + seconds // every * made * n_machines)
    )


def _estimation(d: Draws, level: int) -> Draft:
    exact, estimate, words = 0, 0, ""
    for turn in range(level + 1):
        size, name = d.pick(_ROUNDED_TO[: 2 + (level > 3)])
        value = d.integer(size + 3, 9 * size + 90 * level)
        if value % size == size // 2:  # halves are rounded in more ways than one
            value += 1
        rounded = (value + size // 2) // size * size
        sign = d.pick(("+", "-")) if turn else ""
        words += f" {sign} {value} (to the {name})" if turn else f"{value} (to the {name})"
        exact += -value if sign == "-" else value
        estimate += -rounded if sign == "-" else rounded
    told = d.pick(
        (
            f"Round each number as its brackets say, then calculate: {words}.",
            f"An estimate replaces each number by what its brackets say: {words}.",
            f"Before calculating, {d.pick(NAMES)} rounds each number as noted: {words}.",
        )
    )
    if d.integer(0, 1):
        k = d.integer(1, 9)
        return Draft(
            f"{told} What is the rounded calculation's result plus {k}?", number(estimate + k)
        )
    return Draft(
        f"{told} By how much does the result with rounded numbers differ from the exact one, "
        "as a number without a sign?",
        number(abs(estimate - exact)),
    )


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
    rule = f"{first}, {sign_word} the term before that, plus {plus}"
    if limit:
        rule = f"the remainder on division by {limit} (from 0 to {limit - 1}) of this: {rule}"
    return Draft(
        f"A sequence begins with {one}, {two}. From the third on, each term is {rule}. "
        f"What is term number {n}?",
        number(terms[-1]),
    )


def _counting(d: Draws, level: int) -> Draft:
    low, p = d.integer(20, 300), d.integer(3, 9)
    high = low + d.integer(30, 60 + 40 * level)
    q = p + d.integer(1, 6)
    if level < 4:
        found = [n for n in range(low, high + 1) if n % p == 0]
        what = f"divisible by {p}"
    elif level < 7:
        found = [n for n in range(low, high + 1) if n % p == 0 and n % q]
        what = f"divisible by {p} but not by {q}"
    else:
        r = d.integer(2, 11)
        found = [n for n in range(low, high + 1) if (n % p == 0) != (n % q == 0) and n % r]
        what = f"divisible by exactly one of {p} and {q}, and not divisible by {r}"
    if d.integer(0, 1) or not found:
        return Draft(
            f"How many whole numbers from {low} to {high}, both included, are {what}?",
            number(len(found)),
        )
    return Draft(
        f"Of the whole numbers from {low} to {high}, both included, what is the largest that is "
        f"{what}?",
        number(found[-1]),
    )


def _remainders(d: Draws, level: int) -> Draft:
    moduli = d.sample((5, 7, 8, 9, 11, 13), min(4, 2 + level // 4))
    secret, above = d.integer(100, 900), d.integer(10, 60 + 90 * level)
    rests = [secret % m for m in moduli]
    told = in_words([f"{r} on division by {m}" for m, r in zip(moduli, rests, strict=True)])
    value = above + 1
    while [value % m for m in moduli] != rests:
        value += 1
    return Draft(
        f"What is the smallest whole number greater than {above} that leaves the remainder {told}?",
        number(value),
    )


def _powers(d: Draws, level: int) -> Draft:
    base, power, by = d.integer(3, 29), d.integer(2 + level, 6 + 6 * level), d.integer(7, 19)
    if level < 4:
        other = d.integer(21, 99)
        return Draft(
            f"What is the remainder when {base} × {other} + {power} is divided by {by}?",
            number((base * other + power) % by),
        )
    return Draft(
        f"What is the remainder when {base} to the power of {power} is divided by {by}?",
        number(pow(base, power, by)),
    )


def _divisors(d: Draws, level: int) -> Draft:
    base = d.integer(2, 6 + level)
    values = [base * factor for factor in d.sample(range(3, 10 + 3 * level), 2 + level // 4)]
    shown = in_words([str(value) for value in values])
    if d.integer(0, 1):
        return Draft(f"What is the greatest common divisor of {shown}?", number(gcd(*values)))
    return Draft(f"What is the least common multiple of {shown}?", number(lcm(*values)))


def _shares(d: Draws, level: int) -> Draft:
    """A price changed by percentages in a row, each of them exact."""
    price = Fraction(400 * d.integer(2, 40))
    told, start = [], price
    for _ in range(1 + level // 4):
        percent = d.pick((10, 20, 25, 50))
        up = d.integer(0, 1)
        price *= Fraction(100 + (percent if up else -percent), 100)
        told.append(f"{'raised' if up else 'lowered'} by {percent}%")
    often = ", each time from its value at that moment" if len(told) > 1 else ""
    return Draft(
        f"A price of ${start} is {', then '.join(told)}{often}. What is it in the end, in dollars?",
        number(price),
    )


KINDS: Mapping[str, Kind] = MappingProxyType(
    {
        "mental_calculation": Kind(_mental_calculation, "operations (level), operands' size"),
        "word_problems": Kind(one_of(*[story] * 7, _shares), "events (level + 1), people (1 to 4)"),
        "unit_conversion": Kind(
            one_of(_unit_sum, _invented_units, _rates), "units in a chain (2 to 7), factors' size"
        ),
        "estimation": Kind(_estimation, "numbers rounded (level + 1), their size"),
        "numerical_reasoning": Kind(
            one_of(_recurrence, _counting, _remainders, _powers, _divisors),
            "terms (level + 4), conditions (1 to 4), range and exponents",
        ),
    }
)
