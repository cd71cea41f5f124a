"""contingency's conditions, as data: what each of the three screens shows."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Follows = Literal["now", "last", "later", "never", "all_but_one", "another"]
"""How a screen's hand moves: like the own one, at once ("now"); a step late; some steps late (the
axis `delay`); not at all; at once, but with one of the four moves reversed; or independently.
"""
Wears = Literal["own", "second", "third"]
"""Which shirt a person wears: that of the own body, or one of two others."""


@dataclass(frozen=True, slots=True)
class ScreenImage:
    """What one screen shows."""

    follows: Follows
    wears: Wears = "own"


@dataclass(frozen=True, slots=True)
class Condition:
    """One experimental manipulation.

    Args:
        meaning: one line for a person.
        images: the three screens, whose places are drawn for each scene; the first is the own image
            if `has_own`.
        has_own: whether one of them is the own image; otherwise the right answer is that none is.
    """

    meaning: str
    images: tuple[ScreenImage, ScreenImage, ScreenImage]
    has_own: bool = True


_LATE, _ELSE = ScreenImage("later"), ScreenImage("another")

CONDITIONS: Mapping[str, Condition] = {
    "match": Condition(
        "the own image moves at once in the own shirt; two follow late, in other shirts",
        (ScreenImage("now"), ScreenImage("later", "second"), ScreenImage("later", "third")),
    ),
    "twin": Condition(
        "all wear the own shirt; the own image moves at once, two follow some steps late",
        (ScreenImage("now"), _LATE, _LATE),
    ),
    "conflict": Condition(
        "the own image moves at once in another shirt; one that follows late wears the own",
        (ScreenImage("now", "second"), _LATE, ScreenImage("later", "third")),
    ),
    "frozen": Condition(
        "as twin, but the other two are still pictures",
        (ScreenImage("now"), ScreenImage("never"), ScreenImage("never")),
    ),
    "all-but-one": Condition(
        "as twin, but the other two move at once, and one of the four moves the wrong way",
        (ScreenImage("now"), ScreenImage("all_but_one"), ScreenImage("all_but_one")),
    ),
    "late": Condition(
        "a mirror that shows the last step, and two images that move by themselves",
        (ScreenImage("last"), _ELSE, _ELSE),
    ),
    "absent": Condition(
        "all three move by themselves: none is the own image", (_ELSE, _ELSE, _ELSE), False
    ),
}

VARIANTS: Mapping[str, str] = {"plain": "our own words: no prompt of a source is taken over"}
