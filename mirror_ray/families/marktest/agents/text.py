"""Parses marktest's prompts and formats the replies."""

import json
import re
from dataclasses import dataclass

from mirror_ray.agents.prompt import UnfamiliarPromptError
from mirror_ray.core.untrusted import int_of

_STEP_CM = 6
_PLACE = re.compile(
    r"^Your right hand, from the middle of your face: (?P<across>\d{1,3}) cm to the "
    r"(?P<side>left|right), (?P<high>\d{1,3}) cm (?P<way>up|down), "
    r"(?:(?P<ahead>\d{1,3}) cm|close) in front\.$",
    re.MULTILINE,
)
_NOTICED = re.compile(r"Previous step: action=(?P<action>\w++); noticed=(?P<noticed>[^\n]*+)")
_FELT = re.compile(r"something touched your (?P<site>[a-z]{1,12}(?: [a-z]{1,12})?)\.")

LatticePoint = tuple[int, int, int]
"""Steps ahead, to the left of and above the middle of the face."""


@dataclass(frozen=True, slots=True)
class Moment:
    """What a prompt states.

    Args:
        noticed: what the agent wrote in its last step; "" in the first.
        has_touched: whether the last step was a touch that did not end the task.
        is_blocked: whether the last move was not carried out.
        felt: the place where the prompt says that something touched the body.
    """

    hand: LatticePoint
    noticed: str
    has_touched: bool
    is_blocked: bool
    felt: str | None


def read_moment(user: str) -> Moment:
    """Raise UnfamiliarPromptError if the prompt does not say where the hand is."""
    place = _PLACE.search(user)
    if place is None:
        raise UnfamiliarPromptError("the prompt does not say where the hand is")
    left = _steps(place["across"]) * (1 if place["side"] == "left" else -1)
    up = _steps(place["high"]) * (1 if place["way"] == "up" else -1)
    before, felt = _NOTICED.search(user), _FELT.search(user)
    return Moment(
        hand=(_steps(place["ahead"] or "0"), left, up),
        noticed=before["noticed"] if before else "",
        has_touched="\nYour hand touched " in user,
        is_blocked="\nYour hand met something" in user,
        felt=felt["site"] if felt else None,
    )


def write_action(view: str, reasoning: str, noticed: str, action: str) -> str:
    """Write the reply in the requested form."""
    return json.dumps(
        {"view": view, "reasoning": reasoning, "noticed": noticed, "action": action},
        ensure_ascii=False,
    )


def _steps(centimetres: str) -> int:
    return (int_of(centimetres) or 0) // _STEP_CM
