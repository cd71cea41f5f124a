"""The generated bank: any question by its use, number and level, without generating the others.

Each use (an experiment, or the staircase) has different questions: a hash of a question's words
decides which use may have it. Domains, subcategories and difficulties take turns: every 8
neighbours have the 8 domains, every 24 all difficulties of each, every 120 all subcategories."""

from collections.abc import Mapping
from functools import lru_cache
from zlib import crc32

from mirror_ray.families.metacog.bank.draws import Draws
from mirror_ray.families.metacog.bank.question import DIFFICULTIES, DOMAINS, Question
from mirror_ray.families.metacog.bank.words import LEVELS, Template
from mirror_ray.families.metacog.levels import (
    arithmetic,
    factual,
    linguistic,
    logical,
    procedural,
    social,
    spatial,
    temporal,
)
from mirror_ray.families.metacog.levels.staircase import TRIALS

_MODULES = arithmetic, spatial, temporal, linguistic, logical, social, factual, procedural
KINDS: Mapping[str, Mapping[str, Template]] = {
    domain: module.KINDS for domain, module in zip(DOMAINS, _MODULES, strict=True)
}
"""Domain → subcategory → the function that generates its questions."""

SUBCATEGORIES: Mapping[str, tuple[str, ...]] = {
    domain: tuple(kinds) for domain, kinds in KINDS.items()
}

USES = ("exp1", "exp3", "exp4", "exp5", "exp6a", "exp6c", "staircase")
RANGE = 5_000
"""Questions of one use, kind and level; more would repeat too often where there are few facts."""
LEVEL_CAPACITY = 40_000

OF_DIFFICULTY: Mapping[str, int] = {"easy": 2, "medium": 5, "hard": 8}
"""The level that each difficulty uses."""

PER_DOMAIN = 5
_BLOCK = len(DOMAINS) * PER_DOMAIN * len(DIFFICULTIES)
MOST_SEEDS = _BLOCK * RANGE
"""Most seeds of one use, as `question_at` counts them."""
MOST_AT_A_LEVEL = MOST_SEEDS // len(DIFFICULTIES)
MOST_STAIRCASES = len(DOMAINS) * (RANGE * PER_DOMAIN // TRIALS)


def difficulty_of(level: int) -> str:
    """Return the difficulty of a level: easy up to 3, medium up to 6, hard beyond."""
    return DIFFICULTIES[0 if level < 4 else 1 if level < 7 else 2]


def question_at(use: str, index: int, level: int | None = None) -> Question:
    """Return question number `index` of a use, from 0; always and everywhere the same. `level`
    replaces that of the difficulty whose turn it is."""
    block, place = divmod(index, _BLOCK)
    rest, d = divmod(place, len(DOMAINS))
    turn, own = divmod(rest, len(DIFFICULTIES))
    # Shifted from domain to domain; otherwise the first 24 would all have the first subcategories.
    subcategory = (turn + d + 2 * own) % PER_DOMAIN
    domain = DOMAINS[d]
    if level is None:
        level, n = OF_DIFFICULTY[DIFFICULTIES[own]], block
    else:
        # At a fixed level, the turns of other difficulties yield further questions of the same
        # kind.
        n = block * len(DIFFICULTIES) + own
    return level_question(use, domain, SUBCATEGORIES[domain][subcategory], level, n)


def question_in(use: str, domain: str, level: int, n: int) -> Question:
    """Return the n-th question of a domain and level; the subcategories take turns."""
    block, subcategory = divmod(n, PER_DOMAIN)
    return level_question(use, domain, SUBCATEGORIES[domain][subcategory], level, block)


@lru_cache(maxsize=1_024)
def level_question(use: str, domain: str, subcategory: str, level: int, n: int) -> Question:
    """Return the n-th question of a use, kind and level. Raise KeyError for an unknown kind,
    ValueError if n or the level is out of range."""
    if not 0 <= n < RANGE or not 1 <= level <= LEVELS:
        raise ValueError(f"question {n} at level {level}: 0 to {RANGE - 1} at 1 to {LEVELS}")
    draw = KINDS[domain][subcategory]
    attempt = 0
    while True:
        name = f"levels.{use}.{domain}.{subcategory}.{level}.{attempt}"
        d = Draws(name, n, LEVEL_CAPACITY)
        draft = draw(d, level)
        if _owner(draft.text) == use:
            break
        attempt += 1
    return Question(
        f"{use}.{domain}.{subcategory}.{level}.{n}",
        domain,
        subcategory,
        difficulty_of(level),
        draft.text,
        draft.key,
        level,
    )


def _owner(text: str) -> str:
    """Return the one use that may have a question with these words, in any order."""
    return USES[crc32(" ".join(sorted(text.split())).encode()) % len(USES)]
