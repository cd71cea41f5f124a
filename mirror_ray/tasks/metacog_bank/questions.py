"""The generated bank: the n-th question, for any n, without the others.

Domains, subcategories and difficulties take turns: every 8 neighbours have the 8 domains, every 24
all difficulties of each, every 120 all subcategories. A small sweep is therefore balanced, and a
larger one begins with the smaller.
"""

from collections.abc import Mapping
from types import MappingProxyType

from mirror_ray.tasks.metacog_bank import (
    arithmetic,
    factual,
    linguistic,
    logical,
    procedural,
    social,
    spatial,
    temporal,
)
from mirror_ray.tasks.metacog_bank.draws import CAPACITY, Draws
from mirror_ray.tasks.metacog_bank.question import DIFFICULTIES, DOMAINS, Question
from mirror_ray.tasks.metacog_bank.words import Template

TEMPLATES: Mapping[str, Mapping[str, Template]] = MappingProxyType(
    {
        "arithmetic": arithmetic.TEMPLATES,
        "spatial": spatial.TEMPLATES,
        "temporal": temporal.TEMPLATES,
        "linguistic": linguistic.TEMPLATES,
        "logical": logical.TEMPLATES,
        "social": social.TEMPLATES,
        "factual": factual.TEMPLATES,
        "procedural": procedural.TEMPLATES,
    }
)
"""Domain → subcategory → what generates its questions."""

SUBCATEGORIES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {domain: tuple(templates) for domain, templates in TEMPLATES.items()}
)
PER_DOMAIN = 5
BLOCK = len(DOMAINS) * PER_DOMAIN * len(DIFFICULTIES)

DISTINCT = BLOCK * CAPACITY
"""Questions before a repetition is possible."""


def question_at(index: int, level: int | None = None) -> Question:
    """The question number `index`, from 0; the same at all times and places.

    Args:
        level: in place of the level whose turn it is.
    """
    block, place = divmod(index, BLOCK)
    rest, d = divmod(place, len(DOMAINS))
    turn, own_level = divmod(rest, len(DIFFICULTIES))
    # Shifted from domain to domain, else the first 24 would all be of the first subcategories.
    subcategory = (turn + d + 2 * own_level) % PER_DOMAIN
    domain = DOMAINS[d]
    level = own_level if level is None else level
    return question_of(domain, SUBCATEGORIES[domain][subcategory], level, block)


def question_in(domain: str, level: int, n: int) -> Question:
    """The n-th question of a domain and level (0 easy, 1 medium, 2 hard), over subcategories."""
    block, subcategory = divmod(n, PER_DOMAIN)
    return question_of(domain, SUBCATEGORIES[domain][subcategory], level, block)


def question_of(domain: str, subcategory: str, level: int, n: int) -> Question:
    """The n-th question of a subcategory and level; KeyError where there is no such."""
    item_id = f"{domain}.{subcategory}.{DIFFICULTIES[level]}.{n}"
    draft = TEMPLATES[domain][subcategory](Draws(f"{domain}.{subcategory}.{level}", n), level)
    return Question(item_id, domain, subcategory, DIFFICULTIES[level], draft.text, draft.key)
