"""FlipSet's strings (arXiv 2602.15892): 28 in nine classes, and generated ones.

Ten strings are printed in the source (81 89 168 d q dd do nod pond W819); the other eighteen are
[ours], made by the same rule. Every option set is created at import, so that a string that reads
the same from both sides, or has two equal options, stops the import."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from mirror_ray.core.identity import seeded
from mirror_ray.families.flipset.options import OptionSet, option_set
from sim_assets.turning import HALF_TURN, QUARTER_TURNS

CLASSES: Mapping[str, tuple[str, ...]] = {
    "two digits": ("81", "10"),
    "two digits mixed": ("89", "61"),
    "three digits mixed": ("168", "608", "109", "869"),
    "single letter": ("d", "q", "b", "p"),
    "two letters": ("dd", "qq"),
    "two letters mixed": ("do", "no", "up", "us"),
    "three letters mixed": ("nod", "bus", "sun", "box", "pub", "dun"),
    "four letters mixed": ("pond", "soup"),
    "four combo mixed": ("W819", "M608"),
}
"""The strings of each class, the printed ones first."""
QUARTER_CLASS = "quarter turn"
L1_STRINGS = ("81", "89", "168", "d", "q", "dd", "do", "nod", "sun", "pond", "W819", "M608")
"""One or two of each class, because the visibility control does not depend on the text."""


@dataclass(frozen=True, slots=True)
class FlipCard:
    """A card: its class and its options. The egocentric option is the text printed on it."""

    item_class: str
    options: OptionSet

    @property
    def text(self) -> str:
        """The text printed on the card."""
        return self.options.egocentric


ITEMS: tuple[FlipCard, ...] = tuple(
    FlipCard(name, option_set(text)) for name, texts in CLASSES.items() for text in texts
)
QUARTER_ITEMS: Mapping[int, tuple[FlipCard, ...]] = {
    angle_deg: tuple(FlipCard(QUARTER_CLASS, option_set(text, angle_deg)) for text in QUARTER_TURNS)
    for angle_deg in (90, 270)
}
_GENERATED_CHARACTERS = "".join(sorted(set(HALF_TURN) - set("lIoOSXZ")))
"""Characters that are not too similar to each other."""


@lru_cache(maxsize=8)
def generated_items(length: int) -> tuple[FlipCard, ...]:
    """Return as many strings of `length` characters as the set has, the same on every machine.

    Each has four distinct options by the rule of mixed strings, and none is the turned shape of
    another."""
    rng = seeded("flipset", "generated", length)
    found: dict[str, FlipCard] = {}
    while len(found) < len(ITEMS):
        drawn = rng.choice(list(_GENERATED_CHARACTERS), size=length)
        text = "".join(drawn.tolist())
        try:
            item = FlipCard(f"{length} generated", option_set(text))
        except ValueError:
            continue
        if not {text, item.options.correct} & set(found):
            found[text] = item
    return tuple(found.values())
