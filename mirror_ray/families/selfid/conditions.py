"""selfid's conditions and its variants, as data.

E1–E5 are the paper's (arXiv 2605.08816, experiments section); glance and branches of E1 are ours.

Knows what each condition manipulates; prompts, scenes and play follow these flags, so that a new
condition is one more entry here.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from mirror_ray.world.room.scene import Reflector


@dataclass(frozen=True, slots=True)
class Condition:
    """One experimental manipulation.

    Args:
        meaning: one line for a person.
        reflector: "mirror", the wall-coloured "panel" in its place, or a dark "cover" over it.
        cubes: a candidate cube has to be selected; False: open-ended, a final identification.
        lie: the system prompt opens with a false colour.
        others: 1–6 other agents move about.
        clutter: boxes hide part of the reflection.
        glance: one look and no walking: the ego faces the mirror and says who it is.
        parent: branches continue this condition's ended episodes from one of their steps, under
            the other fields. None: a condition that starts its own episodes.
    """

    meaning: str
    reflector: Reflector = "mirror"
    cubes: bool = True
    lie: bool = False
    others: bool = False
    clutter: bool = False
    glance: bool = False
    parent: str | None = None


CONDITIONS: Mapping[str, Condition] = {
    "E1": Condition("a mirror and three candidate cubes, one in the ego's colour"),
    "E2": Condition("as E1, a panel in the mirror's place", reflector="panel"),
    "E3": Condition("as E1, the prompt opens with a false colour", lie=True),
    "E4": Condition("as E1, with 1–6 other moving agents", others=True),
    "E5": Condition(
        "open-ended: no cubes, 1–6 other agents, a reflection partly hidden by clutter",
        cubes=False,
        others=True,
        clutter=True,
    ),
    "glance": Condition(
        "one look into the mirror from straight before it: which colour is the own body?",
        cubes=False,
        glance=True,
    ),
    "E1-removed": Condition(
        "continues E1 without the mirror: a panel in its place", reflector="panel", parent="E1"
    ),
    "E1-covered": Condition(
        "continues E1 with a dark cover over the mirror", reflector="cover", parent="E1"
    ),
    "E1-lied": Condition(
        "continues E1 with a prompt that opens with a false colour", lie=True, parent="E1"
    ),
}

VARIANTS: Mapping[str, str] = {
    "paper": "the published prompts, verbatim",
    "obstacles": "the warning of a blocked move names what was in the way, walls or not",
    "clarified": "the open-ended task says that identification means the own body's colour",
}
