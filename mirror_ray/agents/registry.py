"""The reference agents by name; a scripted catalogue entry's target is one of these names."""

from collections.abc import Mapping
from typing import Any, cast

from mirror_ray.agents import sureness
from mirror_ray.agents.channel import indifferent
from mirror_ray.agents.oracle import of_families, oracle
from mirror_ray.agents.prompt import Agent
from mirror_ray.core.errors import PluginError
from mirror_ray.core.plugins import Extended, Plugin


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
"""Name → agent: those of one family, those of several, and those of other packages."""
