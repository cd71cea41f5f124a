"""The reference agents by name; a scripted catalogue entry's target is one of these names."""

from collections.abc import Mapping
from importlib import import_module
from types import MappingProxyType
from typing import cast

from mirror_ray.agents import sureness
from mirror_ray.agents.channel import indifferent
from mirror_ray.agents.oracle import oracle
from mirror_ray.agents.prompt import Agent
from mirror_ray.columns import FAMILY_NAMES


def _of(family: str) -> Mapping[str, Agent]:
    module = import_module(f"mirror_ray.agents.{family}.agents")
    return cast("Mapping[str, Agent]", module.AGENTS)


AGENTS: Mapping[str, Agent] = MappingProxyType(
    {name: agent for family in FAMILY_NAMES for name, agent in _of(family).items()}
    | {"oracle": indifferent(oracle)}
    | dict(sureness.AGENTS)
)
"""Name → agent: those of each family, and those that play several."""
