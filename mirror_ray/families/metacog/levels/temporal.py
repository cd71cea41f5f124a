"""Temporal questions at ten levels: five subcategories."""

from collections.abc import Mapping
from types import MappingProxyType

from mirror_ray.families.metacog.bank.draws import Draws
from mirror_ray.families.metacog.bank.question import Draft, clock, in_words, number, text
from mirror_ray.families.metacog.bank.words import DAYS, NAMES
from mirror_ray.families.metacog.levels.kind import Kind, capital
from mirror_ray.families.metacog.levels.orders import ORDINALS, clues_for, told
from mirror_ray.families.metacog.levels.temporal_calendar import calendar

_EVENTS = (
    "concert", "dinner", "lecture", "parade", "auction", "picnic", "race", "debate", "wedding",
    "exam", "fair", "rehearsal",
)  # fmt: skip
_CITIES = (
    "Aldport", "Brimvale", "Corvena", "Dunmere", "Estholm", "Farrow", "Galtica", "Hovane",
    "Istrella", "Kestrel", "Lomas", "Mirabad",
)  # fmt: skip
_PARTS = (
    "a walk", "a lunch", "a talk", "a tour", "a rest", "a game", "a swim", "a meeting", "a film",
    "a drive",
)  # fmt: skip

_IN_TIME: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "next": (
            "the {b} came right after the {a}",
            "the {a} came right before the {b}",
            "nothing came between the {a} and, after it, the {b}",
        ),
        "before": ("the {a} came before the {b}", "the {b} came after the {a}"),
        "apart": ("exactly {k} event{s} came between the {a} and the {b}",),
        "beside": ("no event came between the {a} and the {b}",),
        "not_beside": ("something came between the {a} and the {b}",),
        "end": ("the {a} came first or last",),
        "not_at": ("the {a} was not the {place} event",),
        "between": (
            "the {b} came at some time between the {a} and the {c}",
            "the {a} and the {c} had the {b} between them at some point",
        ),
    }
)


def _at(minutes: int) -> str:
    return f"{minutes // 60 % 24:02d}:{minutes % 60:02d}"


def _span(minutes: int) -> str:
    return f"{minutes // 60} h {minutes % 60} min" if minutes >= 60 else f"{minutes} minutes"


def _duration(d: Draws, level: int) -> Draft:
    how, name = d.integer(0, 2), d.pick(NAMES)
    start = d.integer(6 * 60, 12 * 60)
    parts = d.sample(_PARTS, min(10, level + 1))
    lengths = [d.integer(7, 40 + 9 * level) for _ in parts]
    total, legs = 0, []
    for turn, (part, length) in enumerate(zip(parts, lengths, strict=True)):
        pause = d.integer(3, 25) if turn and level > 2 and d.integer(0, 1) else 0
        total += pause + length
        legs.append(
            f"{f'after a pause of {pause} minutes, ' if pause else ''}{part} of {_span(length)}"
        )
    listed = "; then ".join(legs)
    if how == 0:
        return Draft(
            f"{name}'s day out begins at {_at(start)}: {listed}. At what time is it over, on the "
            "24-hour clock?",
            clock(start + total),
        )
    if how == 1:
        return Draft(
            f"{name}'s day out ends at {_at(start + total)}, the same day or after midnight. It "
            f"consists of {listed}. At what time did it begin, on the 24-hour clock?",
            clock(start),
        )
    which = d.integer(0, len(parts) - 1)
    hidden = legs[which].rpartition(" of ")[0]
    if "pause" in hidden:
        hidden = hidden.rpartition(", ")[2]
        shown = legs[which].rpartition(", ")[0] + ", " + hidden
    else:
        shown = hidden
    legs[which] = f"{shown} of unknown length"
    return Draft(
        f"{name}'s day out goes from {_at(start)} to {_at(start + total)}, less than 24 hours: "
        f"{'; then '.join(legs)}. How many minutes does {hidden.replace('a ', 'the ', 1)} last?",
        number(lengths[which]),
    )


def _ordering_events(d: Draws, level: int) -> Draft:
    n = 3 + (level + 1) // 2
    place, how = d.integer(0, n - 1), d.integer(0, 2)
    order = d.sample(_EVENTS, n)
    clues = [told(clue, order, _IN_TIME, d) for clue in clues_for(d, n, level)]
    lead = (
        f"{n} events took place one after another: {', '.join(sorted(order))}. "
        f"{capital('; '.join(d.shuffled(clues)))}. "
    )
    if how == 0:
        return Draft(f"{lead}Which was the {ORDINALS[place]} event?", text(order[place], order))
    if how == 1:
        return Draft(
            f"{lead}Counted from the first as number 1, which number does the {order[place]} have?",
            number(place + 1),
        )
    return Draft(f"{lead}How many events came after the {order[place]}?", number(n - 1 - place))


_OPENS, _CLOSES = 8 * 60, 20 * 60
_Busy = dict[str, list[tuple[int, int]]]


def _appointments(d: Draws, people: list[str], level: int) -> _Busy:
    opens, closes = _OPENS, _CLOSES
    busy: _Busy = {}
    for name in people:
        at, slots = opens + d.integer(0, 100), []
        for _ in range(1 + level // 2):
            end = at + d.integer(20, 80)
            if end >= closes - 90:
                break
            slots.append((at, end))
            at = end + d.integer(15, 50 + 5 * level)
        busy[name] = slots or [(opens, opens + 60)]
    return busy


def _with_room(d: Draws, people: list[str], level: int) -> tuple[_Busy, int]:
    """Appointments, and a length that first fits between them: not before all, nor behind all.

    The last draw where none of many has such room.
    """
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


_SHORTEST = 10


def _scheduling(d: Draws, level: int) -> Draft:
    people = d.sample(NAMES, min(6, 1 + (level + 1) // 2))
    opens, closes = _OPENS, _CLOSES
    length = 5 * d.integer(4, 8 + 2 * level)
    if not d.integer(0, 3):
        busy = _appointments(d, people, level)
    else:
        busy, length = _with_room(d, people, level)
    everyone = [slot for slots in busy.values() for slot in slots]

    def free(begin: int) -> bool:
        return all(end <= begin or at >= begin + length for at, end in everyone)

    begin = next(minute for minute in range(opens, closes + 300) if free(minute))
    told_busy = "; ".join(
        f"{name} is busy {in_words([f'from {_at(a)} to {_at(b)}' for a, b in slots])}"
        for name, slots in busy.items()
    )
    who = in_words(people)
    need = "needs a stretch" if len(people) == 1 else "need a stretch together"
    lead = f"From 08:00 on, {told_busy}. At all other times they are free. "
    if len(people) == 1:
        lead = lead.replace("they are", f"{people[0]} is")
    if d.integer(0, 2):
        return Draft(
            f"{lead}{who} {need} of {length} minutes without a break. What is the earliest time it "
            "can begin, on the 24-hour clock?",
            clock(begin),
        )
    gap = sum(
        all(not (at <= minute < end) for at, end in everyone) for minute in range(opens, closes)
    )
    whom = "everyone" if len(people) > 1 else people[0]
    return Draft(
        f"{lead}For how many minutes in all between 08:00 and 20:00 is {whom} free at once?"
        if len(people) > 1
        else f"{lead}For how many minutes in all between 08:00 and 20:00 is {whom} free?",
        number(gap),
    )


def _timezones(d: Draws, level: int) -> Draft:
    n = 2 + (level + 1) // 3
    towns = d.sample(_CITIES, n)
    quarter = level > 5
    offsets = [d.integer(-10, 12) * 60 + (d.pick((0, 30, 45)) if quarter else 0) for _ in towns]
    day = d.integer(0, 6)
    now = 5 * d.integer(12, 280)
    zones = "; ".join(
        f"{town} is at UTC{'+' if at >= 0 else '-'}{abs(at) // 60}"
        + (f":{abs(at) % 60:02d}" if at % 60 else "")
        for town, at in zip(towns, offsets, strict=True)
    )
    if level == 1:
        return Draft(
            f"{zones}. When it is {_at(now)} in {towns[0]}, what time is it in {towns[1]}, on the "
            "24-hour clock?",
            clock(now + offsets[1] - offsets[0]),
        )
    utc, legs = now - offsets[0], []
    for i in range(1, n):
        fly = 5 * d.integer(12, 120)
        utc += fly
        wait = 5 * d.integer(6, 70) if i < n - 1 else 0
        utc += wait
        legs.append(
            f"flies on to {towns[i]} in {_span(fly)}"
            if i > 1
            else f"flies from {towns[0]} to {towns[1]} in {_span(fly)}"
        )
        if wait:
            legs[-1] += f", waits there for {_span(wait)}"
    name = d.pick(NAMES)
    lead = (
        f"{zones}. {name} leaves {towns[0]} on {DAYS[day]} at {_at(now)} local time, "
        f"{', '.join(legs)}. "
    )
    local = utc + offsets[-1]
    how = d.integer(0, 2)
    if how == 0:
        return Draft(
            f"{lead}What is the local time on arrival in {towns[-1]}, on the 24-hour clock?",
            clock(local),
        )
    if how == 1:
        return Draft(
            f"{lead}Which day of the week is it in {towns[-1]}, by local time, on arrival?",
            text(DAYS[(day + local // 1440) % 7], DAYS),
        )
    return Draft(
        f"{lead}What time is it in {towns[0]} on arrival in {towns[-1]}, on the 24-hour clock?",
        clock(utc + offsets[0]),
    )


KINDS: Mapping[str, Kind] = MappingProxyType(
    {
        "duration": Kind(_duration, "parts of a day (level + 1), pauses"),
        "ordering_events": Kind(_ordering_events, "events (4 to 8), weakness of the clues"),
        "scheduling": Kind(_scheduling, "people (2 to 6), appointments of each (1 to 6)"),
        "timezone_arithmetic": Kind(_timezones, "legs (1 to 4), half and quarter hours"),
        "calendar_arithmetic": Kind(calendar, "days ahead (to 80,000), months, rhythms"),
    }
)
