"""Parses FlipSet's prompts and formats the replies."""

import re
from dataclasses import dataclass
from typing import Literal

from mirror_ray.agents.prompt import UnfamiliarPromptError

_Question = Literal["sees", "turned", "same", "visible"]

_OPTION = re.compile(r"^([A-D])[).] (.*)$", re.MULTILINE)
_TURN = re.compile(r"the card is turned (?:by (180)|(clockwise|anticlockwise) by 90) degrees")
_OPENINGS: dict[str, _Question] = {
    "What does the monkey see": "sees",
    "Imagine that the card is turned": "turned",
    "Compare what the monkey sees": "same",
    "Can the monkey see": "visible",
}


@dataclass(frozen=True, slots=True)
class CardQuestion:
    """The content of a question.

    Args:
        question: "sees": what the monkey reads; "turned": what a turned card reads; "same": whether
            the monkey sees what the viewer sees; "visible": whether it sees the card.
        options: label → text.
        turn_deg: by how much the card is to be turned clockwise; None if it is not to be turned.
    """

    question: _Question
    options: dict[str, str]
    turn_deg: int | None
    reasons: bool


def read_question(user: str) -> CardQuestion:
    """Raise UnfamiliarPromptError if it does not ask about a card."""
    options: dict[str, str] = dict(_OPTION.findall(user))
    for opening, question in _OPENINGS.items():
        if user.startswith(opening) and options:
            turn = _TURN.search(user)
            turn_deg = None
            if turn is not None:
                turn_deg = 180 if turn[1] else 90 if turn[2] == "clockwise" else 270
            return CardQuestion(question, options, turn_deg, "step by step" in user)
    raise UnfamiliarPromptError("no question about a card in the user prompt")


def write_choice(asked: CardQuestion, label: str, reasoning: str) -> str:
    """Write the reply in the requested form."""
    return f"{reasoning}\nAnswer: {label}" if asked.reasons else label


def option_that(asked: CardQuestion, words: str) -> str:
    """Return the label of the first option with these words, or raise UnfamiliarPromptError."""
    for label, text in asked.options.items():
        if words in text:
            return label
    raise UnfamiliarPromptError(f"no option says {words!r}")
