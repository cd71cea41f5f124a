"""Events and works in time. Those that are compared are years apart."""

from collections.abc import Sequence
from itertools import pairwise

from mirror_ray.families.metacog.bank import keys
from mirror_ray.families.metacog.bank.draws import Draws
from mirror_ray.families.metacog.bank.facts import DATED_EVENTS, WORKS
from mirror_ray.families.metacog.bank.question import Draft, lettered_options
from mirror_ray.families.metacog.bank.words import question_texts
from mirror_ray.families.metacog.levels.orders import ORDINAL_WORDS, example_of

_T = question_texts(__name__)
_GAPS = (120, 80, 50, 30, 20, 15, 12, 9, 6, 3)
"""Years between two that are compared, by level. The gap is smaller if too few lie so far apart,
but never so small that sources which differ by a year or two would give another order.
"""

_SETTLED = tuple(row for row in DATED_EVENTS if row[1] > 0 and row[1] not in _T["disputed_years"])
"""Events whose year is beyond dispute, in the common era alone, in which years can be
subtracted.
"""

_WORKS = tuple(work for work in WORKS if work[0] not in _T["namesakes"])
_DATED_WORKS = tuple(
    (f"“{name}”", year) for name, _, year in _WORKS if name not in _T["further_namesakes"]
)
_Dated = tuple[str, int]


def history(d: Draws, level: int) -> Draft:
    """Ask about events in time."""
    return _dated(d, level, _SETTLED, "event", 2)


def works(d: Draws, level: int) -> Draft:
    """Ask about works in time, and about who made them."""
    if d.integer(0, 2):
        return _dated(d, level, _DATED_WORKS, "work", 6)
    n = min(7, 3 + level // 2)
    several = d.sample(_WORKS, n)
    while len({author for _, author, _ in several}) < n:
        several = d.sample(_WORKS, n)
    how, place = d.integer(0, 2), d.integer(0, n - 1)
    if how == 0 and level < 5:
        options = d.shuffled([author for _, author, _ in several])
        name, author, _ = several[place]
        key = keys.letter(options.index(author), options)
        return _T.draft("made_by", key, name=name, options=lettered_options(options))
    n_right = d.integer(0, n)
    right = d.shuffled([True] * n_right + [False] * (n - n_right))
    taken = {author for _, author, _ in several}
    wrong = d.sample(sorted({author for _, author, _ in _WORKS} - taken), n)
    said = "; ".join(
        _T.say("is_by", name=name, author=author if ok else other)
        for (name, author, _), ok, other in zip(several, right, wrong, strict=True)
    )
    if how < 2:
        return _T.draft("n_true", keys.number_key(n_right), said=f"{said}.")
    return _T.draft("n_false", keys.number_key(n - n_right), said=f"{said}.")


def _dated(d: Draws, level: int, rows: Sequence[_Dated], what: str, least: int) -> Draft:
    n, gap = 2 + level // 2, max(least, _GAPS[level - 1])
    place, how = d.integer(0, n - 1), d.integer(0, 4)
    while True:
        several = d.sample(rows, n)
        dates = sorted(year for _, year in several)
        if gap <= min(b - a for a, b in pairwise(dates)):
            break
        gap = max(least, gap - 1)
    names = [name for name, _ in several]
    ranked = sorted(several, key=lambda row: row[1])
    if how == 0:
        which = "earliest" if place == 0 else f"{ORDINAL_WORDS[place]}-earliest"
        key = keys.letter(names.index(ranked[place][0]), names)
        return _T.draft("earliest", key, what=what, which=which, options=lettered_options(names))
    if how == 1:
        key = keys.sequence(["ABCDEFGH"[names.index(name)] for name, _ in ranked])
        return _T.draft(
            "order", key, what=what, example=example_of(n), options=lettered_options(names)
        )
    if how == 2:
        low, high = sorted(d.sample(range(n + 1), 2))
        between = [(a + b + 1) // 2 for a, b in pairwise(dates)]
        bounds = [dates[0] - 20, *between, dates[-1] + 20]
        first, last = bounds[low], bounds[high]
        found = keys.number_key(sum(first <= year < last for year in dates))
        verb = "fall in" if what == "event" else "date from"
        span = {"first": first, "last": last - 1, "names": "; ".join(names)}
        return _T.draft("within", found, what=what, verb=verb, **span)
    if how == 3:
        claims, wanted = [], d.integer(0, n - 1)
        order = d.shuffled(several)
        truth = d.shuffled([True] * wanted + [False] * (n - 1 - wanted))
        for (one, year), (two, other), ok in zip(order, order[1:], truth, strict=False):
            word = "before" if (year < other) == ok else "after"
            claims.append(_T.say("came", one=one, word=word, two=two))
        if n == 2:
            return _T.draft("is_true", keys.yes_no(is_yes=bool(wanted)), claim=claims[0])
        return _T.draft("n_true", keys.number_key(wanted), said="; ".join(claims))
    wanted_yes = bool(d.integer(0, 1))
    shown = ranked if wanted_yes else _turned(d, ranked)
    if n == 2:
        last_name = ranked[-1][0]
        key = keys.text(last_name, names, *_without_the(last_name))
        return _T.draft("later", key, what=what, one=names[0], two=names[1])
    in_turn = "; ".join(name for name, _ in shown)
    return _T.draft("in_order", keys.yes_no(is_yes=wanted_yes), what=what, names=in_turn)


def _turned(d: Draws, ranked: Sequence[_Dated]) -> list[_Dated]:
    i = d.integer(0, len(ranked) - 2)
    turned = list(ranked)
    turned[i], turned[i + 1] = turned[i + 1], turned[i]
    return turned


def _without_the(name: str) -> tuple[str, ...]:
    plain = name.strip("“”").removeprefix("the ")
    return (plain,) if plain != name else ()
