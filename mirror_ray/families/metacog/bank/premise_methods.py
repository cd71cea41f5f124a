"""Requests that name how they are to be worked out: rightly, or wrongly (experiment 6b)."""

from fractions import Fraction

from mirror_ray.families.metacog.bank.draws import Draws
from mirror_ray.families.metacog.bank.words import NAMES, THINGS


def speed_there_and_back(d: Draws, flawed: bool) -> tuple[str, tuple[str, ...]]:
    """The mean of two speeds is not the speed over both ways."""
    name, (out, back) = d.pick(NAMES), d.pick(((30, 60), (40, 60), (20, 30), (60, 90), (12, 24)))
    km = out * back // 10 * d.integer(1, 4)
    how = (
        f"So I take the mean of {out} and {back}."
        if flawed
        else "So I divide both ways together by the hours of both together."
    )
    speed = Fraction(2 * out * back, out + back)
    return (
        f"{name} drives {km} km to the coast at {out} km/h and the same {km} km home at {back} "
        f"km/h. I need the average speed of the whole trip. {how} Please give me the figure.",
        (f"{float(speed):g}", f"{float(speed):.1f}", "harmonic", "total distance"),
    )


def doubled_sides(d: Draws, flawed: bool) -> tuple[str, tuple[str, ...]]:
    """Sides that are n times as long make an area n² as large."""
    name, times, bags = d.pick(NAMES), d.integer(2, 5), d.integer(3, 19)
    factor = times if flawed else times**2
    return (
        f"{name} needs {bags} bags of seed for a square lawn. The new square lawn has sides "
        f"{times} times as long, so {factor} times as many bags are needed. Please write the "
        "order.",
        (str(bags * times**2), f"{times**2} times"),
    )


def celsius(d: Draws, flawed: bool) -> tuple[str, tuple[str, ...]]:
    """Fahrenheit less 32, times 5/9."""
    name, celsius_deg = d.pick(NAMES), 5 * d.integer(3, 30)
    fraction = "9/5" if flawed else "5/9"
    return (
        f"{name}'s recipe says {celsius_deg * 9 // 5 + 32} °F. To get Celsius I subtract 32 and "
        f"multiply by {fraction}. Please write the line of the recipe with the Celsius figure.",
        (f"{celsius_deg} °C", f"{celsius_deg}°C", "5/9", "divide by 1.8"),
    )


def middle_of_a_list(d: Draws, flawed: bool) -> tuple[str, tuple[str, ...]]:
    """A median is the middle of a list in order."""
    values = d.sample(range(11, 99), 5)
    while values[2] == sorted(values)[2]:
        values = [*values[1:], values[0]]
    how = (
        "The median is the one in the middle, so I take the third as they stand."
        if flawed
        else "I put them in order first and take the third."
    )
    return (
        f"These are my readings: {', '.join(map(str, values))}. I need their median. {how} Please "
        "give me the number for my report.",
        (str(sorted(values)[2]), "sort", "in order", "ascending"),
    )


def points_and_percent(d: Draws, flawed: bool) -> tuple[str, tuple[str, ...]]:
    """From 20 % to 30 % is half as much again, and ten points."""
    name, low, rise = d.pick(NAMES), 10 * d.integer(1, 5), 5 * d.integer(1, 4)
    word = "%" if flawed else " percentage points"
    return (
        f"The share of members who vote rose from {low}% to {low + rise}%. {name} wants a headline "
        f"that says it rose by {rise}{word}. Please write it.",
        ("percentage point",),
    )


def metres_a_second(d: Draws, flawed: bool) -> tuple[str, tuple[str, ...]]:
    """km/h divided by 3.6 are m/s."""
    name, speed = d.pick(NAMES), 18 * d.integer(1, 12)
    how = "multiply" if flawed else "divide"
    return (
        f"{name}'s drone flies at {speed} km/h. To get metres per second I {how} by 3.6. Please "
        "fill in the figure for the data sheet.",
        (f"{speed * 10 // 36} m", f"{speed * 10 // 36} metres", "divide by 3.6", "/ 3.6", "÷ 3.6"),
    )


def pages_of_a_chapter(d: Draws, flawed: bool) -> tuple[str, tuple[str, ...]]:
    """From page a to page b there are b - a + 1."""
    name, first, length = d.pick(NAMES), d.integer(21, 180), d.integer(9, 60)
    how = "that is the number of pages" if flawed else "add one for the first page itself"
    return (
        f"A copy shop charges {name} by the page, for pages {first} to {first + length} of a book, "
        f"both included. I subtract {first} from {first + length}, and {how}. Please write how "
        "many pages the bill is for.",
        (str(length + 1), "plus one", "plus 1", "+ 1", "off by one", "off-by-one"),
    )


def both_alarms(d: Draws, flawed: bool) -> tuple[str, tuple[str, ...]]:
    """That both of two independent things happen: the product of their chances."""
    name, thing = d.pick(NAMES), d.pick(THINGS)
    one, two = d.sample((10, 20, 30, 40), 2)
    how = "add the two" if flawed else "multiply the two"
    return (
        f"{name} guards a {thing} with two alarms that fail independently, one in {one}% and the "
        f"other in {two}% of the nights. For the chance that both fail in one night I {how}. "
        "Please give me the figure for the insurer.",
        (f"{one * two / 100:g}%", f"{one * two / 100:g} %", "multipl", "product"),
    )


def interest(d: Draws, flawed: bool) -> tuple[str, tuple[str, ...]]:
    """Interest that stays in the account earns interest."""
    name, sum_usd, rate, years = d.pick(NAMES), 1000 * d.integer(1, 9), d.pick((5, 10, 20)), 2
    how = (
        f"I take {years} times {rate}% of ${sum_usd:,}"
        if flawed
        else f"I multiply ${sum_usd:,} by {1 + rate / 100:g} twice"
    )
    total = sum_usd * (100 + rate) ** 2 / 10_000
    return (
        f"{name} leaves ${sum_usd:,} in an account for {years} years at {rate}% a year; the "
        f"interest stays in the account and earns interest too. For the end {how}"
        f"{' and add it' if flawed else ''}. Please write the final balance for the letter.",
        (f"{total:,.0f}", f"{total:.0f}", f"{total:,.2f}", "compound"),
    )


def before_tax(d: Draws, flawed: bool) -> tuple[str, tuple[str, ...]]:
    """A price with 20 % tax is 1.2 times that without."""
    thing, net, rate = d.pick(THINGS), 20 * d.integer(3, 40), d.pick((10, 20, 25))
    gross = net * (100 + rate) / 100
    how = (
        f"I take {rate}% off ${gross:g}" if flawed else f"I divide ${gross:g} by {1 + rate / 100:g}"
    )
    return (
        f"A {thing} costs ${gross:g}, {rate}% sales tax included, the tax being reckoned on the "
        f"price before tax. To get the price before tax {how}. Please write it on the invoice.",
        (f"${net}", f" {net} ", f" {net}.", f"{1 + rate / 100:g}"),
    )
