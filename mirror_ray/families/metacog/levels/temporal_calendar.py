"""Days, months and rhythms by the Gregorian calendar."""

from calendar import monthrange
from datetime import date, timedelta
from math import lcm

from mirror_ray.families.metacog.bank import keys
from mirror_ray.families.metacog.bank.draws import Draws
from mirror_ray.families.metacog.bank.question import Draft, in_words
from mirror_ray.families.metacog.bank.words import DAYS, NAMES, question_texts
from mirror_ray.families.metacog.levels.orders import ORDINAL_WORDS

_T = question_texts(__name__)


def calendar(d: Draws, level: int) -> Draft:
    """Ask for a day of the week, a number of days, or when things next fall together."""
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
    return _T.draft("days_between", keys.number_key((end - start).days), **days)


def _months(d: Draws, level: int) -> Draft:
    year, month, which = 2001 + d.integer(0, 40), d.integer(1, 12), d.integer(0, 6)
    first = date(year, month, 1)
    n_days = monthrange(year, month)[1]
    lead = _T.say("is_a", day=_date(first), weekday=DAYS[first.weekday()])
    days = [n for n in range(1, n_days + 1) if date(year, month, n).weekday() == which]
    if level < 4 or d.integer(0, 2) == 0:
        nth = d.integer(1, 4)
        words = {"nth": ORDINAL_WORDS[nth - 1], "weekday": DAYS[which]}
        return _T.draft("nth_weekday", keys.number_key(days[nth - 1]), lead=lead, **words)
    ahead = d.integer(2, 3 * level)
    last = date(year + (month + ahead - 1) // 12, (month + ahead - 1) % 12 + 1, 1)
    weekdays = [(first + timedelta(days=n)).weekday() for n in range((last - first).days)]
    of_one = d.integer(0, 1)
    found = sum(day == which if of_one else day < 5 for day in weekdays)
    what = f"{DAYS[which]}s" if of_one else _T["working_days"]
    return _T.draft("n_days", keys.number_key(found), lead=lead, what=what, last=_date(last))


def _rhythm(d: Draws, level: int) -> Draft:
    """Ask when things that recur at fixed intervals next fall on one day."""
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
        return _T.draft("days_until", keys.number_key(day), lead=lead)
    return _T.draft("weekday_then", keys.text(DAYS[(start.weekday() + day) % 7], DAYS), lead=lead)
