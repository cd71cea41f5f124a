"""Temporal questions at ten levels: five subcategories."""

from calendar import monthrange
from collections.abc import Mapping
from datetime import date, timedelta
from math import lcm

from mirror_ray.families.metacog.bank import keys
from mirror_ray.families.metacog.bank.draws import Draws
from mirror_ray.families.metacog.bank.question import Draft, in_words
from mirror_ray.families.metacog.bank.words import DAYS, NAMES, Template, capital, question_texts
from mirror_ray.families.metacog.levels.orders import ORDINAL_WORDS, clues_for, told

_T = question_texts(__name__)
_OPENS, _CLOSES = 8 * 60, 20 * 60
_SHORTEST = 10
_Busy = dict[str, list[tuple[int, int]]]


def _span(minutes: int) -> str:
    return f"{minutes // 60} h {minutes % 60} min" if minutes >= 60 else f"{minutes} minutes"


def _duration(d: Draws, level: int) -> Draft:
    how, name = d.integer(0, 2), d.pick(NAMES)
    start = d.integer(6 * 60, 12 * 60)
    parts = d.sample(_T["parts"], min(10, level + 1))
    lengths = [d.integer(7, 40 + 9 * level) for _ in parts]
    total, leads, legs = 0, [], []
    for turn, (part, length) in enumerate(zip(parts, lengths, strict=True)):
        pause = d.integer(3, 25) if turn and level > 2 and d.integer(0, 1) else 0
        total += pause + length
        leads.append(_T.say("pause", pause=pause) if pause else "")
        legs.append(leads[-1] + _T.say("part", part=part, span=_span(length)))
    times = {"name": name, "start": keys.time_of_day(start), "end": keys.time_of_day(start + total)}
    if how == 0:
        return _T.draft("ends", keys.clock_key(start + total), parts="; then ".join(legs), **times)
    if how == 1:
        return _T.draft("begins", keys.clock_key(start), parts="; then ".join(legs), **times)
    which = d.integer(0, len(parts) - 1)
    legs[which] = leads[which] + _T.say("unknown", part=parts[which])
    words = {"parts": "; then ".join(legs), "hidden": parts[which].replace("a ", "the ", 1)}
    return _T.draft("lasts", lengths[which], **words, **times)


def _ordering_events(d: Draws, level: int) -> Draft:
    n = 3 + (level + 1) // 2
    place, how = d.integer(0, n - 1), d.integer(0, 2)
    order = d.sample(_T["events"], n)
    clues = [told(clue, order, _T["clues"], d) for clue in clues_for(d, n, level)]
    shown = capital("; ".join(d.shuffled(clues)))
    lead = _T.say("order", n=n, events=", ".join(sorted(order)), clues=shown)
    if how == 0:
        return _T.draft(
            "which", keys.text(order[place], order), lead=lead, place=ORDINAL_WORDS[place]
        )
    name, value = ("number", place + 1) if how == 1 else ("n_after", n - 1 - place)
    return _T.draft(name, value, lead=lead, event=order[place])


def _appointments(d: Draws, people: list[str], level: int) -> _Busy:
    busy: _Busy = {}
    for name in people:
        at, slots = _OPENS + d.integer(0, 100), []
        for _ in range(1 + level // 2):
            end = at + d.integer(20, 80)
            if end >= _CLOSES - 90:
                break
            slots.append((at, end))
            at = end + d.integer(15, 50 + 5 * level)
        busy[name] = slots or [(_OPENS, _OPENS + 60)]
    return busy


def _with_room(d: Draws, people: list[str], level: int) -> tuple[_Busy, int]:
    """Draw appointments, and a length that first fits into a gap between two of them.

    After many draws without such a gap, the last draw is returned."""
    for _ in range(200):
        busy = _appointments(d, people, level)
        everyone = sorted(slot for slots in busy.values() for slot in slots)
        least, until, lengths = everyone[0][0] - _OPENS, everyone[0][1], list[int]()
        for begin, end in everyone[1:]:
            lengths += range(5 * (least // 5 + 1), begin - until + 1, 5)
            least, until = max(least, begin - until), max(until, end)
        if lengths := [length for length in lengths if length >= _SHORTEST]:
            return busy, d.pick(lengths)
    return busy, least - least % 5 + 5


def _scheduling(d: Draws, level: int) -> Draft:
    people = d.sample(NAMES, min(6, 1 + (level + 1) // 2))
    length = 5 * d.integer(4, 8 + 2 * level)
    if not d.integer(0, 3):
        busy = _appointments(d, people, level)
    else:
        busy, length = _with_room(d, people, level)
    everyone = [slot for slots in busy.values() for slot in slots]

    def free(begin: int) -> bool:
        return all(end <= begin or at >= begin + length for at, end in everyone)

    begin = next(minute for minute in range(_OPENS, _CLOSES + 300) if free(minute))
    told_busy = "; ".join(
        _T.say("busy", name=name, slots=in_words([_from_to(*slot) for slot in slots]))
        for name, slots in busy.items()
    )
    alone = len(people) == 1
    lead = _T.say("appointments", busy=told_busy, they=f"{people[0]} is" if alone else "they are")
    if d.integer(0, 2):
        need = "needs a stretch" if alone else "need a stretch together"
        words = {"who": in_words(people), "need": need, "length": length}
        return _T.draft("earliest", keys.clock_key(begin), lead=lead, **words)
    gap = sum(
        all(not (at <= minute < end) for at, end in everyone) for minute in range(_OPENS, _CLOSES)
    )
    words = (
        {"who": people[0], "at_once": ""} if alone else {"who": "everyone", "at_once": " at once"}
    )
    return _T.draft("free", gap, lead=lead, **words)


def _from_to(begin: int, end: int) -> str:
    return f"from {keys.time_of_day(begin)} to {keys.time_of_day(end)}"


def _offset(minutes: int) -> str:
    hours = f"{'+' if minutes >= 0 else '-'}{abs(minutes) // 60}"
    return hours + (f":{abs(minutes) % 60:02d}" if minutes % 60 else "")


def _timezones(d: Draws, level: int) -> Draft:
    n = 2 + (level + 1) // 3
    towns = d.sample(_T["cities"], n)
    quarter = level > 5
    offsets = [d.integer(-10, 12) * 60 + (d.pick((0, 30, 45)) if quarter else 0) for _ in towns]
    day = d.integer(0, 6)
    now = 5 * d.integer(12, 280)
    zones = "; ".join(
        _T.say("zone", town=town, offset=_offset(at))
        for town, at in zip(towns, offsets, strict=True)
    )
    shown = {"zones": zones, "now": keys.time_of_day(now)}
    if level == 1:
        key = keys.clock_key(now + offsets[1] - offsets[0])
        return _T.draft("time_there", key, one=towns[0], two=towns[1], **shown)
    utc, legs = now - offsets[0], []
    for i in range(1, n):
        fly = 5 * d.integer(12, 120)
        wait = 5 * d.integer(6, 70) if i < n - 1 else 0
        utc += fly + wait
        leg = _T.say(
            "leg" if i > 1 else "first_leg", start=towns[0], town=towns[i], span=_span(fly)
        )
        legs.append(leg + (_T.say("wait", span=_span(wait)) if wait else ""))
    name = d.pick(NAMES)
    way = {"name": name, "start": towns[0], "day": DAYS[day], "legs": ", ".join(legs)}
    lead = _T.say("journey", **way, **shown)
    local = utc + offsets[-1]
    how = d.integer(0, 2)
    if how == 0:
        return _T.draft("arrival", keys.clock_key(local), lead=lead, end=towns[-1])
    if how == 1:
        key = keys.text(DAYS[(day + local // 1440) % 7], DAYS)
        return _T.draft("day_of_arrival", key, lead=lead, end=towns[-1])
    key = keys.clock_key(utc + offsets[0])
    return _T.draft("time_at_home", key, lead=lead, start=towns[0], end=towns[-1])


def calendar(d: Draws, level: int) -> Draft:
    """Ask for a day of the week, a number of days, or when things next coincide."""
    return d.pick((_weekdays, _months, _rhythm))(d, level)


def _date(day: date) -> str:
    return f"{day.day} {day:%B} {day.year}"


def _weekdays(d: Draws, level: int) -> Draft:
    if level < 3:
        today, ahead = d.integer(0, 6), d.integer(9, 200 * level)
        name, sign = ("days_ago", -1) if d.integer(0, 1) else ("days_ahead", 1)
        key = keys.text(DAYS[(today + sign * ahead) % 7], DAYS)
        return _T.draft(name, key, today=DAYS[today], n=ahead)
    start = date(2001 + d.integer(0, 28), 1, 1) + timedelta(days=d.integer(0, 364))
    far = 30 + 4 ** min(level, 7) if level < 8 else 20_000 * (level - 6)
    end = start + timedelta(days=d.integer(20, far))
    days = {"start": _date(start), "end": _date(end), "weekday": DAYS[start.weekday()]}
    if d.integer(0, 1):
        return _T.draft("weekday_of", keys.text(DAYS[end.weekday()], DAYS), **days)
    return _T.draft("days_between", (end - start).days, **days)


def _months(d: Draws, level: int) -> Draft:
    year, month, which = 2001 + d.integer(0, 40), d.integer(1, 12), d.integer(0, 6)
    first = date(year, month, 1)
    n_days = monthrange(year, month)[1]
    lead = _T.say("is_a", day=_date(first), weekday=DAYS[first.weekday()])
    days = [n for n in range(1, n_days + 1) if date(year, month, n).weekday() == which]
    if level < 4 or d.integer(0, 2) == 0:
        nth = d.integer(1, 4)
        words = {"nth": ORDINAL_WORDS[nth - 1], "weekday": DAYS[which]}
        return _T.draft("nth_weekday", days[nth - 1], lead=lead, **words)
    ahead = d.integer(2, 3 * level)
    last = date(year + (month + ahead - 1) // 12, (month + ahead - 1) % 12 + 1, 1)
    weekdays = [(first + timedelta(days=n)).weekday() for n in range((last - first).days)]
    of_one = d.integer(0, 1)
    found = sum(day == which if of_one else day < 5 for day in weekdays)
    what = f"{DAYS[which]}s" if of_one else _T["working_days"]
    return _T.draft("n_days", found, lead=lead, what=what, last=_date(last))


def _rhythm(d: Draws, level: int) -> Draft:
    """Ask when things that recur at fixed intervals next fall on the same day."""
    n = min(4, 2 + level // 4)
    every = d.sample(range(2, 6 + level), n)
    start = date(2020 + d.integer(0, 9), 1, 1) + timedelta(days=d.integer(0, 364))
    day = lcm(*every)
    what = d.sample(_T["habits"], n)
    name = d.pick(NAMES)
    habits = in_words([f"{w} every {e} days" for w, e in zip(what, every, strict=True)])
    weekday = DAYS[start.weekday()]
    lead = _T.say("rhythm", name=name, habits=habits, start=_date(start), weekday=weekday)
    if d.integer(0, 1):
        return _T.draft("days_until", day, lead=lead)
    return _T.draft("weekday_then", keys.text(DAYS[(start.weekday() + day) % 7], DAYS), lead=lead)


KINDS: Mapping[str, Template] = {
    "duration": _duration,
    "ordering_events": _ordering_events,
    "scheduling": _scheduling,
    "timezone_arithmetic": _timezones,
    "calendar_arithmetic": calendar,
}
