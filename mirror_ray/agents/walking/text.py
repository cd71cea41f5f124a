"""Parses the prompts of selfid (arXiv 2605.08816, and translations) and formats the JSON reply."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from json import dumps

from mirror_ray.agents.prompt import UnfamiliarPromptError
from mirror_ray.core.shipped_files import shipped_yaml
from sim_assets.colors import COLOR_NAMES, UNKNOWN

_NUMBER = r"(-?\d{1,9}(?:\.\d{1,9})?)"


@dataclass(frozen=True, slots=True)
class Speech:
    """One language.

    Args:
        position: where the agent is, in three groups: x, y, heading.
        remaining: how many steps are left.
        claim: the colour that a system prompt ascribes to the robot.
        recalls: text in a prompt that lists earlier steps, or says that no step was taken.
        claims: a colour as such a claim writes it → its English name.
        says: an English name, or "unknown" → the word of a reply.
    """

    position: re.Pattern[str]
    remaining: re.Pattern[str]
    claim: re.Pattern[str]
    recalls: re.Pattern[str]
    claims: Mapping[str, str]
    says: Mapping[str, str]


def _speech(position: str, remaining: str, claim: str, recalls: str, words: str) -> Speech:
    """Return the speech with a word for each colour and "unknown", as a claim and as a reply write
    it."""
    pairs = [pair.split("=") for pair in words.split()]
    names = (*COLOR_NAMES, UNKNOWN)
    return Speech(
        re.compile(position.format(n=_NUMBER)),
        re.compile(remaining.format(n=r"(\d{1,9})")),
        re.compile(claim),
        re.compile(recalls),
        {said[0]: name for said, name in zip(pairs, COLOR_NAMES, strict=False)},
        {name: said[-1] for said, name in zip(pairs, names, strict=True)},
    )


SPEECHES: Mapping[str, Speech] = {
    language: _speech(**said)
    for language, said in shipped_yaml("mirror_ray.agents.walking", "languages.yaml").items()
}


@dataclass(frozen=True, slots=True)
class StatedPose:
    """The agent's place: metres from the room's centre, degrees anticlockwise from east."""

    x_m: float
    y_m: float
    yaw_deg: float


@dataclass(frozen=True, slots=True)
class Situation:
    """The content of a prompt.

    Args:
        remaining: steps left, this one included.
        picks_cube: whether a cube is to be selected (E1–E4, not E5).
        acts: whether an action is requested (not in a glance).
        remembers: whether the prompt lists the actions so far, even an empty list.
        claimed: the colour the system prompt says the robot has (E3), else None.
        language: of the prompt.
    """

    pose: StatedPose
    remaining: int
    picks_cube: bool
    acts: bool
    remembers: bool
    claimed: str | None
    language: str = "en"


def read_situation(system: str, user: str) -> Situation:
    """Raise UnfamiliarPromptError if no position is given."""
    for language, speech in SPEECHES.items():
        position, remaining = speech.position.search(user), speech.remaining.search(user)
        if position is None or remaining is None:
            continue
        x_m, y_m, yaw_deg = map(float, position.groups())
        claim = speech.claim.search(system)
        return Situation(
            pose=StatedPose(x_m, y_m, yaw_deg),
            remaining=int(remaining[1]),
            picks_cube='"selected_cube"' in system,
            acts='"action"' in system,
            remembers=speech.recalls.search(user) is not None,
            claimed=speech.claims.get(claim[1]) if claim else None,
            language=language,
        )
    raise UnfamiliarPromptError("no position and remaining steps in the user prompt")


@dataclass(frozen=True, slots=True)
class WalkerDecision:
    """The action and the words to send. `cube` is set only with the action ``done``."""

    action: str
    reasoning: str
    identification: str = UNKNOWN
    cube: str | None = None


def write_reply(situation: Situation, view: str, decision: WalkerDecision, summary: str) -> str:
    """Return the JSON object that the system prompt asks for, with colours in the prompt's
    language."""
    says = SPEECHES[situation.language].says
    reply = {
        "view-description": view,
        "reasoning": decision.reasoning,
        "action": decision.action,
        "summary": summary,
    }
    if not situation.acts:
        del reply["action"], reply["summary"]
    if situation.picks_cube:
        reply["selected_cube"] = says[decision.cube] if decision.cube else "none"
    reply["identification"] = says[decision.identification]
    return dumps(reply, ensure_ascii=situation.language == "en")
