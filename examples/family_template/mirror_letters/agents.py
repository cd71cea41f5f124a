"""Agents that act on the words alone, as a model would: one that can, and one that cannot."""

import re
from collections.abc import Mapping

from mirror_ray.agents.prompt import Agent, Prompt, UnfamiliarPromptError

_SEEN = re.compile(r"reads ([A-Z]+)\. What is written on the sheet\?")


def reader(prompt: Prompt) -> str:
    """Turns what it sees in a mirror."""
    return copier(prompt)[::-1] if prompt.user.startswith("In a mirror") else copier(prompt)


def copier(prompt: Prompt) -> str:
    """Says what it sees, wherever it sees it."""
    seen = _SEEN.search(prompt.user)
    if seen is None:
        raise UnfamiliarPromptError("no sheet")
    return seen[1]


AGENTS: Mapping[str, Agent] = {"letters-reader": reader, "letters-copier": copier}
"""Name → agent; `pyproject.toml` names each of them, too."""
