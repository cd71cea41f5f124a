"""A question about left and right, from either source, and its picture."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from mirror_ray.core.types import View

TWO = ("left", "right")
FOUR = ("left front", "right front", "left rear", "right rear")
LETTERS = "ABCD"

OTHER_SIDE = {"left": "right", "right": "left"}


@dataclass(frozen=True, slots=True)
class Item:
    """One question with its options.

    Args:
        name: of the picture's file, or the number in the simulation's sequence.
        kind: whose body it is about.
        options: answers as in `TWO` or `FOUR`, in the order in which they are offered.
        answer: the right one, in the subject's own frame.
        view: its picture; None if none is to be shown.
    """

    name: str
    kind: Literal["human", "animal"]
    question: str
    options: tuple[str, ...]
    answer: str
    view: View | None

    @property
    def orientation(self) -> str:
        """The source's name for kind and answer, e.g. ``H.left``, ``A.right rear``."""
        return f"{'H' if self.kind == 'human' else 'A'}.{self.answer}"


def shifted(options: Sequence[str], shift: int) -> tuple[str, ...]:
    """Return the options after `shift` cyclic left shifts."""
    return (*options[shift:], *options[:shift])


def written(options: Sequence[str]) -> tuple[str, ...]:
    """Return the options as a model reads them, e.g. ``A. Left front``."""
    return tuple(
        f"{letter}. {option.capitalize()}" for letter, option in zip(LETTERS, options, strict=False)
    )


def opposite(answer: str) -> str:
    """Return the answer with left and right exchanged and front or rear kept."""
    side, *end = answer.split()
    return " ".join([OTHER_SIDE[side], *end])
