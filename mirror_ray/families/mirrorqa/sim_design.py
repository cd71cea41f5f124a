"""The design of each item of the simulation's endless sequence.

It is balanced. Within a block of 64, every label occurs equally often with every quadrant of view
and every part in question, for people and for dogs. The number of others, what the mirror's picture
shows besides the reflection, and the position of the right option are distributed equally for every
label. Only the seed permutes blocks, so that a longer sweep starts with the items of a shorter one.
All of it is [our decision]: MirrorQA's own pictures are photographs."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Literal, TypeVar

import numpy as np

from mirror_ray.core.identity import seeded
from mirror_ray.families.mirrorqa.item import FOUR, TWO

BLOCK = 64

_T = TypeVar("_T")

Facing = Literal["toward", "away"]


@dataclass(frozen=True, slots=True)
class Design:
    """The design of an item before anything is placed.

    Args:
        answer: the right option, in the subject's own frame.
        part: what is asked about: hand, leg, glove, boot; of dogs: leg, sock.
        facing: whether the subject faces its viewer.
        flank: the side of itself that it shows.
        seen_directly: whether the picture of the mirror shows the subject directly, too.
        position: of the right option, from 0.
    """

    kind: Literal["person", "dog"]
    answer: str
    part: str
    facing: Facing
    flank: str
    others: int
    seen_directly: bool
    position: int

    @property
    def raised(self) -> bool:
        """Whether the limb is identified by being raised, not by what it wears."""
        return self.part in ("hand", "leg")


def design(index: int, run: int) -> Design:
    """Return the design of the sequence's item `index`; each run has another sequence."""
    return _block(index // BLOCK, run)[index % BLOCK]


@lru_cache(maxsize=64)
def _block(number: int, run: int) -> tuple[Design, ...]:
    rng = seeded("mirrorqa sim", number, run)
    people = product(("person",), TWO, ("hand", "leg", "glove", "boot"))
    dogs = product(("dog",), FOUR, ("leg", "sock"))
    designs: list[Design] = []
    by_label: dict[tuple[str, str], list[tuple[str, Facing, str]]] = {}
    facings: tuple[Facing, ...] = ("toward", "away")
    for (kind, answer, part), facing, flank in product([*people, *dogs], facings, TWO):
        by_label.setdefault((kind, answer), []).append((part, facing, flank))
    for (kind, answer), cells in by_label.items():
        options = len(FOUR) if kind == "dog" else len(TWO)
        company = _shuffled([(0, True), (0, False), (1, False), (2, False)], len(cells), rng)
        positions = _shuffled(list(range(options)), len(cells), rng)
        for (part, facing, flank), (others, seen_directly), position in zip(
            cells, company, positions, strict=True
        ):
            whose: Literal["person", "dog"] = "dog" if kind == "dog" else "person"
            designs.append(
                Design(whose, answer, part, facing, flank, others, seen_directly, position)
            )
    return tuple(designs[i] for i in rng.permutation(len(designs)))


def _shuffled(values: Sequence[_T], count: int, rng: np.random.Generator) -> list[_T]:
    repeated = list(values) * (count // len(values))
    return [repeated[i] for i in rng.permutation(count)]
