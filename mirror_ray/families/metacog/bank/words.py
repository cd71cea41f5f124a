"""Words that generated questions share, and the type of a function that generates one."""

from collections.abc import Callable
from typing import TypeAlias

from mirror_ray.core.shipped_files import shipped_yaml
from mirror_ray.families.metacog.bank.draws import Draws
from mirror_ray.families.metacog.bank.question import Draft

Template: TypeAlias = Callable[[Draws, int], Draft]
"""Draws and a level (0 easy, 1 medium, 2 hard) → a question with its key."""

_words = shipped_yaml("mirror_ray.families.metacog.bank", "words.yaml")
NAMES, THINGS, JOBS, DAYS = (
    tuple[str, ...](_words[name]) for name in ("names", "things", "jobs", "days")
)
