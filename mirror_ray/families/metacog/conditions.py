"""metacog's experiments, channels and manipulations, as data (arXiv 2604.19809).

Experiment 8 (scaling) has no condition: it is exp1 with several sizes of one model family.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from mirror_ray.core.shipped_files import shipped_yaml


@dataclass(frozen=True, slots=True)
class Condition:
    """One experiment, or one of exp9's four levels of information.

    Args:
        meaning: one line for a person.
        experiment: the experiment it belongs to.
        information: exp9's C1–C4, else None.
    """

    meaning: str
    experiment: str
    information: str | None = None


_TEXTS = shipped_yaml("mirror_ray.families.metacog", "conditions.yaml")


def _condition(name: str, meaning: str) -> Condition:
    experiment, _, information = name.partition("-")
    return Condition(meaning, experiment, information or None)


CONDITIONS: Mapping[str, Condition] = {
    name: _condition(name, meaning) for name, meaning in _TEXTS["conditions"].items()
}

WITH_CHANNEL = frozenset({"exp1", "exp2", "exp3", "exp5"})
"""Experiments that elicit confidence in one of the channels."""


def _conditions_of(*experiments: str) -> tuple[str, ...]:
    return tuple(name for name, one in CONDITIONS.items() if one.experiment in experiments)


EXPERIMENTS_OF_SETTING: Mapping[str, tuple[str, ...]] = {
    "channel": _conditions_of(*WITH_CHANNEL),
    "attack": _conditions_of("exp5"),
    "feedback": _conditions_of("exp4"),
    "paradigm": _conditions_of("exp9"),
    "task_set": _conditions_of("exp9"),
    "route": ("exp9-C3", "exp9-C4"),
    "scores": ("exp9-C2", "exp9-C3"),
    "ours": _conditions_of(*WITH_CHANNEL),
    "judged": _conditions_of("judge"),
    "judged_keys": _conditions_of("judge"),
    "level": _conditions_of("exp1", "exp3", "exp5", "exp6a", "exp6c", "exp9"),
}
"""Axis or variant → the experiments in which it changes anything."""

VARIANTS: Mapping[str, str] = _TEXTS["variants"]
CHANNELS: Mapping[str, str] = _TEXTS["channels"]
ATTACKS: Mapping[str, str] = _TEXTS["attacks"]
PRIMINGS = ("fresh", "positive", "negative", "difficulty")
PRESSURES = ("reframing", "authority", "incremental", "roleplay")
PARADIGMS = ("autonomous", "checkpoint", "no_tools")
ROUTES = ("median", "below_0.5", "below_0.4", "bottom_2", "bottom_3")
