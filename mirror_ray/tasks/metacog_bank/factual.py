"""Generated factual questions: five subcategories, three levels (0 easy, 1 medium, 2 hard).

Each asks how entries of a table of facts relate, so that a few hundred facts give many questions.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from mirror_ray.tasks.metacog_bank.draws import Draws
from mirror_ray.tasks.metacog_bank.facts import CAPITALS, COUNTS, ELEMENTS, EVENTS, WORKS
from mirror_ray.tasks.metacog_bank.question import Draft, letter, listed, number, sequence, text
from mirror_ray.tasks.metacog_bank.words import Template

_LEAST_GAP = (150, 20)
"""Years between two events, by level: the closer, the harder."""


def _science(d: Draws, level: int) -> Draft:
    if level == 0:
        name, symbol, _ = d.pick(ELEMENTS)
        others = d.sample([row[1] for row in ELEMENTS if row[1] != symbol], 3)
        options = d.shuffled((symbol, *others))
        return Draft(
            f"Which is the chemical symbol of {name}? Answer with a letter.\n{listed(options)}",
            letter(options.index(symbol), options),
        )
    if level == 1:
        (one, _, z_one), (two, _, z_two) = d.sample(ELEMENTS, 2)
        return Draft(
            f"Which element has the higher atomic number, {one} or {two}?",
            text(one if z_one > z_two else two, (one, two)),
        )
    (one, _, z_one), (two, _, z_two) = d.sample(ELEMENTS, 2)
    return Draft(
        f"What is the sum of the atomic numbers of {one} and {two}?", number(z_one + z_two)
    )


def _geography(d: Draws, level: int) -> Draft:
    country, capital, continent = d.pick(CAPITALS)
    rest = [row for row in CAPITALS if row[0] != country]
    if level == 0:
        options = d.shuffled((capital, *(row[1] for row in d.sample(rest, 3))))
        return Draft(
            f"Which of these cities is the capital of {country}? Answer with a letter.\n"
            f"{listed(options)}",
            letter(options.index(capital), options),
        )
    if level == 1:
        odd = d.pick([row for row in rest if row[2] != continent])
        same = d.sample([row for row in rest if row[2] == continent], 3)
        options = d.shuffled((odd[1], *(row[1] for row in same)))
        return Draft(
            f"Which of these capitals is not on the same continent as {capital}? "
            f"Answer with its name: {', '.join(options)}.",
            text(odd[1], options),
        )
    several = d.sample(rest, 3)
    continents = sorted({row[2] for row in (*several, (country, capital, continent))})
    shown = d.shuffled((capital, *(row[1] for row in several)))
    return Draft(
        f"Of the countries whose capitals are {', '.join(shown)}, how many different continents "
        "do they lie on? Count North and South America as two continents.",
        number(len(continents)),
    )


def _history(d: Draws, level: int) -> Draft:
    if level < 2:
        one = d.pick(EVENTS)
        apart = [row for row in EVENTS if abs(row[1] - one[1]) >= _LEAST_GAP[level]]
        two = d.pick(apart)
        which, first = d.pick((("first", True), ("later", False)))
        winner = one if (one[1] < two[1]) == first else two
        frame = d.pick(("Which happened {}", "Which of these took place {}", "What came {}"))
        return Draft(
            f"{frame.format(which)}: {one[0]} or {two[0]}?",
            text(winner[0], (one[0], two[0]), *_without_the(winner[0])),
        )
    one, two, three = d.sample(EVENTS, 3)
    options = (one, two, three)
    in_order = sorted(options, key=lambda row: row[1])
    ranks = ["ABC"[options.index(row)] for row in in_order]
    return Draft(
        "Put these events in order, the earliest first. Answer with the letters, as in C, A, B.\n"
        f"{listed([row[0] for row in options])}",
        sequence(ranks),
    )


def _without_the(name: str) -> Sequence[str]:
    return (name.removeprefix("the "),) if name.startswith("the ") else ()


def _culture(d: Draws, level: int) -> Draft:
    work, maker, year = d.pick(WORKS)
    rest = [row for row in WORKS if row[1] != maker]
    if level == 0:
        options = d.shuffled((maker, *(row[1] for row in d.sample(rest, 3))))
        return Draft(
            f"Who made “{work}”? Answer with a letter.\n{listed(options)}",
            letter(options.index(maker), options),
        )
    if level == 1:
        other = d.pick([row for row in rest if abs(row[2] - year) >= 25])
        which, first = d.pick((("older", True), ("younger", False)))
        winner = work if (year < other[2]) == first else other[0]
        return Draft(
            f"Which work is {which}, “{work}” or “{other[0]}”?", text(winner, (work, other[0]))
        )
    # The maker is named by one work, the other works belong to others.
    two, three = d.sample(rest, 2)
    listed_works = (work, two[0], three[0])
    in_order = sorted(listed_works, key={row[0]: row[2] for row in WORKS}.__getitem__)
    return Draft(
        "Put these works in order of age, the oldest first. Answer with the letters, as in "
        f"C, A, B.\n{listed(listed_works)}",
        sequence(["ABC"[listed_works.index(name)] for name in in_order]),
    )


def _cross_domain_trivia(d: Draws, level: int) -> Draft:
    picked = d.sample(COUNTS, 2 + level)
    if level == 0:
        (one, n_one), (two, n_two) = picked
        times = d.integer(1, 9)
        return Draft(
            f"Add the number of {one} to {times} times the number of {two}. What is the result?",
            number(n_one + times * n_two),
        )
    if level == 1:
        (one, n_one), (two, n_two), (three, n_three) = picked
        return Draft(
            f"Multiply the number of {one} by the number of {two}, then add the number of {three}. "
            "What is the result?",
            number(n_one * n_two + n_three),
        )
    element, _, z = d.pick(ELEMENTS)
    (one, n_one), (two, n_two), (three, n_three), _ = picked
    return Draft(
        f"Take the atomic number of {element}, add the product of the number of {one} and the "
        f"number of {two}, and subtract the number of {three}. What is the result?",
        number(z + n_one * n_two - n_three),
    )


TEMPLATES: Mapping[str, Template] = MappingProxyType(
    {
        "science": _science,
        "geography": _geography,
        "history": _history,
        "culture": _culture,
        "cross_domain_trivia": _cross_domain_trivia,
    }
)
