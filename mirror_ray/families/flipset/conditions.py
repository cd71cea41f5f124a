"""FlipSet's conditions and variants, as data (arXiv 2602.15892).

States what each condition shows and asks about; `prompts` has the words."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from mirror_ray.contract.family_files import conditions_of

_Question = Literal["sees", "turned", "same", "visible"]


@dataclass(frozen=True, slots=True)
class Condition:
    """One question about a card.

    Args:
        question: "sees": what the monkey reads; "turned": what a turned card reads; "same":
            whether the monkey sees what the viewer sees; "visible": whether it sees the card, past
            a screen that blocks its eyes in half of the scenes.
    """

    meaning: str
    question: _Question


CONDITIONS: Mapping[str, Condition] = conditions_of("flipset", Condition)

WITHOUT_MONKEY = frozenset({"framed", "alone"})
"""Variants whose MR shows no monkey."""
