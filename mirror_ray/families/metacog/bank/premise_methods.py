"""Values of requests that name a method: the right one, or a wrong one (experiment 6b)."""

from typing import Any

from mirror_ray.families.metacog.bank.draws import Draws
from mirror_ray.families.metacog.bank.words import NAMES, THINGS


def average(d: Draws, flawed: bool) -> dict[str, Any]:
    """Divide a sum of four by four."""
    return {"readings": ", ".join(map(str, d.sample(range(11, 99), 4))), "by": 5 if flawed else 4}


def cancelling(d: Draws, _: bool) -> dict[str, Any]:
    """Raise and lower a price by the same percentage: it does not cancel."""
    thing, price, percent = d.pick(THINGS), 10 * d.integer(12, 90), 5 * d.integer(2, 9)
    final = price * (100 + percent) * (100 - percent) / 10_000
    return {"thing": thing, "price": price, "percent": percent, "final": final}


def minutes(d: Draws, _: bool) -> dict[str, Any]:
    """Turn hours and minutes into minutes."""
    name, hours, rest = d.pick(NAMES), d.integer(3, 9), d.integer(11, 49)
    return {"name": name, "hours": hours, "minutes": rest, "total": hours * 60 + rest}


def speed_there_and_back(d: Draws, _: bool) -> dict[str, Any]:
    """Average two speeds over the same distance: their mean is wrong."""
    name, (out, back) = d.pick(NAMES), d.pick(((30, 60), (40, 60), (20, 30), (60, 90), (12, 24)))
    km, speed = out * back // 10 * d.integer(1, 4), 2 * out * back / (out + back)
    return {"name": name, "out": out, "back": back, "km": km, "speed": speed}


def doubled_sides(d: Draws, flawed: bool) -> dict[str, Any]:
    """Make sides n times as long: the area grows by n²."""
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


def celsius(d: Draws, _: bool) -> dict[str, Any]:
    """Turn Fahrenheit into Celsius: subtract 32, multiply by 5/9."""
    name, degrees = d.pick(NAMES), 5 * d.integer(3, 30)
    return {"name": name, "celsius": degrees, "fahrenheit": degrees * 9 // 5 + 32}


def middle_of_a_list(d: Draws, _: bool) -> dict[str, Any]:
    """Take the median: the middle of a list in order."""
    values = d.sample(range(11, 99), 5)
    median = sorted(values)[2]
    while values[2] == median:
        values = [*values[1:], values[0]]
    return {"readings": ", ".join(map(str, values)), "median": median}


def points_and_percent(d: Draws, _: bool) -> dict[str, Any]:
    """Tell a rise from 20 % to 30 %: ten points, and half as much again."""
    name, low, rise = d.pick(NAMES), 10 * d.integer(1, 5), 5 * d.integer(1, 4)
    return {"name": name, "low": low, "high": low + rise, "rise": rise}


def metres_a_second(d: Draws, _: bool) -> dict[str, Any]:
    """Turn km/h into m/s: divide by 3.6."""
    name, speed = d.pick(NAMES), 18 * d.integer(1, 12)
    return {"name": name, "speed": speed, "right": speed * 10 // 36}


def pages_of_a_chapter(d: Draws, _: bool) -> dict[str, Any]:
    """Count from page a to page b: there are b - a + 1."""
    name, first, length = d.pick(NAMES), d.integer(21, 180), d.integer(9, 60)
    return {"name": name, "first": first, "last": first + length, "pages": length + 1}


def both_alarms(d: Draws, _: bool) -> dict[str, Any]:
    """Combine two independent chances: multiply them."""
    name, thing = d.pick(NAMES), d.pick(THINGS)
    one, two = d.sample((10, 20, 30, 40), 2)
    return {"name": name, "thing": thing, "one": one, "two": two, "both": one * two / 100}


def interest(d: Draws, _: bool) -> dict[str, Any]:
    """Leave interest in the account: it earns interest."""
    name, start, rate = d.pick(NAMES), 1000 * d.integer(1, 9), d.pick((5, 10, 20))
    total, factor = start * (100 + rate) ** 2 / 10_000, 1 + rate / 100
    return {
        "name": name, "sum": start, "rate": rate, "years": 2, "total": total, "factor": factor,
    }  # fmt: skip


def before_tax(d: Draws, _: bool) -> dict[str, Any]:
    """Take tax off a price: with 20 % it is 1.2 times the price without."""
    thing, net, rate = d.pick(THINGS), 20 * d.integer(3, 40), d.pick((10, 20, 25))
    gross = net * (100 + rate) / 100
    return {"thing": thing, "net": net, "rate": rate, "gross": gross, "factor": 1 + rate / 100}


VALUES = (
    average, cancelling, minutes, speed_there_and_back, doubled_sides, celsius, middle_of_a_list,
    points_and_percent, metres_a_second, pages_of_a_chapter, both_alarms, interest, before_tax,
)  # fmt: skip
"""Of each request, in turn; each has its words under its name."""
