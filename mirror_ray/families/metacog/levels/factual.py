"""Factual questions at ten levels: five subcategories.

Questions relate entries of a table of settled facts; more and rarer entries are harder."""

from collections.abc import Mapping, Sequence
from itertools import pairwise

from mirror_ray.families.metacog.bank import keys
from mirror_ray.families.metacog.bank.draws import Draws
from mirror_ray.families.metacog.bank.facts import (
    CAPITALS,
    DATED_EVENTS,
    ELEMENTS,
    FAMILIAR,
    KNOWN_COUNTS,
    WORKS,
)
from mirror_ray.families.metacog.bank.question import Draft, Key, in_words, lettered_options
from mirror_ray.families.metacog.bank.words import Template, question_texts
from mirror_ray.families.metacog.levels.orders import ORDINAL_WORDS, example_of

_T = question_texts(__name__)
_COUNTRIES = tuple(row for row in CAPITALS if row[0] not in _T["on_two_continents"])
_COUNTED = tuple(row for row in KNOWN_COUNTS if "," not in row[0])


def _element(d: Draws, level: int, n: int) -> list[tuple[int, str, str]]:
    pool = FAMILIAR if level < 3 else ELEMENTS[: 36 if level < 5 else 86 if level < 8 else 118]
    return d.sample(pool, n)


def _science(d: Draws, level: int) -> Draft:
    how = d.integer(0, 5)
    n = 2 + level // 2
    several = _element(d, level, n)
    names = [name for _, _, name in several]
    shown, numbers = in_words(names), sorted(z for z, _, _ in several)
    if how == 0:
        return _T.draft_one(d, "sum_of_numbers", sum(numbers), shown=shown)
    if how == 1:
        place = d.integer(0, n - 1)
        ranked = sorted(several, reverse=True)
        which = "" if place == 0 else f"{ORDINAL_WORDS[place]}-"
        key = keys.text(ranked[place][2], names)
        return _T.draft_one(d, "highest_number", key, shown=shown, which=which)
    if how == 2:
        options = d.shuffled(several)
        letters = ["ABCDEFGH"[options.index(each)] for each in sorted(options)]
        menu = lettered_options([name for _, _, name in options])
        return _T.draft(
            "order_of_numbers", keys.sequence(letters), example=example_of(n), options=menu
        )
    if how == 3:
        some = _element(d, level, 2 + level // 3)
        key = Key("".join(symbol for _, symbol, _ in some), "text")
        return _T.draft("symbols", key, shown=in_words([name for _, _, name in some]))
    if how == 4:
        return _T.draft_one(d, "apart", numbers[-1] - numbers[0], shown=shown)
    limit = d.integer(0, n)
    bound = (numbers[limit - 1] if limit else numbers[0] - 1) if limit < n else numbers[-1]
    return _T.draft_one(d, "above", sum(z > bound for z in numbers), shown=shown, bound=bound)


def _geography(d: Draws, level: int) -> Draft:
    how, n = d.integer(0, 5), min(8, 3 + level // 2)
    several = d.sample(_COUNTRIES, n)
    countries, capitals = [row[0] for row in several], [row[1] for row in several]
    shown = in_words(capitals)
    place = d.integer(0, n - 1)
    if how == 0:
        ranked = sorted(countries)
        key = keys.text(ranked[place], ranked)
        return _T.draft_one(d, "alphabet", key, shown=shown, which=ORDINAL_WORDS[place])
    if how == 1:
        ask = _T.say_one(d, "continents", shown=shown)
        return _T.draft("two_americas", len({row[2] for row in several}), ask=ask)
    if how == 2 and level < 5:
        options = d.shuffled(capitals)
        key = keys.letter(options.index(capitals[place]), options)
        return _T.draft(
            "capital_of", key, country=countries[place], options=lettered_options(options)
        )
    if how in (2, 3):
        letters = sum(len(country.replace(" ", "")) for country in countries)
        return _T.draft_one(d, "letters", letters, shown=shown)
    if how == 4:
        continent = d.pick(sorted({row[2] for row in several}))
        count = sum(row[2] == continent for row in several)
        return _T.draft("in_continent", count, shown=shown, continent=continent)
    asks_all, wanted = n < 5 and bool(d.integer(0, 1)), d.integer(0, 1)
    n_right = n - (1 - wanted) * d.integer(1, n) if asks_all else d.integer(0, n)
    right = d.shuffled([True] * n_right + [False] * (n - n_right))
    others = d.sample([row[1] for row in _COUNTRIES if row not in several], n)
    said = [cap if ok else other for cap, ok, other in zip(capitals, right, others, strict=True)]
    pairs = "; ".join(f"{c} – {cap}" for c, cap in zip(countries, said, strict=True))
    if asks_all:
        return _T.draft("all_paired", n_right == n, pairs=pairs)
    return _T.draft("n_paired", n_right, pairs=pairs)


def _trivia(d: Draws, level: int) -> Draft:
    n = 2 + level // 2
    picked = d.sample(_COUNTED, n)
    how = d.integer(0, 3)
    place = d.integer(0, n - 1) if how == 2 else 0
    while how == 2 and len({value for _, value in picked}) < n:
        picked = d.sample(_COUNTED, n)
    names = [_T.say("number_of", what=what) for what, _ in picked]
    values = [value for _, value in picked]
    if how == 0:
        words, total = _T.say("begin_with", name=names[0]), values[0]
        for name, value in zip(names[1:], values[1:], strict=True):
            turn = d.integer(0, 2 if value < 30 else 1)
            total = (total + value, total - value, total * value)[turn]
            words = _T.say(("add", "subtract", "multiply")[turn], words=words, name=name)
        return _T.draft("result", total, words=words)
    if how == 1:
        return _T.draft("sum", sum(values), shown=in_words(names))
    if how == 2:
        wanted = sorted(values, reverse=True)[place]
        which = "largest" if place == 0 else f"{ORDINAL_WORDS[place]}-largest"
        key = keys.letter(values.index(wanted), names)
        return _T.draft("largest", key, which=which, options=lettered_options(names))
    by = d.integer(3, 9)
    return _T.draft("remainder", sum(values) % by, shown=in_words(names), by=by)


_GAPS = (120, 80, 50, 30, 20, 15, 12, 9, 6, 3)
"""Years between two compared dates, by level. The gap is smaller if too few dates are that far
apart, but never so small that sources which differ by a year or two would give another order."""

_SETTLED = tuple(row for row in DATED_EVENTS if row[1] > 0 and row[1] not in _T["disputed_years"])
"""Events whose year is beyond dispute, in the common era, in which years can be subtracted."""

_WORKS = tuple(work for work in WORKS if work[0] not in _T["namesakes"])
_DATED_WORKS = tuple(
    (f"“{name}”", year) for name, _, year in _WORKS if name not in _T["further_namesakes"]
)
_Dated = tuple[str, int]


def history(d: Draws, level: int) -> Draft:
    """Ask about the order and dates of events."""
    return _dated(d, level, _SETTLED, "event", 2)


def works(d: Draws, level: int) -> Draft:
    """Ask about the dates of works, and who made them."""
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
        return _T.draft("n_true", n_right, said=f"{said}.")
    return _T.draft("n_false", n - n_right, said=f"{said}.")


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
        found = sum(first <= year < last for year in dates)
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
            return _T.draft("is_true", bool(wanted), claim=claims[0])
        return _T.draft("n_true", wanted, said="; ".join(claims))
    wanted_yes = bool(d.integer(0, 1))
    shown = ranked if wanted_yes else _turned(d, ranked)
    if n == 2:
        last_name = ranked[-1][0]
        key = keys.text(last_name, names, *_without_the(last_name))
        return _T.draft("later", key, what=what, one=names[0], two=names[1])
    in_turn = "; ".join(name for name, _ in shown)
    return _T.draft("in_order", wanted_yes, what=what, names=in_turn)


def _turned(d: Draws, ranked: Sequence[_Dated]) -> list[_Dated]:
    i = d.integer(0, len(ranked) - 2)
    turned = list(ranked)
    turned[i], turned[i + 1] = turned[i + 1], turned[i]
    return turned


def _without_the(name: str) -> tuple[str, ...]:
    plain = name.strip("“”").removeprefix("the ")
    return (plain,) if plain != name else ()


KINDS: Mapping[str, Template] = {
    "science": _science,
    "geography": _geography,
    "history": history,
    "culture": works,
    "cross_domain_trivia": _trivia,
}
