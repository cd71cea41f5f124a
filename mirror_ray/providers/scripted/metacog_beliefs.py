"""What metacog's agents know, and what each believes it knows.

All agents know the same: whether an item is known is a chance seeded by the item alone, so that all
give the same answers in every channel and differ only in what they make of it. Skills are
planted: strong in five domains, weak in three.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from mirror_ray.identity import seeded
from mirror_ray.providers.scripted.prompt import UnfamiliarPromptError
from mirror_ray.types import Facts

SKILLS: Mapping[str, float] = MappingProxyType(
    {
        "arithmetic": 0.85,
        "spatial": 0.35,
        "temporal": 0.40,
        "linguistic": 0.80,
        "logical": 0.75,
        "social": 0.35,
        "factual": 0.80,
        "procedural": 0.75,
    }
)
"""Domain → chance to know a medium question."""

_BY_DIFFICULTY: Mapping[str, float] = MappingProxyType({"easy": 0.10, "hard": -0.10})
MEAN_SKILL = sum(SKILLS.values()) / len(SKILLS)


def chance(item: Facts) -> float:
    """The chance to know an item; of a task of two domains, that of knowing both.

    Raises:
        UnfamiliarPromptError: the item's domain is none of metacog's.
    """
    shift = _BY_DIFFICULTY.get(str(item.get("difficulty")), 0.0)
    joint = 1.0
    for domain in str(item.get("domain")).split(" × "):
        joint *= min(0.98, max(0.02, SKILLS.get(domain, MEAN_SKILL) + shift))
    return joint


def knows(item: Facts) -> bool:
    """Whether this very item is known: alike for all agents, channels and repetitions."""
    return bool(seeded("metacog item", _field(item, "item_id")).random() < chance(item))


def answer(item: Facts) -> str:
    """The right answer where it is known, else the wrong one."""
    return str(_field(item, "answer" if knows(item) else "wrong"))


def guess(item: Facts, truth: Facts) -> str:
    """The right answer where it is known, else right or wrong by a coin thrown at each repetition.

    Args:
        truth: the whole of it, which knows the repetition.
    """
    if knows(item):
        return answer(item)
    coin = seeded("metacog guess", _field(item, "item_id"), _field(truth, "run"))
    return str(_field(item, "answer" if coin.random() < 0.5 else "wrong"))


def _field(item: Facts, name: str) -> Any:
    if name not in item:
        raise UnfamiliarPromptError(f"no {name} in the truth: metacog's agents need it")
    return item[name]
