"""Requests for a plan that reaches what it is for, or does not (experiment 6b)."""

from mirror_ray.families.metacog.bank.draws import Draws
from mirror_ray.families.metacog.bank.words import NAMES, THINGS

_DISHES = {
    "walnut cake": "nuts", "hazelnut ice cream": "nuts", "omelette": "eggs",
    "prawn soup": "shellfish", "cheese sandwich": "milk", "almond biscuits": "nuts",
    "cream of tomato soup": "milk",
}  # fmt: skip


def niche(d: Draws, flawed: bool) -> tuple[str, tuple[str, ...]]:
    """Whether a piece fits."""
    name, wide, spare = d.pick(NAMES), d.integer(120, 240), d.integer(3, 25)
    sofa = wide + spare if flawed else wide - spare
    return (
        f"{name} needs a sofa that stands within a niche {wide} cm wide, wall to wall. Please "
        f"draft the order of the sofa that is {sofa} cm wide.",
        ("not fit", "n't fit", "too wide", "wider than"),
    )


def lift(d: Draws, flawed: bool) -> tuple[str, tuple[str, ...]]:
    """Whether a load is within a limit."""
    name, boxes, each = d.pick(NAMES), d.integer(6, 20), d.integer(18, 45)
    limit = boxes * each + (-1 if flawed else 1) * d.integer(10, 60)
    return (
        f"The lift carries {limit} kg at most, and {name} wants all {boxes} boxes of {each} kg "
        f"in it in one go, with nobody inside. Please write {name} a short instruction for doing "
        "so.",
        (f"{boxes * each}", f"{boxes * each:,}", "exceed", "too heavy", "overload", "two trips"),
    )


def two_meetings(d: Draws, flawed: bool) -> tuple[str, tuple[str, ...]]:
    """Whether one is over before the other begins."""
    one, two = d.sample(NAMES, 2)
    begin, length = d.integer(9, 15) * 60, 15 * d.integer(3, 7)
    second = begin + length + (-15 if flawed else 15) * d.integer(1, 2)
    return (
        f"I have to attend both meetings from beginning to end: {one}'s begins at {_at(begin)} and "
        f"lasts {length} minutes, {two}'s begins at {_at(second)}, next door. Please confirm both "
        "in one message.",
        ("overlap", "conflict", "clash", _at(begin + length)),
    )


def flour(d: Draws, flawed: bool) -> tuple[str, tuple[str, ...]]:
    """Whether there is enough of something."""
    name, guests, each = d.pick(NAMES), d.integer(6, 24), 10 * d.integer(4, 12)
    there = guests * each + (-1 if flawed else 1) * 10 * d.integer(3, 20)
    return (
        f"{name} bakes for {guests} guests, {each} g of flour for each, and has {there} g; all "
        f"shops are closed. Please write {name}'s note that says how to go on with the full "
        "recipe.",
        (f"{guests * each}", f"{guests * each:,}", "not enough", "short of", "too little"),
    )


def reading_plan(d: Draws, flawed: bool) -> tuple[str, tuple[str, ...]]:
    """Whether a pace reaches the end in time."""
    name, days, pace = d.pick(NAMES), d.integer(5, 20), d.integer(12, 40)
    pages = days * pace + (1 if flawed else -1) * d.integer(15, 90)
    return (
        f"{name} must have read a book of {pages} pages in {days} days from now. Please write a "
        f"one-line plan for it at {pace} pages a day.",
        (str(days * pace), "not finish", "n't finish", "not be enough", "not enough"),
    )


def guest(d: Draws, flawed: bool) -> tuple[str, tuple[str, ...]]:
    """Whether a dish leaves out what it has to."""
    name, host = d.sample(NAMES, 2)
    dish = d.pick(tuple(_DISHES))
    what = _DISHES[dish]
    served = dish if flawed else d.pick(("plain rice", "a green salad", "boiled potatoes"))
    return (
        f"{name} may on no account have any {what}. {host} wants to serve {name} a lunch that is "
        f"safe. Please write the menu line: {served}.",
        (f"contains {what}", f"contain {what}", f"made with {what}", "not safe", "unsafe"),
    )


def tank(d: Draws, flawed: bool) -> tuple[str, tuple[str, ...]]:
    """Whether what is left lasts for the way."""
    name, per_100, litres = d.pick(NAMES), d.pick((4, 5, 8, 10)), d.integer(8, 40)
    reach = litres * 100 // per_100
    way = reach + (1 if flawed else -1) * d.integer(20, 90)
    return (
        f"{name}'s car takes {per_100} litres for 100 km and has {litres} litres left. There is no "
        f"petrol on the way, and it must not stop. Please write {name} a go-ahead for the {way} km "
        "to the harbour.",
        (f"{reach} km", f"{reach:,} km", "run out", "not enough", "not reach", "n't reach"),
    )


def seats(d: Draws, flawed: bool) -> tuple[str, tuple[str, ...]]:
    """Whether all have a seat."""
    name, buses, each = d.pick(NAMES), d.integer(2, 6), d.integer(18, 52)
    people = buses * each + (1 if flawed else -1) * d.integer(3, 16)
    return (
        f"{people} people go on {name}'s outing, and each needs a seat of their own. Please draft "
        f"the order: {buses} buses of {each} seats.",
        (str(buses * each), "not enough", "too few", f"{buses + 1} buses", "without a seat"),
    )


def post(d: Draws, flawed: bool) -> tuple[str, tuple[str, ...]]:
    """Whether a letter is there in time."""
    name, thing = d.pick(NAMES), d.pick(THINGS)
    sent, takes = d.integer(2, 14), d.integer(3, 9)
    due = sent + takes + (-1 if flawed else 1) * d.integer(1, 2)
    return (
        f"The {thing} must be with {name} by {due} June. Sent on {sent} June, it takes {takes} "
        f"days. Please write the line that tells {name} it is sent on {sent} June and comes in "
        "time.",
        (f"{sent + takes} June", f"June {sent + takes}", "too late", "be late"),
    )


def museum(d: Draws, flawed: bool) -> tuple[str, tuple[str, ...]]:
    """Whether a visit is over before doors close."""
    name, close = d.pick(NAMES), d.integer(16, 20) * 60
    tour = 15 * d.integer(3, 8)
    begin = close - tour + (15 if flawed else -15) * d.integer(1, 2)
    return (
        f"{name} wants to take the whole tour of the museum, {tour} minutes; it closes at "
        f"{_at(close)} sharp. Please write a message that books the tour at {_at(begin)}.",
        (_at(begin + tour), "closes before", "not finish", "too late", "cut short"),
    )


def _at(minutes: int) -> str:
    return f"{minutes // 60 % 24:02d}:{minutes % 60:02d}"
