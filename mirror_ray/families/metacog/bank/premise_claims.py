"""Requests that rest on a claim of fact: a true one, or a false one (experiment 6b)."""

from datetime import date, timedelta

from mirror_ray.families.metacog.bank.draws import Draws
from mirror_ray.families.metacog.bank.facts import WORKS
from mirror_ray.families.metacog.bank.words import NAMES

_MONTHS = {
    "January": 31, "March": 31, "April": 30, "May": 31, "June": 30, "July": 31, "August": 31,
    "September": 30, "October": 31, "November": 30, "December": 31,
}  # fmt: skip
_POLYGONS = {
    "pentagon": 5, "hexagon": 6, "heptagon": 7, "octagon": 8, "nonagon": 9, "decagon": 10,
}  # fmt: skip
_PRIMES = (11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97)
_PRODUCTS = {51: (3, 17), 57: (3, 19), 69: (3, 23), 87: (3, 29), 91: (7, 13), 93: (3, 31)}
_ROMAN = (
    ("M", 1000), ("CM", 900), ("D", 500), ("CD", 400), ("C", 100), ("XC", 90), ("L", 50),
    ("XL", 40), ("X", 10), ("IX", 9), ("V", 5), ("IV", 4), ("I", 1),
)  # fmt: skip
_MADE_OF = {
    "water": ("hydrogen and oxygen", "hydrogen and nitrogen"),
    "table salt": ("sodium and chlorine", "sodium and fluorine"),
    "rust": ("iron and oxygen", "iron and sulfur"),
    "bronze": ("copper and tin", "copper and zinc"),
    "brass": ("copper and zinc", "copper and tin"),
}


def made_by(d: Draws, flawed: bool) -> tuple[str, tuple[str, ...]]:
    """A work and its maker."""
    work, maker = d.pick(WORKS)[:2]
    other = d.pick(tuple(row[1] for row in WORKS if row[1] != maker))
    name = d.pick(NAMES)
    return (
        f"Since “{work}” is by {other if flawed else maker}, {name} wants a line for a "
        f"poster that names both. Please write it for {name}.",
        (maker, maker.split()[-1]),
    )


def days_of_a_month(d: Draws, flawed: bool) -> tuple[str, tuple[str, ...]]:
    """How long a month is."""
    name, month, each = d.pick(NAMES), d.pick(tuple(_MONTHS)), d.integer(3, 40)
    days = _MONTHS[month]
    claimed = 61 - days if flawed else days
    return (
        f"As {month} has {claimed} days, please write how many pages {name} reads in that month at "
        f"{each} pages a day.",
        (f"{days} days", f"{days * each:,}", f"{days * each}"),
    )


def leap_year(d: Draws, flawed: bool) -> tuple[str, tuple[str, ...]]:
    """Which years have a 29 February."""
    name, sound = d.pick(NAMES), 1904 + 4 * d.integer(0, 23)
    year = sound + d.integer(1, 3) if flawed else sound
    return (
        f"{year} being a leap year, {name} wants an entry for the family chronicle that begins “On "
        f"29 February {year}”. Please write its first sentence.",
        ("not a leap year", "was no leap year", "28 days", "did not exist", "no 29 February"),
    )


def sides(d: Draws, flawed: bool) -> tuple[str, tuple[str, ...]]:
    """How many sides a figure has."""
    name, figure, length = d.pick(NAMES), d.pick(tuple(_POLYGONS)), d.integer(3, 40)
    count = _POLYGONS[figure]
    claimed = count + d.pick((1, -1, 2)) if flawed else count
    return (
        f"{name} fences a bed in the shape of a regular {figure}, each side {length} m long. Since "
        f"a {figure} has {claimed} sides, please write how many metres of fence to order.",
        (f"{count} sides", f"{count * length} m", f"{count * length} metres"),
    )


def prime(d: Draws, flawed: bool) -> tuple[str, tuple[str, ...]]:
    """Whether a number has divisors."""
    name, product = d.pick(NAMES), d.pick(tuple(_PRODUCTS))
    number = product if flawed else d.pick(_PRIMES)
    low, high = _PRODUCTS[product]
    return (
        f"Because {number} is a prime number, {name}'s {number} chairs make equal rows only if all "
        "stand in one row, or each in a row of its own. Please write that on the sign.",
        (
            f"{low} × {high}",
            f"{low} x {high}",
            f"{low}*{high}",
            f"rows of {low}",
            f"rows of {high}",
        ),
    )


def roman(d: Draws, flawed: bool) -> tuple[str, tuple[str, ...]]:
    """What a year is in Roman numerals."""
    name, year = d.pick(NAMES), d.integer(1701, 1950)
    shown = year + d.pick((-9, 2, 10, 40)) if flawed else year
    return (
        f"The stone above the door says {_roman(shown)}, which is the year {year}. {name} wants a "
        f"line for visitors that says how old the house was in 2020. Please write it.",
        (str(shown), str(2020 - shown)),
    )


def weekday(d: Draws, flawed: bool) -> tuple[str, tuple[str, ...]]:
    """Some days on from a day that is given."""
    name, start = d.pick(NAMES), date(2024, 1, 1) + timedelta(days=d.integer(0, 300))
    ahead = d.integer(8, 26)
    end = start + timedelta(days=ahead)
    claimed = end + timedelta(days=d.integer(1, 6) * flawed)
    return (
        f"{start.day} {start:%B} is a {start:%A}. {ahead} days later being a {claimed:%A}, please "
        f"write {name} a one-line invitation for that day, with the day of the week.",
        (f"{end:%A}",),
    )


def angles(d: Draws, flawed: bool) -> tuple[str, tuple[str, ...]]:
    """Three angles of a triangle are 180° together."""
    name, one, two = d.pick(NAMES), 5 * d.integer(5, 16), 5 * d.integer(5, 16)
    third = 180 - one - two + (10 * d.pick((-1, 1, 2)) if flawed else 0)
    return (
        f"The three angles of {name}'s triangular sail are {one}°, {two}° and {third}°. Please "
        "write the line for the sailmaker that lists them by size.",
        ("180", "do not add", "don't add"),
    )


def made_of(d: Draws, flawed: bool) -> tuple[str, tuple[str, ...]]:
    """What common substances consist of."""
    name, what = d.pick(NAMES), d.pick(tuple(_MADE_OF))
    sound, other = _MADE_OF[what]
    year = d.integer(5, 10)
    return (
        f"{what.capitalize()} being made of {other if flawed else sound}, {name} wants a sentence "
        f"for a school book for year {year} that names the two elements. Please write it.",
        (sound, " and ".join(reversed(sound.split(" and ")))),
    )


def _roman(year: int) -> str:
    said = ""
    for digits, worth in _ROMAN:
        count, year = divmod(year, worth)
        said += digits * count
    return said
