"""The knowledge of metacog's agents, and each agent's beliefs about it.

All agents have the same knowledge: a seed of the item alone determines whether it is known. So all
give the same answers in every channel and differ only in their judgement. Skills are planted:
strong in five domains, weak in three."""

from collections.abc import Callable, Mapping
from math import exp
from typing import Any

from mirror_ray.agents.prompt import UnfamiliarPromptError
from mirror_ray.core.identity import seeded
from mirror_ray.core.types import Facts
from mirror_ray.families.metacog.bank.question import DOMAINS

SKILLS: Mapping[str, float] = dict(
    zip(DOMAINS, (0.85, 0.35, 0.40, 0.80, 0.75, 0.35, 0.80, 0.75), strict=True)
)
"""The probability of knowing a medium question, by domain."""

MIDDLES: Mapping[str, float] = dict(
    zip(DOMAINS, (8.5, 3.0, 6.0, 7.0, 5.0, 4.0, 7.5, 5.5), strict=True)
)
"""The level at which the graded agent knows half of a domain's items; log odds change by `SLOPE`
per level."""
SLOPE = 0.9

_BY_DIFFICULTY: Mapping[str, float] = {"easy": 0.10, "hard": -0.10}
MEAN_SKILL = sum(SKILLS.values()) / len(SKILLS)


def chance(item: Facts) -> float:
    """Return the probability of knowing an item; for a task of two domains, of knowing both. Raise
    UnfamiliarPromptError if the domain is unknown."""
    shift = _BY_DIFFICULTY.get(str(item.get("difficulty")), 0.0)
    joint = 1.0
    for domain in str(item.get("domain")).split(" × "):
        joint *= min(0.98, max(0.02, SKILLS.get(domain, MEAN_SKILL) + shift))
    return joint


def chance_at_level(item: Facts) -> float:
    """Return the probability of knowing an item by its level alone; for two domains, of knowing
    both.

    An item without a level counts as level 5."""
    level = item.get("level")
    joint = 1.0
    for domain in str(item.get("domain")).split(" × "):
        joint /= 1 + exp(SLOPE * ((5 if level is None else level) - MIDDLES.get(domain, 5.0)))
    return joint


def knows(item: Facts, chance_of: Callable[[Facts], float] = chance) -> bool:
    """Return whether this item is known: equal for all agents with equal probabilities, in all
    channels."""
    return bool(seeded("metacog item", _field(item, "item_id")).random() < chance_of(item))


def believed_answer(item: Facts, chance_of: Callable[[Facts], float] = chance) -> str:
    """Return the right answer if it is known, else the wrong one."""
    return str(_field(item, "answer" if knows(item, chance_of) else "wrong"))


def guess(item: Facts, truth: Facts) -> str:
    """Return the right answer if it is known, otherwise toss a coin at each repetition. `truth` is
    the prompt's whole truth, which includes the repetition."""
    if knows(item):
        return believed_answer(item)
    coin = seeded("metacog guess", _field(item, "item_id"), _field(truth, "run"))
    return str(_field(item, "answer" if coin.random() < 0.5 else "wrong"))


def _field(item: Facts, name: str) -> Any:
    if name not in item:
        raise UnfamiliarPromptError(f"no {name} in the truth: metacog's agents need it")
    return item[name]
