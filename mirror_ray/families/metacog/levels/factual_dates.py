"""Events and works in time: none of those compared are of the same year, or nearly so."""

from collections.abc import Sequence
from itertools import pairwise

from mirror_ray.families.metacog.bank.draws import Draws
from mirror_ray.families.metacog.bank.facts import EVENTS, WORKS
from mirror_ray.families.metacog.bank.question import (
    Draft,
    letter,
    listed,
    number,
    sequence,
    text,
    yes_no,
)
from mirror_ray.families.metacog.levels.orders import ORDINALS

_GAPS = (120, 80, 50, 30, 20, 15, 12, 9, 6, 3)
"""Years between two that are compared, by level; less where so many cannot lie so far apart, but
never so little that sources which differ by a year or two would give another order."""

_SETTLED = tuple(row for row in EVENTS if row[1] not in (313, 800, 1088) and row[1] > 0)
"""Their year is beyond dispute; the common era alone, in which years can be subtracted."""

_NAMESAKES = ("Carmen", "The Creation", "The Kiss")
"""Works that share their names with others, which have other dates."""

_WORKS = tuple(work for work in WORKS if work[0] not in _NAMESAKES)
_FURTHER_NAMESAKES = ("Girl with a Pearl Earring", "The Birth of Venus", "Ulysses")
"""A novel and a film, Cabanel's painting, Tennyson's poem."""

_Dated = tuple[str, int]


def history(d: Draws, level: int) -> Draft:
    """Relations of events in time."""
    return _dated(d, level, _SETTLED, "event", 2)


def works(d: Draws, level: int) -> Draft:
    """Relations of works in time, and to their makers."""
    rows = [(f"“{name}”", year) for name, _, year in _WORKS if name not in _FURTHER_NAMESAKES]
    if d.integer(0, 2):
        return _dated(d, level, rows, "work", 6)
    n = min(7, 3 + level // 2)
    several = d.sample(_WORKS, n)
    while len({maker for _, maker, _ in several}) < n:
        several = d.sample(_WORKS, n)
    how, place = d.integer(0, 2), d.integer(0, n - 1)
    if how == 0 and level < 5:
        options = d.shuffled([maker for _, maker, _ in several])
        name, maker, _ = several[place]
        return Draft(
            f"Who made “{name}”? Answer with a letter.\n{listed(options)}",
            letter(options.index(maker), options),
        )
    n_right = d.integer(0, n)
    right = d.shuffled([True] * n_right + [False] * (n - n_right))
    taken = [maker for _, maker, _ in several]
    spare = sorted({maker for _, maker, _ in _WORKS} - set(taken))
    wrong = d.sample(spare, n)
    said = [
        f"“{name}” is by {maker if ok else other}"
        for (name, maker, _), ok, other in zip(several, right, wrong, strict=True)
    ]
    if how < 2:
        return Draft(f"How many of these statements are true? {'; '.join(said)}.", number(n_right))
    return Draft(f"How many of these statements are false? {'; '.join(said)}.", number(n - n_right))


def _dated(d: Draws, level: int, rows: Sequence[_Dated], what: str, least: int) -> Draft:
    n, gap = 2 + level // 2, max(least, _GAPS[level - 1])
    place, how = d.integer(0, n - 1), d.integer(0, 4)
    while True:
        several = d.sample(rows, n)
        years = sorted(year for _, year in several)
        apart = min(b - a for a, b in pairwise(years))
        if gap <= apart:
            break
        gap = max(least, gap - 1)
    names = [name for name, _ in several]
    ranked = sorted(several, key=lambda row: row[1])
    if how == 0:
        which = "earliest" if place == 0 else f"{ORDINALS[place]}-earliest"
        return Draft(
            f"Which of these {what}s is the {which}? Answer with a letter.\n{listed(names)}",
            letter(names.index(ranked[place][0]), names),
        )
    if how == 1:
        return Draft(
            f"Put these {what}s in order of time, the earliest first. Answer with the letters, as "
            f"in {', '.join('CABDEFGH'[:3] if n > 2 else 'BA')}.\n{listed(names)}",
            sequence(["ABCDEFGH"[names.index(name)] for name, _ in ranked]),
        )
    if how == 2:
        low, high = sorted(d.sample(range(n + 1), 2))
        dates = [year for _, year in ranked]
        between = [(a + b + 1) // 2 for a, b in pairwise(dates)]
        bounds = [dates[0] - 20, *between, dates[-1] + 20]
        first, last = bounds[low], bounds[high]
        found = sum(first <= year < last for year in dates)
        verb = "fall in" if what == "event" else "date from"
        return Draft(
            f"How many of these {what}s {verb} the years {first} to {last - 1}? {'; '.join(names)}",
            number(found),
        )
    if how == 3:
        claims, wanted = [], d.integer(0, n - 1)
        order = d.shuffled(several)
        truth = d.shuffled([True] * wanted + [False] * (n - 1 - wanted))
        for (one, year), (two, other), ok in zip(order, order[1:], truth, strict=False):
            word = "before" if (year < other) == ok else "after"
            claims.append(f"{one} came {word} {two}")
        if n == 2:
            return Draft(f"Is this statement true? {claims[0]}", yes_no(holds=bool(wanted)))
        return Draft(f"How many of these statements are true? {'; '.join(claims)}", number(wanted))
    wanted_yes = bool(d.integer(0, 1))
    shown = ranked if wanted_yes else _turned(d, ranked)
    if n == 2:
        return Draft(
            f"Which is the later {what}: {names[0]} or {names[1]}?",
            text(ranked[-1][0], names, *_without_the(ranked[-1][0])),
        )
    return Draft(
        f"Are these {what}s named in the order of time, from the earliest to the latest? "
        f"{'; '.join(name for name, _ in shown)}",
        yes_no(holds=wanted_yes),
    )


def _turned(d: Draws, ranked: Sequence[_Dated]) -> list[_Dated]:
    i = d.integer(0, len(ranked) - 2)
    turned = list(ranked)
    turned[i], turned[i + 1] = turned[i + 1], turned[i]
    return turned


def _without_the(name: str) -> tuple[str, ...]:
    plain = name.strip("“”")
    return (plain.removeprefix("the "),) if plain.removeprefix("the ") != name else ()
