"""Factual questions at ten levels: five subcategories.

The questions are about how entries of a table of settled facts relate; they are harder with more
and rarer entries.
"""

from collections.abc import Mapping

from mirror_ray.families.metacog.bank import keys
from mirror_ray.families.metacog.bank.draws import Draws
from mirror_ray.families.metacog.bank.facts import CAPITALS, ELEMENTS, FAMILIAR, KNOWN_COUNTS
from mirror_ray.families.metacog.bank.question import Draft, Key, in_words, lettered_options
from mirror_ray.families.metacog.bank.words import Template, question_texts
from mirror_ray.families.metacog.levels.factual_dates import history, works
from mirror_ray.families.metacog.levels.orders import ORDINAL_WORDS, example_of

_T = question_texts(__name__)
_COUNTRIES = tuple(row for row in CAPITALS if row[0] not in _T["on_two_continents"])
_COUNTED = tuple(row for row in KNOWN_COUNTS if "," not in row[0])


def _element(d: Draws, level: int, n: int) -> list[tuple[int, str, str]]:
    """Draw n elements as atomic number, symbol and name; rarer ones at higher levels."""
    pool = FAMILIAR if level < 3 else ELEMENTS[: 36 if level < 5 else 86 if level < 8 else 118]
    return d.sample(pool, n)


def _science(d: Draws, level: int) -> Draft:
    how = d.integer(0, 5)
    n = 2 + level // 2
    several = _element(d, level, n)
    names = [name for _, _, name in several]
    shown, numbers = in_words(names), sorted(z for z, _, _ in several)
    if how == 0:
        return Draft(_T.say_one(d, "sum_of_numbers", shown=shown), keys.number_key(sum(numbers)))
    if how == 1:
        place = d.integer(0, n - 1)
        ranked = sorted(several, reverse=True)
        which = "" if place == 0 else f"{ORDINAL_WORDS[place]}-"
        ask = _T.say_one(d, "highest_number", shown=shown, which=which)
        return Draft(ask, keys.text(ranked[place][2], names))
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
        return Draft(_T.say_one(d, "apart", shown=shown), keys.number_key(numbers[-1] - numbers[0]))
    limit = d.integer(0, n)
    bound = (numbers[limit - 1] if limit else numbers[0] - 1) if limit < n else numbers[-1]
    ask = _T.say_one(d, "above", shown=shown, bound=bound)
    return Draft(ask, keys.number_key(sum(z > bound for z in numbers)))


def _geography(d: Draws, level: int) -> Draft:
    how, n = d.integer(0, 5), min(8, 3 + level // 2)
    several = d.sample(_COUNTRIES, n)
    countries, capitals = [row[0] for row in several], [row[1] for row in several]
    shown = in_words(capitals)
    place = d.integer(0, n - 1)
    if how == 0:
        ranked = sorted(countries)
        ask = _T.say_one(d, "alphabet", shown=shown, which=ORDINAL_WORDS[place])
        return Draft(ask, keys.text(ranked[place], ranked))
    if how == 1:
        ask = _T.say_one(d, "continents", shown=shown)
        return _T.draft("two_americas", keys.number_key(len({row[2] for row in several})), ask=ask)
    if how == 2 and level < 5:
        options = d.shuffled(capitals)
        key = keys.letter(options.index(capitals[place]), options)
        return _T.draft(
            "capital_of", key, country=countries[place], options=lettered_options(options)
        )
    if how in (2, 3):
        letters = sum(len(country.replace(" ", "")) for country in countries)
        return Draft(_T.say_one(d, "letters", shown=shown), keys.number_key(letters))
    if how == 4:
        continent = d.pick(sorted({row[2] for row in several}))
        count = keys.number_key(sum(row[2] == continent for row in several))
        return _T.draft("in_continent", count, shown=shown, continent=continent)
    asks_all, wanted = n < 5 and bool(d.integer(0, 1)), d.integer(0, 1)
    n_right = n - (1 - wanted) * d.integer(1, n) if asks_all else d.integer(0, n)
    right = d.shuffled([True] * n_right + [False] * (n - n_right))
    others = d.sample([row[1] for row in _COUNTRIES if row not in several], n)
    said = [cap if ok else other for cap, ok, other in zip(capitals, right, others, strict=True)]
    pairs = "; ".join(f"{c} – {cap}" for c, cap in zip(countries, said, strict=True))
    if asks_all:
        return _T.draft("all_paired", keys.yes_no(is_yes=n_right == n), pairs=pairs)
    return _T.draft("n_paired", keys.number_key(n_right), pairs=pairs)


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
        return _T.draft("result", keys.number_key(total), words=words)
    if how == 1:
        return _T.draft("sum", keys.number_key(sum(values)), shown=in_words(names))
    if how == 2:
        wanted = sorted(values, reverse=True)[place]
        which = "largest" if place == 0 else f"{ORDINAL_WORDS[place]}-largest"
        key = keys.letter(values.index(wanted), names)
        return _T.draft("largest", key, which=which, options=lettered_options(names))
    by = d.integer(3, 9)
    return _T.draft("remainder", keys.number_key(sum(values) % by), shown=in_words(names), by=by)


KINDS: Mapping[str, Template] = {
    "science": _science,
    "geography": _geography,
    "history": history,
    "culture": works,
    "cross_domain_trivia": _trivia,
}
