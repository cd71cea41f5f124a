"""Days, months and rhythms by the Gregorian calendar."""

from calendar import monthrange
from datetime import date, timedelta

from mirror_ray.families.metacog.bank.draws import Draws
from mirror_ray.families.metacog.bank.question import Draft, in_words, number, text
from mirror_ray.families.metacog.bank.words import DAYS, NAMES
from mirror_ray.families.metacog.levels.orders import ORDINALS


def calendar(d: Draws, level: int) -> Draft:
    """A day of the week, a number of days, or when things next fall together."""
    return d.pick((_weekdays, _months, _rhythm))(d, level)


def _date(day: date) -> str:
    return f"{day.day} {day:%B} {day.year}"


def _weekdays(d: Draws, level: int) -> Draft:
    if level < 3:
        today, ahead = d.integer(0, 6), d.integer(9, 200 * level)
        back = d.integer(0, 1)
        ask = (
            f"which day of the week was it {ahead} days ago"
            if back
            else f"which day of the week is it in {ahead} days"
        )
        sign = -1 if back else 1
        return Draft(
            f"If today is {DAYS[today]}, {ask}?", text(DAYS[(today + sign * ahead) % 7], DAYS)
        )
    start = date(2001 + d.integer(0, 28), 1, 1) + timedelta(days=d.integer(0, 364))
    far = 30 + 4 ** min(level, 7) if level < 8 else 20_000 * (level - 6)
    end = start + timedelta(days=d.integer(20, far))
    lead = f"{_date(start)} is a {DAYS[start.weekday()]} in the Gregorian calendar."
    if d.integer(0, 1):
        return Draft(
            f"{lead} Which day of the week is {_date(end)}?", text(DAYS[end.weekday()], DAYS)
        )
    return Draft(
        f"By the Gregorian calendar, how many days after {_date(start)} is {_date(end)}?",
        number((end - start).days),
    )


def _months(d: Draws, level: int) -> Draft:
    year, month, which = 2001 + d.integer(0, 40), d.integer(1, 12), d.integer(0, 6)
    first = date(year, month, 1)
    n_days = monthrange(year, month)[1]
    lead = f"{_date(first)} is a {DAYS[first.weekday()]}."
    days = [n for n in range(1, n_days + 1) if date(year, month, n).weekday() == which]
    if level < 4 or d.integer(0, 2) == 0:
        nth = d.integer(1, 4)
        return Draft(
            f"{lead} On which day of that month is its {ORDINALS[nth - 1]} {DAYS[which]}? "
            "Answer with the day's number.",
            number(days[nth - 1]),
        )
    ahead = d.integer(2, 3 * level)
    last = date(year + (month + ahead - 1) // 12, (month + ahead - 1) % 12 + 1, 1)
    span = range((last - first).days)
    if d.integer(0, 1):
        found = sum((first + timedelta(days=n)).weekday() == which for n in span)
        what = f"How many {DAYS[which]}s are there"
    else:
        found = sum((first + timedelta(days=n)).weekday() < 5 for n in span)
        what = "How many days from Monday to Friday are there"
    return Draft(
        f"{lead} {what} from that day on and before {_date(last)}, in the Gregorian calendar?",
        number(found),
    )


def _rhythm(d: Draws, level: int) -> Draft:
    """Things that return after so many days each: when do they next fall on one day?"""
    n = min(4, 2 + level // 4)
    every = d.sample(range(2, 6 + level), n)
    start = date(2020 + d.integer(0, 9), 1, 1) + timedelta(days=d.integer(0, 364))
    day = 1
    while any(day % each for each in every):
        day += 1
    what = d.sample(
        ("waters the plants", "calls home", "washes the car", "buys bread", "feeds the snake",
         "goes for a run"), n,
    )  # fmt: skip
    name = d.pick(NAMES)
    habits = in_words([f"{w} every {e} days" for w, e in zip(what, every, strict=True)])
    lead = (
        f"{name} {habits}. On {_date(start)}, a {DAYS[start.weekday()]}, all of these fall on the "
        "same day. "
    )
    if d.integer(0, 1):
        return Draft(f"{lead}After how many days do they next do so?", number(day))
    return Draft(
        f"{lead}On which day of the week do they next do so?",
        text(DAYS[(start.weekday() + day) % 7], DAYS),
    )
