"""Agents that get only the prompt, like a model: one solves the task, and one does not."""

import re
from collections.abc import Mapping

from mirror_ray.agents.prompt import Agent, Prompt, UnfamiliarPromptError

_SEEN = re.compile(r"reads ([A-Z]+)\. What is written on the sheet\?")


def reader(prompt: Prompt) -> str:
    """Reverse a word seen in a mirror."""
    return copier(prompt)[::-1] if prompt.user.startswith("In a mirror") else copier(prompt)


def copier(prompt: Prompt) -> str:
    """Copy the word, in a mirror or not."""
    seen = _SEEN.search(prompt.user)
    if seen is None:
        raise UnfamiliarPromptError("no sheet")
    return seen[1]


AGENTS: Mapping[str, Agent] = {"letters-reader": reader, "letters-copier": copier}
"""Name → agent; `pyproject.toml` also names each of them."""
