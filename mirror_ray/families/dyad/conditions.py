"""dyad's conditions, as data: what moves the other body, what the room shows, and whether the two
talk.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from mirror_ray.world.room.scene import Reflector

PARTNER = "partner"
"""The role of the model that moves the other body, and the key of a stage that names it."""

Other = Literal["mind", "still", "wandering"]
"""What moves the other body: a model, nothing, or chance."""


@dataclass(frozen=True, slots=True)
class Condition:
    """One experimental manipulation.

    Args:
        meaning: one line for a person.
        reflector: "mirror", or the wall-coloured "panel" in its place.
        alike: whether both bodies have one colour.
        talks: whether each says which colour it and the other have, and hears what the other said
            last.
    """

    meaning: str
    other: Other = "mind"
    reflector: Reflector = "mirror"
    alike: bool = False
    talks: bool = False


CONDITIONS: Mapping[str, Condition] = {
    "mirror": Condition("two minds, bodies of two colours, a mirror; they do not talk"),
    "no-mirror": Condition("as mirror, a panel in the mirror's place", reflector="panel"),
    "alike": Condition("as mirror, both bodies of one colour", alike=True),
    "still": Condition("as mirror, but nobody moves the other body", other="still"),
    "wandering": Condition("as mirror, but chance moves the other body", other="wandering"),
    "talk": Condition("as mirror, and each says which colour it and the other are", talks=True),
    "talk-no-mirror": Condition(
        "as talk, a panel in the mirror's place: the other alone can tell",
        reflector="panel",
        talks=True,
    ),
}

VARIANTS: Mapping[str, str] = {"plain": "our own words: no prompt of a source is taken over"}
