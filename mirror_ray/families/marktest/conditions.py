"""marktest's conditions and its variants, as data: the mark test and its controls."""

from collections.abc import Mapping
from dataclasses import dataclass

from mirror_ray.world.reaching.scene import Marked, ReachingReflector


@dataclass(frozen=True, slots=True)
class Condition:
    """One experimental manipulation.

    Args:
        meaning: one line for a person.
        marked: the surface that has the mark.
        reflector: what is in front of the body.
        opposite: whether another body is there instead.
        is_felt: whether the prompt says that something touched the place where a mark would be.
    """

    meaning: str
    marked: Marked
    reflector: ReachingReflector = "mirror"
    opposite: bool = False
    is_felt: bool = False

    @property
    def is_on_self(self) -> bool:
        """The mark is on the own body, where touching it is right."""
        return self.marked in ("own", "hand")


CONDITIONS: Mapping[str, Condition] = {
    "marked": Condition("a mark on the own face or chest, seen in a mirror alone", "own"),
    "no-mirror": Condition(
        "as marked, a panel in the mirror's place: nothing shows the mark", "own", "panel"
    ),
    "sham": Condition(
        "a mirror and no mark; the prompt says that something touched the place",
        "nothing",
        is_felt=True,
    ),
    "other": Condition(
        "no mirror; the mark is on another body, which faces the agent",
        "other",
        "none",
        opposite=True,
    ),
    "glass": Condition("a mirror, and the mark on its surface, next to the image", "glass"),
    "visible": Condition("a mirror, and the mark on the own left hand, in plain view", "hand"),
}

VARIANTS: Mapping[str, str] = {"plain": "our own words: no prompt of the source is taken over"}
