"""Tables of settled facts for the factual questions, each a CSV file next to this module."""

from mirror_ray.core.shipped_files import shipped_rows

_BANK = "mirror_ray.families.metacog.bank"

_elements = [
    ((int(number), symbol, name), familiar, frequent)
    for number, symbol, name, familiar, frequent in shipped_rows(_BANK, "elements.csv")
]
ELEMENTS = tuple(element for element, _, _ in _elements)
"""Atomic number, symbol and name of each element, in order."""
FAMILIAR = tuple(element for element, familiar, _ in _elements if familiar)
"""The elements that are taught at school."""
FREQUENT = tuple(element for element, _, frequent in _elements if frequent)
"""The elements that requests of experiment 6b name."""

CAPITALS = tuple((a, b, c) for a, b, c in shipped_rows(_BANK, "capitals.csv"))
"""Country, capital and continent, for countries on a single continent."""
DATED_EVENTS = tuple((event, int(year)) for event, year in shipped_rows(_BANK, "events.csv"))
"""Event and year; years before the common era are negative."""
WORKS = tuple((work, by, int(year)) for work, by, year in shipped_rows(_BANK, "works.csv"))
"""Work, author or artist, and year."""
KNOWN_COUNTS = tuple((what, int(number)) for what, number in shipped_rows(_BANK, "counts.csv"))
"""A countable thing, and its number."""
