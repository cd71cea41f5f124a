"""dyad's conditions: what moves the other body, what the room shows, whether the two talk."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from mirror_ray.contract.family_files import conditions_of
from mirror_ray.world.room.scene import Reflector

PARTNER = "partner"
"""The role of the model that moves the other body, and the key of a stage that names it."""

Other = Literal["mind", "still", "wandering"]
"""What moves the other body: a model, nothing, or chance."""


@dataclass(frozen=True, slots=True)
class Condition:
    """One experimental manipulation.

    Args:
        reflector: "mirror", or the wall-coloured "panel" in its place.
        alike: whether both bodies have the same colour.
        talks: whether each names both bodies' colours, and hears what the other said last.
    """

    meaning: str
    other: Other = "mind"
    reflector: Reflector = "mirror"
    alike: bool = False
    talks: bool = False


CONDITIONS: Mapping[str, Condition] = conditions_of("dyad", Condition)
