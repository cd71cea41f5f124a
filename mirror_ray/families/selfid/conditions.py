"""selfid's conditions and its variants, as data.

E1–E5 are the paper's (arXiv 2605.08816, experiments section); glance and branches of E1 are ours.
Prompts, scenes and play depend on these flags, so that a new condition is one more entry here."""

from collections.abc import Mapping
from dataclasses import dataclass

from mirror_ray.contract.family_files import conditions_of
from mirror_ray.world.room.scene import Reflector


@dataclass(frozen=True, slots=True)
class Condition:
    """One experimental manipulation.

    Args:
        reflector: "mirror", the wall-coloured "panel" in its place, or a dark "cover" over it.
        cubes: a candidate cube has to be selected; if False, the task is open-ended, with a final
            identification.
        lie: the system prompt opens with a false colour.
        others: 1–6 other agents move about.
        clutter: boxes hide part of the reflection.
        glance: one look and no walking: the ego faces the mirror and says who it is.
        parent: episodes branch from ended ones of this condition, and continue under the other
            fields. None: a condition that starts its own episodes.
    """

    meaning: str
    reflector: Reflector = "mirror"
    cubes: bool = True
    lie: bool = False
    others: bool = False
    clutter: bool = False
    glance: bool = False
    parent: str | None = None


CONDITIONS: Mapping[str, Condition] = conditions_of("selfid", Condition)
