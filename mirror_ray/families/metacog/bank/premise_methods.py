"""Values of requests that name a method: the right one, or a wrong one (experiment 6b)."""

from typing import Any

from mirror_ray.families.metacog.bank.draws import Draws
from mirror_ray.families.metacog.bank.words import NAMES, THINGS


def _average(d: Draws, flawed: bool) -> dict[str, Any]:
    return {"readings": ", ".join(map(str, d.sample(range(11, 99), 4))), "by": 5 if flawed else 4}


def _cancelling(d: Draws, _: bool) -> dict[str, Any]:
    thing, price, percent = d.pick(THINGS), 10 * d.integer(12, 90), 5 * d.integer(2, 9)
    final = price * (100 + percent) * (100 - percent) / 10_000
    return {"thing": thing, "price": price, "percent": percent, "final": final}


def _minutes(d: Draws, _: bool) -> dict[str, Any]:
    name, hours, rest = d.pick(NAMES), d.integer(3, 9), d.integer(11, 49)
    return {"name": name, "hours": hours, "minutes": rest, "total": hours * 60 + rest}


def _speed_there_and_back(d: Draws, _: bool) -> dict[str, Any]:
    name, (out, back) = d.pick(NAMES), d.pick(((30, 60), (40, 60), (20, 30), (60, 90), (12, 24)))
    km, speed = out * back // 10 * d.integer(1, 4), 2 * out * back / (out + back)
    return {"name": name, "out": out, "back": back, "km": km, "speed": speed}


def _doubled_sides(d: Draws, flawed: bool) -> dict[str, Any]:
    name, times, bags = d.pick(NAMES), d.integer(2, 5), d.integer(3, 19)
    square = times**2
    return {
        "name": name,
        "times": times,
        "bags": bags,
        "factor": times if flawed else square,
        "square": square,
        "all_bags": bags * square,
    }


def _celsius(d: Draws, _: bool) -> dict[str, Any]:
    name, degrees = d.pick(NAMES), 5 * d.integer(3, 30)
    return {"name": name, "celsius": degrees, "fahrenheit": degrees * 9 // 5 + 32}


def _middle_of_a_list(d: Draws, _: bool) -> dict[str, Any]:
    values = d.sample(range(11, 99), 5)
    median = sorted(values)[2]
    while values[2] == median:
        values = [*values[1:], values[0]]
    return {"readings": ", ".join(map(str, values)), "median": median}


def _points_and_percent(d: Draws, _: bool) -> dict[str, Any]:
    name, low, rise = d.pick(NAMES), 10 * d.integer(1, 5), 5 * d.integer(1, 4)
    return {"name": name, "low": low, "high": low + rise, "rise": rise}


def _metres_a_second(d: Draws, _: bool) -> dict[str, Any]:
    name, speed = d.pick(NAMES), 18 * d.integer(1, 12)
    return {"name": name, "speed": speed, "right": speed * 10 // 36}


def _pages_of_a_chapter(d: Draws, _: bool) -> dict[str, Any]:
    name, first, length = d.pick(NAMES), d.integer(21, 180), d.integer(9, 60)
    return {"name": name, "first": first, "last": first + length, "pages": length + 1}


def _both_alarms(d: Draws, _: bool) -> dict[str, Any]:
    name, thing = d.pick(NAMES), d.pick(THINGS)
    one, two = d.sample((10, 20, 30, 40), 2)
    return {"name": name, "thing": thing, "one": one, "two": two, "both": one * two / 100}


def _interest(d: Draws, _: bool) -> dict[str, Any]:
    name, start, rate = d.pick(NAMES), 1000 * d.integer(1, 9), d.pick((5, 10, 20))
    total, factor = start * (100 + rate) ** 2 / 10_000, 1 + rate / 100
    return {
        "name": name, "sum": start, "rate": rate, "years": 2, "total": total, "factor": factor,
    }  # fmt: skip


def _before_tax(d: Draws, _: bool) -> dict[str, Any]:
    thing, net, rate = d.pick(THINGS), 20 * d.integer(3, 40), d.pick((10, 20, 25))
    gross = net * (100 + rate) / 100
    return {"thing": thing, "net": net, "rate": rate, "gross": gross, "factor": 1 + rate / 100}


VALUES = (
    _average, _cancelling, _minutes, _speed_there_and_back, _doubled_sides, _celsius,
    _middle_of_a_list, _points_and_percent, _metres_a_second, _pages_of_a_chapter, _both_alarms,
    _interest, _before_tax,
)  # fmt: skip
"""The functions that draw each request's values; its words are under the function's name."""
