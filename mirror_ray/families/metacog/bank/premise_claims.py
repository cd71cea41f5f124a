"""Values of requests that rest on a claim of fact: a true one, or a false one (experiment 6b)."""

from datetime import date, timedelta
from typing import Any

from mirror_ray.families.metacog.bank.draws import Draws
from mirror_ray.families.metacog.bank.facts import CAPITALS, DATED_EVENTS, FREQUENT, WORKS
from mirror_ray.families.metacog.bank.words import NAMES, question_texts

_T = question_texts("mirror_ray.families.metacog.bank.premises")
_LATEST_YEAR = 1990


def _year(d: Draws, flawed: bool) -> dict[str, Any]:
    event, right = d.pick([row for row in DATED_EVENTS if row[1] > 1000])
    name, now = d.pick(NAMES), d.integer(2015, 2024)
    shift = d.pick((120, 150, -110, -140))
    # Years are not in the future, because that alone would reveal the flaw.
    shift = -abs(shift) if right + shift > _LATEST_YEAR else shift
    claimed = right + shift * flawed
    return {"event": event, "year": right, "claimed": claimed, "name": name, "now": now}


def _capital(d: Draws, flawed: bool) -> dict[str, Any]:
    (country, right, _), name = d.pick(CAPITALS), d.pick(NAMES)
    other = d.pick([row[1] for row in CAPITALS if row[0] != country])
    claimed = other if flawed else right
    return {"country": country, "capital": right, "claimed": claimed, "name": name}


def _symbol(d: Draws, flawed: bool) -> dict[str, Any]:
    (z, _, element), name = d.pick(FREQUENT), d.pick(NAMES)
    return {"element": element, "z": z, "claimed": z + d.integer(3, 40) * flawed, "name": name}


def _made_by(d: Draws, flawed: bool) -> dict[str, Any]:
    work, author = d.pick(WORKS)[:2]
    other = d.pick(tuple(row[1] for row in WORKS if row[1] != author))
    claimed, surname = other if flawed else author, author.split()[-1]
    return {
        "work": work, "author": author, "surname": surname, "claimed": claimed,
        "name": d.pick(NAMES),
    }  # fmt: skip


def _days_of_a_month(d: Draws, flawed: bool) -> dict[str, Any]:
    name, month, each = d.pick(NAMES), d.pick(tuple(_T["months"])), d.integer(3, 40)
    days = _T["months"][month]
    claimed, pages = 61 - days if flawed else days, days * each
    return {
        "name": name, "month": month, "each": each, "days": days, "claimed": claimed,
        "pages": pages,
    }  # fmt: skip


def _leap_year(d: Draws, flawed: bool) -> dict[str, Any]:
    name, leap = d.pick(NAMES), 1904 + 4 * d.integer(0, 23)
    return {"name": name, "year": leap + d.integer(1, 3) if flawed else leap}


def _sides(d: Draws, flawed: bool) -> dict[str, Any]:
    name, figure, length = d.pick(NAMES), d.pick(tuple(_T["polygons"])), d.integer(3, 40)
    count = _T["polygons"][figure]
    claimed, fence = count + d.pick((1, -1, 2)) if flawed else count, count * length
    return {
        "name": name, "figure": figure, "length": length, "count": count, "claimed": claimed,
        "fence": fence,
    }  # fmt: skip


def _prime(d: Draws, flawed: bool) -> dict[str, Any]:
    name, (product, low, high) = d.pick(NAMES), d.pick(_T["products"])
    number = product if flawed else d.pick(_T["primes"])
    return {"name": name, "number": number, "low": low, "high": high}


def _roman(d: Draws, flawed: bool) -> dict[str, Any]:
    name, claimed = d.pick(NAMES), d.integer(1701, 1950)
    shown = claimed + d.pick((-9, 2, 10, 40)) if flawed else claimed
    said, left = "", shown
    for digits, worth in _T["roman_numerals"]:
        count, left = divmod(left, worth)
        said += digits * count
    return {"name": name, "year": claimed, "roman": said, "shown": shown, "age": 2020 - shown}


def _weekday(d: Draws, flawed: bool) -> dict[str, Any]:
    name, start = d.pick(NAMES), date(2024, 1, 1) + timedelta(days=d.integer(0, 300))
    ahead = d.integer(8, 26)
    end = start + timedelta(days=ahead)
    claimed = end + timedelta(days=d.integer(1, 6) * flawed)
    return {
        "name": name, "start": f"{start.day} {start:%B}", "weekday": f"{start:%A}", "ahead": ahead,
        "claimed": f"{claimed:%A}", "end": f"{end:%A}",
    }  # fmt: skip


def _angles(d: Draws, flawed: bool) -> dict[str, Any]:
    name, one, two = d.pick(NAMES), 5 * d.integer(5, 16), 5 * d.integer(5, 16)
    third = 180 - one - two + (10 * d.pick((-1, 1, 2)) if flawed else 0)
    return {"name": name, "one": one, "two": two, "third": third}


def _made_of(d: Draws, flawed: bool) -> dict[str, Any]:
    name, (what, (one, two), other) = d.pick(NAMES), d.pick(_T["made_of"])
    claimed, year_of_school = other if flawed else f"{one} and {two}", d.integer(5, 10)
    return {
        "name": name, "what": what.capitalize(), "one": one, "two": two, "claimed": claimed,
        "year": year_of_school,
    }  # fmt: skip


VALUES = (
    _year, _capital, _symbol, _made_by, _days_of_a_month, _leap_year, _sides, _prime, _roman,
    _weekday, _angles, _made_of,
)  # fmt: skip
"""The functions that draw each request's values; its words are under the function's name."""
