"""A kind of question: what makes one from its draws and its level, and what a level adds."""

from collections.abc import Callable
from dataclasses import dataclass

from mirror_ray.families.metacog.bank.draws import Draws
from mirror_ray.families.metacog.bank.question import Draft

LEVELS = 10
"""A level is 1 to this; what today's models find easy ends about the third."""


@dataclass(frozen=True, slots=True)
class Kind:
    """One subcategory.

    Args:
        draft: the question from its draws and its level.
        grows: what grows with the level, for a person.
    """

    draft: Callable[[Draws, int], Draft]
    grows: str


def one_of(*forms: Callable[[Draws, int], Draft]) -> Callable[[Draws, int], Draft]:
    """Several forms of one kind, drawn evenly."""

    def draft(d: Draws, level: int) -> Draft:
        return d.pick(forms)(d, level)

    return draft


def capital(text: str) -> str:
    """With a capital at its begin."""
    return text[0].upper() + text[1:]
