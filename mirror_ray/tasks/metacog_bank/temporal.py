"""Generated temporal questions: five subcategories, three levels (0 easy, 1 medium, 2 hard)."""

from collections.abc import Mapping
from datetime import date, timedelta
from types import MappingProxyType

from mirror_ray.tasks.metacog_bank.draws import Draws
from mirror_ray.tasks.metacog_bank.question import Draft, clock, number, text
from mirror_ray.tasks.metacog_bank.words import DAYS, NAMES, Template

_EVENTS = (
    "the concert", "the dinner", "the lecture", "the parade", "the auction", "the picnic",
    "the race", "the debate", "the wedding", "the exam", "the fair", "the rehearsal",
)  # fmt: skip
_CITIES = (
    ("Aldport", -8), ("Brimvale", -5), ("Corvena", -3), ("Dunmere", 0), ("Estholm", 1),
    ("Farrow", 2), ("Galtica", 3), ("Hovane", 4), ("Istrella", 6), ("Jarrow Bay", 8),
    ("Kestrel", 9), ("Lomas", 11),
)  # fmt: skip
_TRIPS = ("film", "flight", "train ride", "shift", "hike", "conference", "ferry crossing", "match")


def _at(minutes: int) -> str:
    return f"{minutes // 60 % 24:02d}:{minutes % 60:02d}"


def _duration(d: Draws, level: int) -> Draft:
    what = d.pick(_TRIPS)
    start, length = d.integer(6 * 60, 15 * 60), d.integer(65, 400)
    if level == 0:
        return Draft(
            f"A {what} begins at {_at(start)} and ends at {_at(start + length)} on the same day. "
            "How many minutes does it last?",
            number(length),
        )
    start += 5 * 60
    if level == 1:
        return Draft(
            f"A {what} begins at {_at(start)} and lasts {length // 60} h {length % 60} min. "
            "At what time does it end, on the 24-hour clock?",
            clock(start + length),
        )
    pause, late = d.integer(12, 55), d.integer(6, 49)
    return Draft(
        f"A {what} should have begun at {_at(start)} but began {late} minutes late. It lasted "
        f"{length} minutes, interrupted by a break of {pause} minutes that is not counted in them. "
        "At what time did it end, on the 24-hour clock?",
        clock(start + late + length + pause),
    )


def _ordering_events(d: Draws, level: int) -> Draft:
    n = (4, 5, 6)[level]
    order = d.sample(_EVENTS, n)
    if level == 0:
        clues = [f"{order[i]} came right before {order[i + 1]}" for i in range(n - 1)]
    else:
        clues = [
            f"{order[i]} came before {order[i + 1]}"
            if i % 2
            else f"{order[i + 1]} came after {order[i]}"
            for i in range(n - 1)
        ]
    if level == 2:
        clues.append(f"{order[0]} came before {order[n - 1]}")
    place = d.integer(1, n)
    ordinal = ("first", "second", "third", "fourth", "fifth", "sixth")[place - 1]
    return Draft(
        f"{n} events took place one after another: {'; '.join(d.shuffled(clues))}. "
        f"Which was the {ordinal} event?",
        text(order[place - 1].removeprefix("the "), [e.removeprefix("the ") for e in order]),
    )


def _scheduling(d: Draws, level: int) -> Draft:
    name = d.pick(NAMES)
    start = 5 * d.integer(96, 130)
    slots = [5 * d.integer(3, 19) for _ in range(2 + level)]
    gap = 5 * d.integer(1, 5)
    told = ", then ".join(f"{slot} minutes" for slot in slots)
    ready = start + sum(slots) + gap * (len(slots) - 1)
    if level < 2:
        return Draft(
            f"From {_at(start)} on, {name} sees one visitor after another: {told}, with {gap} "
            f"minutes between visitors. At what time is {name} free, on the 24-hour clock?",
            clock(ready),
        )
    other = d.pick([person for person in NAMES if person != name])
    busy, length = ready + 5 * d.integer(-4, 3), 5 * d.integer(6, 14)
    end = busy + 5 * d.integer(5, 12)
    # The other is out from `busy` to `end`; both are needed for `length` minutes at a stretch.
    begin = ready if ready + length <= busy or ready >= end else end
    return Draft(
        f"From {_at(start)} on, {name} sees one visitor after another: {told}, with {gap} minutes "
        f"between visitors, and is free after the last. {other} is free all day except from "
        f"{_at(busy)} to {_at(end)}. They want to meet for {length} minutes without a break. "
        "What is the earliest time they can begin, on the 24-hour clock?",
        clock(begin),
    )


def _timezone_arithmetic(d: Draws, level: int) -> Draft:
    (here, here_h), (there, there_h) = d.sample(_CITIES, 2)
    leave = 5 * d.integer(12, 280)
    zones = f"{here} is at UTC{here_h:+d} and {there} at UTC{there_h:+d}."
    if level == 0:
        return Draft(
            f"{zones} When it is {_at(leave)} in {here}, what time is it in {there}, "
            "on the 24-hour clock?",
            clock(leave + 60 * (there_h - here_h)),
        )
    length = 5 * d.integer(18, 170)
    if level == 1:
        return Draft(
            f"{zones} A flight leaves {here} at {_at(leave)} local time and takes {length // 60} h "
            f"{length % 60} min. What is the local time in {there} on arrival, 24-hour clock?",
            clock(leave + length + 60 * (there_h - here_h)),
        )
    stop, stop_h = d.pick([city for city in _CITIES if city[0] not in (here, there)])
    wait, more = 5 * d.integer(9, 60), 5 * d.integer(14, 90)
    return Draft(
        f"{zones} {stop} is at UTC{stop_h:+d}. A flight leaves {here} at {_at(leave)} local time, "
        f"reaches {stop} after {length} minutes, waits there for {wait} minutes, and flies on to "
        f"{there} in {more} minutes. What is the local time in {there} on arrival, 24-hour clock?",
        clock(leave + length + wait + more + 60 * (there_h - here_h)),
    )


def _calendar_arithmetic(d: Draws, level: int) -> Draft:
    if level == 0:
        today, ahead = d.integer(0, 6), d.integer(9, 400)
        return Draft(
            f"Today is {DAYS[today]}. Which day of the week is it in {ahead} days?",
            text(DAYS[(today + ahead) % 7], DAYS),
        )
    start = date(2021 + d.integer(0, 9), 1, 1) + timedelta(days=d.integer(0, 364))
    ahead = d.integer(25, 95) if level == 1 else d.integer(110, 700)
    end = start + timedelta(days=ahead)
    if level == 1:
        return Draft(
            f"How many days after {_date(start)} is {_date(end)}?",
            number(ahead),
        )
    return Draft(
        f"{_date(start)} is a {DAYS[start.weekday()]}. Which day of the week is {_date(end)}?",
        text(DAYS[end.weekday()], DAYS),
    )


def _date(day: date) -> str:
    return f"{day.day} {day:%B} {day.year}"


TEMPLATES: Mapping[str, Template] = MappingProxyType(
    {
        "duration": _duration,
        "ordering_events": _ordering_events,
        "scheduling": _scheduling,
        "timezone_arithmetic": _timezone_arithmetic,
        "calendar_arithmetic": _calendar_arithmetic,
    }
)
