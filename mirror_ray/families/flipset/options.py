"""The four options of a card.

The right option is the turned string, by the rule that fits all ten printed ones of arXiv
2602.15892. [Our decision] The distractors' rule is derived from the printed sets 81: 18/81/78/87,
q: b/q/p/d and nod: pou/nod/uop/don; single characters whose four quarter turns are all characters
extend it to 90° and 270°."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from sim_assets.turning import HALF_TURN, turned

OptionKind = Literal["correct", "egocentric", "confusable", "random"]
OPTION_KINDS: tuple[OptionKind, ...] = ("correct", "egocentric", "confusable", "random")

_LEFT_RIGHT = {"b": "d", "d": "b", "p": "q", "q": "p"}
_UP_DOWN = {"b": "p", "p": "b", "d": "q", "q": "d"}
_LOOKS_LIKE = {"1": "7"}


@dataclass(frozen=True, slots=True)
class OptionSet:
    """The four readings of a card. Raise ValueError if two of them are equal.

    Args:
        egocentric: the card's text as the viewer reads it.
        correct: its text when it is turned.
        confusable: half of the transformation: turned without reversing, or mirrored.
        random: the other half, or a look-alike of what the viewer sees.
    """

    egocentric: str
    correct: str
    confusable: str
    random: str

    def __post_init__(self) -> None:
        if len({self.egocentric, self.correct, self.confusable, self.random}) < len(OPTION_KINDS):
            raise ValueError(f"no four distinct options for {self.egocentric!r}: {self}")

    def text(self, kind: OptionKind) -> str:
        """Return the option of this kind."""
        return str(getattr(self, kind))


def option_set(text: str, angle_deg: int = 180) -> OptionSet:
    """Return the options of a card. Raise ValueError if it has no turned text, or two are equal."""
    correct = turned(text, angle_deg)
    if angle_deg != 180:
        # The other two: turned in the wrong direction, and upside down.
        opposite, upside_down = turned(text, 360 - angle_deg), turned(correct, angle_deg)
        return OptionSet(text, correct, opposite, upside_down)
    in_place = _each(text, HALF_TURN)
    if len({text, correct, in_place}) == 3:
        return OptionSet(text, correct, in_place, text[::-1])
    if set(text) <= set(_LEFT_RIGHT):
        return OptionSet(text, correct, _each(text, _LEFT_RIGHT), _each(text, _UP_DOWN))
    return OptionSet(text, correct, _each(correct, _LOOKS_LIKE), _each(text, _LOOKS_LIKE))


def _each(text: str, shapes: Mapping[str, str]) -> str:
    return "".join(shapes.get(character, character) for character in text)
