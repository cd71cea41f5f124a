"""Factual questions at ten levels: five subcategories.

Each asks how entries of a table of settled facts relate: the more of them, and the rarer, the
harder.
"""

from collections.abc import Mapping
from types import MappingProxyType

from mirror_ray.families.metacog.bank.draws import Draws
from mirror_ray.families.metacog.bank.facts import CAPITALS, COUNTS
from mirror_ray.families.metacog.bank.question import (
    Draft,
    Key,
    in_words,
    letter,
    listed,
    number,
    sequence,
    text,
    yes_no,
)
from mirror_ray.families.metacog.levels.factual_dates import history, works
from mirror_ray.families.metacog.levels.factual_elements import ELEMENTS, FAMILIAR
from mirror_ray.families.metacog.levels.kind import Kind
from mirror_ray.families.metacog.levels.orders import ORDINALS

_OF_SEVERAL = frozenset({"Egypt", "Turkey", "Russia", "Kazakhstan", "Georgia", "Azerbaijan"})
_COUNTRIES = tuple(row for row in CAPITALS if row[0] not in _OF_SEVERAL)
"""None that lies on two continents."""
_SUMS = (
    "What is the sum of the atomic numbers of {}?",
    "What do the atomic numbers of {} add up to?",
    "Add the atomic numbers of {}. What is the sum of all?",
)
_COUNTED = tuple(row for row in COUNTS if "," not in row[0])


def _element(d: Draws, level: int, n: int) -> list[tuple[int, str, str]]:
    """n elements as atomic number, symbol and name; rarer ones with the level."""
    pool = FAMILIAR if level < 3 else ELEMENTS[: 36 if level < 5 else 86 if level < 8 else 118]
    return d.sample(pool, n)


def _science(d: Draws, level: int) -> Draft:
    how = d.integer(0, 5)
    n = 2 + level // 2
    several = _element(d, level, n)
    names = [name for _, _, name in several]
    shown = in_words(names)
    if how == 0:
        return Draft(
            d.pick(_SUMS).format(shown),
            number(sum(z for z, _, _ in several)),
        )
    if how == 1:
        place = d.integer(0, n - 1)
        ranked = sorted(several, reverse=True)
        which = "" if place == 0 else f"{ORDINALS[place]}-"
        ask = d.pick(
            (
                "Of the elements {}, which has the {}highest atomic number?",
                "Which of the elements {} has the {}highest atomic number?",
            )
        )
        return Draft(
            ask.format(shown, which),
            text(ranked[place][2], names),
        )
    if how == 2:
        options = d.shuffled(several)
        ranked = sorted(options)
        return Draft(
            "Put these elements in order of their atomic numbers, the lowest first. Answer with "
            f"the letters, as in {', '.join('CABDEFGH'[:3] if n > 2 else 'BA')}.\n"
            f"{listed([name for _, _, name in options])}",
            sequence(["ABCDEFGH"[options.index(each)] for each in ranked]),
        )
    if how == 3:
        some = _element(d, level, 2 + level // 3)
        return Draft(
            f"Write the chemical symbols of {in_words([name for _, _, name in some])} one after "
            "another, without spaces. Which string results?",
            Key("".join(symbol for _, symbol, _ in some), "text"),
        )
    if how == 4:
        ranked = sorted(several)
        gap = ranked[-1][0] - ranked[0][0]
        ask = d.pick(
            (
                "Of the elements {}, by how much does the highest atomic number exceed the lowest?",
                "How far apart are the highest and the lowest atomic number of the elements {}?",
            )
        )
        return Draft(
            ask.format(shown),
            number(gap),
        )
    limit = d.integer(0, n)
    numbers = sorted(z for z, _, _ in several)
    bound = (numbers[limit - 1] if limit else numbers[0] - 1) if limit < n else numbers[-1]
    ask = d.pick(
        (
            "How many of the elements {} have an atomic number greater than {}?",
            "Among the elements {}, how many have an atomic number above {}?",
        )
    )
    return Draft(
        ask.format(shown, bound),
        number(sum(z > bound for z in numbers)),
    )


def _geography(d: Draws, level: int) -> Draft:
    how, n = d.integer(0, 5), min(8, 3 + level // 2)
    several = d.sample(_COUNTRIES, n)
    capitals = [row[1] for row in several]
    shown = in_words(capitals)
    place = d.integer(0, n - 1)
    if how == 0:
        ranked = sorted(row[0] for row in several)
        ask = d.pick(
            (
                "Of the countries whose capitals are {}, which has the name that comes {} in the "
                "alphabet, by its usual English name?",
                "Take the countries whose capitals are {}, and put their usual English names in "
                "alphabetical order. Which is the {} one?",
            )
        )
        return Draft(
            ask.format(shown, ORDINALS[place]),
            text(ranked[place], ranked),
        )
    if how == 1:
        ask = d.pick(
            (
                "On how many different continents do the countries lie whose capitals are {}?",
                "The cities {} are capitals. On how many different continents do their countries "
                "lie?",
            )
        )
        return Draft(
            f"{ask.format(shown)} Count North and South America as two; Central America and the "
            "Caribbean belong to North America.",
            number(len({row[2] for row in several})),
        )
    if how == 2 and level < 5:
        country, capital, _ = several[place]
        options = d.shuffled([row[1] for row in several])
        return Draft(
            f"Which of these cities is the capital of {country}? Answer with a letter.\n"
            f"{listed(options)}",
            letter(options.index(capital), options),
        )
    if how in (2, 3):
        letters = sum(len(row[0].replace(" ", "")) for row in several)
        ask = d.pick(
            (
                "How many letters do the usual English names of the countries have in all whose "
                "capitals are {}? Spaces are not counted.",
                "Count the letters, not the spaces, of the usual English names of the countries "
                "whose capitals are {}. How many are there in all?",
            )
        )
        return Draft(
            ask.format(shown),
            number(letters),
        )
    if how == 4:
        continent = d.pick(sorted({row[2] for row in several}))
        return Draft(
            f"How many of the cities {shown} are capitals of countries in {continent}? Central "
            "America and the Caribbean belong to North America.",
            number(sum(row[2] == continent for row in several)),
        )
    countries = [row[0] for row in several]
    pairwise_asked, wanted = n < 5 and bool(d.integer(0, 1)), d.integer(0, 1)
    turned = n - (1 - wanted) * d.integer(1, n) if pairwise_asked else d.integer(0, n)
    said = list(capitals)
    right = d.shuffled([True] * turned + [False] * (n - turned))
    others = d.sample([row[1] for row in _COUNTRIES if row not in several], n)
    said = [cap if ok else other for cap, ok, other in zip(said, right, others, strict=True)]
    pairs = "; ".join(f"{c} – {cap}" for c, cap in zip(countries, said, strict=True))
    if pairwise_asked:
        holds = turned == n
        return Draft(f"Is each of these countries paired with its own capital? {pairs}",
                     yes_no(holds=holds))  # fmt: skip
    return Draft(
        f"How many of these countries are paired with their own capital? {pairs}", number(turned)
    )


def _trivia(d: Draws, level: int) -> Draft:
    n = 2 + level // 2
    picked = d.sample(_COUNTED, n)
    names = [f"the number of {what}" for what, _ in picked]
    values = [value for _, value in picked]
    how = d.integer(0, 3)
    if how == 0:
        words, total = f"Begin with {names[0]}", values[0]
        for name, value in zip(names[1:], values[1:], strict=True):
            turn = d.integer(0, 2 if value < 30 else 1)
            if turn == 0:
                words, total = f"{words}, add {name}", total + value
            elif turn == 1:
                words, total = f"{words}, subtract {name}", total - value
            else:
                words, total = f"{words}, multiply the result by {name}", total * value
        return Draft(f"{words}. What is the result?", number(total))
    if how == 1:
        return Draft(f"What is the sum of {in_words(names)}?", number(sum(values)))
    if how == 2:
        place = d.integer(0, n - 1)
        while len(set(values)) < n:
            picked = d.sample(_COUNTED, n)
            names = [f"the number of {what}" for what, _ in picked]
            values = [value for _, value in picked]
        wanted = sorted(values, reverse=True)[place]
        options = [what for what, _ in picked]
        which = "largest" if place == 0 else f"{ORDINALS[place]}-largest"
        return Draft(
            f"Which of these numbers is the {which}? Answer with a letter.\n"
            f"{listed([f'the number of {what}' for what in options])}",
            letter(values.index(wanted), [f"the number of {what}" for what in options]),
        )
    by = d.integer(3, 9)
    return Draft(
        f"Add up {in_words(names)}. Which remainder does the sum leave on division by {by}?",
        number(sum(values) % by),
    )


KINDS: Mapping[str, Kind] = MappingProxyType(
    {
        "science": Kind(_science, "elements combined (2 to 7), their rarity (to all 118)"),
        "geography": Kind(_geography, "countries combined (3 to 8)"),
        "history": Kind(history, "events combined (2 to 7), their closeness in years"),
        "culture": Kind(works, "works combined (2 to 7), their closeness in years"),
        "cross_domain_trivia": Kind(_trivia, "counts combined (2 to 7)"),
    }
)
