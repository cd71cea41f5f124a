"""Parses selfid's prompts and formats the JSON reply.

The wording is that of arXiv 2605.08816's prompts.
"""

import re
from dataclasses import dataclass
from json import dumps

from mirror_ray.agents.prompt import UnfamiliarPromptError
from sim_assets.colors import COLOR_NAMES, UNKNOWN

_NUMBER = r"(-?\d{1,9}(?:\.\d{1,9})?)"
_POSITION = re.compile(rf"Position: x={_NUMBER}, y={_NUMBER}; heading={_NUMBER} degrees")
_REMAINING = re.compile(r"Steps remaining: (\d{1,9})")
_CLAIM = re.compile(r"You are an? (\w+) robot\.")


@dataclass(frozen=True, slots=True)
class Pose:
    """The agent's place: metres from the room's centre, degrees anticlockwise from east."""

    x_m: float
    y_m: float
    yaw_deg: float


@dataclass(frozen=True, slots=True)
class Situation:
    """The content of a prompt.

    Args:
        remaining: steps left, this one included.
        picks_cube: a cube is to be selected (E1–E4), not in E5.
        acts: an action is asked for, not in a glance.
        remembers: the prompt lists the actions so far, even if there are none.
        claimed: the colour the system prompt says the robot has (E3), else None.
    """

    pose: Pose
    remaining: int
    picks_cube: bool
    acts: bool
    remembers: bool
    claimed: str | None


def read_situation(system: str, user: str) -> Situation:
    """Raises UnfamiliarPromptError if no position is given."""
    position = _POSITION.search(user)
    remaining = _REMAINING.search(user)
    if position is None or remaining is None:
        raise UnfamiliarPromptError("no position and remaining steps in the user prompt")
    x_m, y_m, yaw_deg = map(float, position.groups())
    claim = _CLAIM.search(system)
    return Situation(
        pose=Pose(x_m, y_m, yaw_deg),
        remaining=int(remaining[1]),
        picks_cube='"selected_cube"' in system,
        acts='"action"' in system,
        remembers="revious step" in user,
        claimed=claim[1] if claim and claim[1] in COLOR_NAMES else None,
    )


@dataclass(frozen=True, slots=True)
class Decision:
    """The action and the words to send: `cube` only with the action ``done``."""

    action: str
    reasoning: str
    identification: str = UNKNOWN
    cube: str | None = None


def write_reply(situation: Situation, view: str, decision: Decision, summary: str) -> str:
    """The JSON object with the keys the system prompt asks for."""
    reply = {
        "view-description": view,
        "reasoning": decision.reasoning,
        "action": decision.action,
        "summary": summary,
    }
    if not situation.acts:
        del reply["action"], reply["summary"]
    if situation.picks_cube:
        reply["selected_cube"] = decision.cube or "none"
    reply["identification"] = decision.identification
    return dumps(reply)
