"""Values of requests for a plan that reaches its goal, or fails to (experiment 6b)."""

from typing import Any

from mirror_ray.families.metacog.bank import keys
from mirror_ray.families.metacog.bank.draws import Draws
from mirror_ray.families.metacog.bank.words import NAMES, THINGS, question_texts

_T = question_texts("mirror_ray.families.metacog.bank.premises")


def _train(d: Draws, flawed: bool) -> dict[str, Any]:
    name, due = d.pick(NAMES), d.integer(10 * 60, 20 * 60)
    takes, spare = d.integer(35, 160), d.integer(8, 40)
    leave = due - takes + (spare if flawed else -spare)
    times = {"due": due, "leave": leave, "arrival": leave + takes}
    return {"name": name, "takes": takes} | _as_times(times)


def _budget(d: Draws, flawed: bool) -> dict[str, Any]:
    name, n, price = d.pick(NAMES), d.integer(12, 60), d.integer(7, 45)
    most = n * price + (-1 if flawed else 1) * d.integer(20, 90)
    return {"name": name, "n": n, "price": price, "budget": most, "total": n * price}


def _niche(d: Draws, flawed: bool) -> dict[str, Any]:
    name, wide, spare = d.pick(NAMES), d.integer(120, 240), d.integer(3, 25)
    return {"name": name, "wide": wide, "sofa": wide + spare if flawed else wide - spare}


def _lift(d: Draws, flawed: bool) -> dict[str, Any]:
    name, boxes, each = d.pick(NAMES), d.integer(6, 20), d.integer(18, 45)
    limit = boxes * each + (-1 if flawed else 1) * d.integer(10, 60)
    return {"name": name, "boxes": boxes, "each": each, "limit": limit, "total": boxes * each}


def _two_meetings(d: Draws, flawed: bool) -> dict[str, Any]:
    one, two = d.sample(NAMES, 2)
    begin, length = d.integer(9, 15) * 60, 15 * d.integer(3, 7)
    second = begin + length + (-15 if flawed else 15) * d.integer(1, 2)
    times = {"begin": begin, "second": second, "end": begin + length}
    return {"one": one, "two": two, "length": length} | _as_times(times)


def _flour(d: Draws, flawed: bool) -> dict[str, Any]:
    name, guests, each = d.pick(NAMES), d.integer(6, 24), 10 * d.integer(4, 12)
    there = guests * each + (-1 if flawed else 1) * 10 * d.integer(3, 20)
    return {"name": name, "guests": guests, "each": each, "there": there, "total": guests * each}


def _reading_plan(d: Draws, flawed: bool) -> dict[str, Any]:
    name, days, pace = d.pick(NAMES), d.integer(5, 20), d.integer(12, 40)
    pages = days * pace + (1 if flawed else -1) * d.integer(15, 90)
    return {"name": name, "days": days, "pace": pace, "pages": pages, "read": days * pace}


def _guest(d: Draws, flawed: bool) -> dict[str, Any]:
    name, host = d.sample(NAMES, 2)
    dish, what = d.pick(_T["dishes"])
    served = dish if flawed else d.pick(_T["safe_dishes"])
    return {"name": name, "host": host, "what": what, "served": served}


def _tank(d: Draws, flawed: bool) -> dict[str, Any]:
    name, per_100, litres = d.pick(NAMES), d.pick((4, 5, 8, 10)), d.integer(8, 40)
    reach = litres * 100 // per_100
    way = reach + (1 if flawed else -1) * d.integer(20, 90)
    return {"name": name, "per_100": per_100, "litres": litres, "reach": reach, "way": way}


def _seats(d: Draws, flawed: bool) -> dict[str, Any]:
    name, buses, each = d.pick(NAMES), d.integer(2, 6), d.integer(18, 52)
    people = buses * each + (1 if flawed else -1) * d.integer(3, 16)
    counts = {"people": people, "buses": buses, "more": buses + 1}
    return {"name": name, "each": each, "total": buses * each} | counts


def _post(d: Draws, flawed: bool) -> dict[str, Any]:
    name, thing = d.pick(NAMES), d.pick(THINGS)
    sent, takes = d.integer(2, 14), d.integer(3, 9)
    comes = sent + takes
    due = comes + (-1 if flawed else 1) * d.integer(1, 2)
    return {"name": name, "thing": thing, "sent": sent, "takes": takes, "comes": comes, "due": due}


def _museum(d: Draws, flawed: bool) -> dict[str, Any]:
    name, close = d.pick(NAMES), d.integer(16, 20) * 60
    tour = 15 * d.integer(3, 8)
    begin = close - tour + (15 if flawed else -15) * d.integer(1, 2)
    return {"name": name, "tour": tour} | _as_times(
        {"close": close, "begin": begin, "end": begin + tour}
    )


def _as_times(minutes: dict[str, int]) -> dict[str, Any]:
    return {name: keys.time_of_day(at) for name, at in minutes.items()}


VALUES = (
    _train, _budget, _niche, _lift, _two_meetings, _flour, _reading_plan, _guest, _tank, _seats,
    _post, _museum,
)  # fmt: skip
"""The functions that draw each request's values; its words are under the function's name."""
