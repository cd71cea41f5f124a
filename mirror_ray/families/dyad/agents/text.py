"""Parses what dyad's prompts add to a walk through a room: what the other robot said."""

import re

from mirror_ray.agents.prompt import UnfamiliarPromptError
from sim_assets.colors import COLOR_NAMES

_THERE = "another robot is there"
_TELLS = '"tell"'
_OF_ITSELF = re.compile(r"The other robot says that its own body is ([a-z]{1,12})\b")
_OF_OWN = re.compile(
    r"The other robot says that (?:your body is ([a-z]{1,12})\b"
    r"|its own body is [a-z]{1,12} and that yours is ([a-z]{1,12})\b)"
)


def require_another_robot(system: str) -> None:
    """Raise UnfamiliarPromptError if the prompt is of another kind."""
    if _THERE not in system:
        raise UnfamiliarPromptError("the prompt speaks of no other robot")


def is_asked_to_tell(system: str) -> bool:
    """Return whether a reply should tell the other robot its colour."""
    return _TELLS in system


def heard_of_other(user: str) -> str | None:
    """Return the colour that the other robot says it has; None if it names none."""
    found = _OF_ITSELF.search(user)
    return found[1] if found and found[1] in COLOR_NAMES else None


def heard_of_own(user: str) -> str | None:
    """Return the colour that the other robot says this one has; None if it names none."""
    found = _OF_OWN.search(user)
    color = (found[1] or found[2]) if found else None
    return color if color in COLOR_NAMES else None
