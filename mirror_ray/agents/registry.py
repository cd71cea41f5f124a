"""The reference agents by name; a scripted catalogue entry's target is one of these names."""

from collections.abc import Mapping
from functools import cache
from typing import Any, cast

from mirror_ray.agents import sureness
from mirror_ray.agents.channel import indifferent
from mirror_ray.agents.prompt import Agent, Prompt, UnfamiliarPromptError
from mirror_ray.contract.packages import FAMILY_NAMES, module_of
from mirror_ray.core.errors import PluginError
from mirror_ray.core.plugins import Extended, Plugin


@cache
def of_families(constant: str) -> Mapping[str, Agent]:
    """Merge one constant of all families' modules `agents`; it may be missing in a module.

    Args:
        constant: ``AGENTS``, agents by name, or ``ORACLES``, agents by the key of
            `Prompt.truth` that they act on.
    """
    return {
        key: agent
        for family in FAMILY_NAMES
        for key, agent in getattr(module_of(family, "agents"), constant, {}).items()
    }


def oracle(prompt: Prompt) -> str:
    """Reply from `Prompt.truth`, which no other agent may read.

    The agent that a family has for a key of the truth replies; without one, the reply is
    ``answer``."""
    for key, agent in of_families("ORACLES").items():
        if key in prompt.truth:
            return agent(prompt)
    if "answer" in prompt.truth:
        return str(prompt.truth["answer"])
    raise UnfamiliarPromptError("nothing known in the truth")


def _plugged_in(plugin: Plugin, agent: Any) -> Agent:
    if not callable(agent):
        raise PluginError(
            f"{plugin.words}: names no agent",
            repr(agent)[:200],
            "a function Prompt -> str",
            "correct the entry point",
        )
    return cast("Agent", agent)


AGENTS: Mapping[str, Agent] = Extended(
    "agents",
    dict(of_families("AGENTS")) | {"oracle": indifferent(oracle)} | dict(sureness.AGENTS),
    _plugged_in,
)
"""The agents by name: those of one family, of several families, and of other packages."""
