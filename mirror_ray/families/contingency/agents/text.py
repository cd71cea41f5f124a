"""Parses contingency's prompts and formats the replies."""

import json
import re
from dataclasses import dataclass

from mirror_ray.agents.prompt import UnfamiliarPromptError
from mirror_ray.core.untrusted import int_of

_STEP_CM = 6
_SHIRT = re.compile(r"^You wear a (?P<shirt>[a-z]{1,12}) shirt\.$", re.MULTILINE)
_FELT = re.compile(
    r"^Your right hand is (?P<felt>[^\n]{1,80}) (?:from )?where it began\.$", re.MULTILINE
)
_ACROSS = re.compile(r"\b(?P<cm>\d{1,3}) cm to the (?P<side>left|right)\b")
_HIGH = re.compile(r"\b(?P<cm>\d{1,3}) cm (?P<way>up|down)\b")
_PAST = re.compile(r"(?:Previous step|\d{1,2} steps ago): move=(?P<move>[a-z]{1,8})\.")
_LEFT = re.compile(r"^Steps left: (?P<left>\d{1,3})\.$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class ScreenMoment:
    """What a prompt states: how many steps the right hand is left of and above its start, the
    earlier moves, oldest first, and the steps left, this one included."""

    shirt: str
    hand: tuple[int, int]
    moves: tuple[str, ...]
    left: int


def read_screen_moment(user: str) -> ScreenMoment:
    """Raise UnfamiliarPromptError if the prompt is of another kind."""
    shirt, left = _SHIRT.search(user), _LEFT.search(user)
    if shirt is None or left is None:
        raise UnfamiliarPromptError("the prompt does not say what the body wears")
    felt = _FELT.search(user)
    across = _ACROSS.search(felt["felt"]) if felt else None
    high = _HIGH.search(felt["felt"]) if felt else None
    return ScreenMoment(
        shirt=shirt["shirt"],
        hand=(
            _steps(across["cm"], across["side"] == "left") if across else 0,
            _steps(high["cm"], high["way"] == "up") if high else 0,
        ),
        moves=tuple(one["move"] for one in _PAST.finditer(user)),
        left=int_of(left["left"]) or 0,
    )


def write_answer(view: str, reasoning: str, move: str, answer: str) -> str:
    """Write the reply in the requested form."""
    return json.dumps(
        {"view": view, "reasoning": reasoning, "move": move, "answer": answer}, ensure_ascii=False
    )


def _steps(centimetres: str, is_positive: bool) -> int:
    steps = (int_of(centimetres) or 0) // _STEP_CM
    return steps if is_positive else -steps
