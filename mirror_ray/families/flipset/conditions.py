"""FlipSet's conditions and variants, as data (arXiv 2602.15892).

States what each condition shows and asks about; `prompts` has the words.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

_Question = Literal["sees", "turned", "same", "visible"]


@dataclass(frozen=True, slots=True)
class Condition:
    """One question about a card.

    Args:
        meaning: one line for a person.
        question: "sees": what the monkey reads; "turned": what a turned card reads; "same":
            whether the monkey sees what the viewer sees; "visible": whether it sees the card, past
            a screen that blocks its eyes in half of the scenes.
    """

    meaning: str
    question: _Question


CONDITIONS: Mapping[str, Condition] = {
    "L2": Condition("level 2: what does the monkey see on the card?", "sees"),
    "ToM": Condition("does the monkey see something else than the viewer?", "same"),
    "MR": Condition("mental rotation: what does the same card read when it is turned?", "turned"),
    "L1": Condition("level 1: can the monkey see the card at all?", "visible"),
}

VARIANTS: Mapping[str, str] = {
    "paper": "the published prompt, word for word, and one picture for all conditions",
    "framed": "our words: a system prompt, the letter alone; MR shows no monkey",
    "alone": "the published prompt; MR shows the card alone, without the monkey",
}

WITHOUT_MONKEY = frozenset({"framed", "alone"})
"""Variants whose MR shows no monkey."""
