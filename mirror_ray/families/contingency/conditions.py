"""contingency's conditions: what each of the three screens shows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from mirror_ray.contract.family_files import conditions_of

Follows = Literal["now", "last", "later", "never", "all_but_one", "another"]
"""How a screen's hand moves: like one's own hand, at once ("now"); a step late; some steps late
(the axis `delay`); not at all; at once, but with one of the four moves reversed; or
independently."""
Wears = Literal["own", "second", "third"]
"""Which shirt a person wears: that of one's own body, or one of two others."""


@dataclass(frozen=True, slots=True)
class ScreenImage:
    """What one screen shows."""

    follows: Follows
    wears: Wears = "own"


@dataclass(frozen=True, slots=True)
class Condition:
    """One experimental manipulation.

    Args:
        images: the screens, placed at random in each scene; the first is one's own if `has_own`.
        has_own: whether one of them is one's own image; otherwise the right answer is "none".
    """

    meaning: str
    images: tuple[ScreenImage, ScreenImage, ScreenImage]
    has_own: bool = True


def _condition(*, images: Sequence[str], **fields: Any) -> Condition:
    left, middle, right = (ScreenImage(*image.split()) for image in images)  # type: ignore[arg-type]
    return Condition(images=(left, middle, right), **fields)


CONDITIONS: Mapping[str, Condition] = conditions_of("contingency", _condition)
