"""Time, solved from the words: datetime, minute by minute, day by day."""

import re
from datetime import date, datetime, timedelta, timezone

from support.solvers_of_metacog.figures import Answer, ints

_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_SPAN = r"(\d+) h (\d+) min|(\d+) minutes"


def _minutes(text: str) -> int:
    return sum(int(m) if m else int(h) * 60 + int(rest) for h, rest, m in re.findall(_SPAN, text))


def _clock(text: str) -> int:
    hour, minute = text.split(":")
    return int(hour) * 60 + int(minute)


def _shown(minutes: int) -> str:
    return f"{minutes // 60 % 24:02d}:{minutes % 60:02d}"


def _dates(text: str) -> list[date]:
    return [
        datetime.strptime(found, "%d %B %Y").date()
        for found in re.findall(r"\d+ [A-Z]\w+ \d{4}", text)
    ]


def duration(q: str) -> Answer:
    told, ask = re.split(r"\. (?=At what|How many)|\? ", q, maxsplit=1)
    clocks = [_clock(found) for found in re.findall(r"\d\d:\d\d", told)]
    told = re.sub(r"\d\d:\d\d", "", told)
    if "less than 24 hours" in told:
        return (clocks[1] - clocks[0]) % 1440 - _minutes(told)
    assert ask
    sign = 1 if " begins at " in told else -1
    return _shown((clocks[0] + sign * _minutes(told)) % 1440)


def scheduling(q: str) -> Answer:
    busy = [False] * (30 * 60)
    for a, b in re.findall(r"from (\d\d:\d\d) to (\d\d:\d\d)", q):
        for minute in range(_clock(a), _clock(b)):
            busy[minute] = True
    if "How many minutes in all" in q or "how many minutes in all" in q:
        return busy[8 * 60 : 20 * 60].count(False)
    length = int(re.search(r"of (\d+) minutes without", q)[1])  # type: ignore[index]
    run = 0
    for minute in range(8 * 60, len(busy)):
        run = 0 if busy[minute] else run + 1
        if run == length:
            return _shown(minute + 1 - length)
    raise AssertionError(q)


def timezones(q: str) -> Answer:
    zones = {}
    for town, sign, hours, minutes in re.findall(r"(\w+) is at UTC([+-])(\d+)(?::(\d+))?", q):
        offset = timedelta(hours=int(hours), minutes=int(minutes or 0))
        zones[town] = timezone(-offset if sign == "-" else offset)
    if "When it is" in q:
        found = re.search(r"When it is (\S+) in (\w+), what time is it in (\w+)", q)
        assert found
        then = datetime(2024, 1, 3, *map(int, found[1].split(":")), tzinfo=zones[found[2]])
        return f"{then.astimezone(zones[found[3]]):%H:%M}"
    found = re.search(r"leaves (\w+) on (\w+) at (\d+):(\d+) local time, (.*?)\. W", q)
    assert found
    day = 1 + _DAYS.index(found[2])
    then = datetime(2024, 1, day, int(found[3]), int(found[4]), tzinfo=zones[found[1]])
    then += timedelta(minutes=_minutes(found[5]))
    asked = q.rsplit(". ", 1)[1]
    towns = re.findall(r"\w+", asked)
    if "day of the week" in asked:
        return f"{then.astimezone(zones[next(t for t in towns if t in zones)]):%A}"
    # “the local time on arrival in X”, or “What time is it in X on arrival in Y”: the first named.
    return f"{then.astimezone(zones[next(t for t in towns if t in zones)]):%H:%M}"


def calendar(q: str) -> Answer:
    if q.startswith("If today is"):
        at = _DAYS.index(re.search(r"today is (\w+)", q)[1])  # type: ignore[index]
        for _ in range(ints(q)[0]):
            at = (at - 1 if "ago" in q else at + 1) % 7
        return _DAYS[at]
    if q.startswith("By the Gregorian"):
        one, two = _dates(q)
        return two.toordinal() - one.toordinal()
    if "on the same day" in q and " every " in q:
        every = [int(k) for k in re.findall(r"every (\d+) days", q)]
        day = next(n for n in range(1, 10**7) if all(n % k == 0 for k in every))
        return day if "After how many" in q else f"{_dates(q)[0] + timedelta(days=day):%A}"
    start, *rest = _dates(q)
    if "On which day of that month" in q:
        which, name = re.search(r"its (\w+) (\w+)\?", q).groups()  # type: ignore[union-attr]
        nth = ("first", "second", "third", "fourth").index(which)
        days = [start + timedelta(days=n) for n in range(31)]
        fits = [day for day in days if f"{day:%A}" == name and day.month == start.month]
        return fits[nth].day
    if "Which day of the week is" in q:
        return f"{rest[0]:%A}"
    span = [start + timedelta(days=n) for n in range((rest[0] - start).days)]
    if "from Monday to Friday" in q:
        return sum(f"{day:%a}" not in ("Sat", "Sun") for day in span)
    name = re.search(r"How many (\w+)s are there", q)[1]  # type: ignore[index]
    return sum(f"{day:%A}" == name for day in span)
