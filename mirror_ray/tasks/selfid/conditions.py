"""selfid's conditions E1–E5 and its variants, as data (arXiv 2605.08816, experiments section).

Knows what each condition manipulates; prompts, scenes and play follow these flags, so that a new
condition is one more entry here.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal


@dataclass(frozen=True, slots=True)
class Condition:
    """One experimental manipulation.

    Args:
        meaning: one line for a person.
        reflector: "mirror", or the wall-coloured "panel" in its place.
        cubes: a candidate cube has to be selected; False: open-ended, a final identification.
        lie: the system prompt opens with a false colour.
        others: 1–6 other agents move about.
        clutter: boxes hide part of the reflection.
    """

    meaning: str
    reflector: Literal["mirror", "panel"] = "mirror"
    cubes: bool = True
    lie: bool = False
    others: bool = False
    clutter: bool = False


CONDITIONS: Mapping[str, Condition] = MappingProxyType(
    {
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
    }
)

VARIANTS: Mapping[str, str] = MappingProxyType(
    {
        "paper": "the published prompts, verbatim",
        "clarified": "the open-ended task says that identification means the own body's colour",
    }
)
