"""marktest's conditions and its variants, as data: the mark test and its controls."""

from collections.abc import Mapping
from dataclasses import dataclass

from mirror_ray.contract.family_files import conditions_of
from mirror_ray.world.reaching.scene import Marked, ReachingReflector


@dataclass(frozen=True, slots=True)
class Condition:
    """One experimental manipulation.

    Args:
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
        """Whether the mark is on one's own body, where touching it is right."""
        return self.marked in ("own", "hand")


CONDITIONS: Mapping[str, Condition] = conditions_of("marktest", Condition)
