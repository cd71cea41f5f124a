"""The offline agents that the families of this package define in their modules `agents`."""

from collections.abc import Mapping
from functools import cache

from mirror_ray.agents.prompt import Agent
from mirror_ray.contract.packages import FAMILY_NAMES, module_of


@cache
def of_families(constant: str) -> Mapping[str, Agent]:
    """Merge one constant of all these modules. A module without it adds nothing.

    Args:
        constant: ``AGENTS``, agents by name, or ``ORACLES``, agents by the key of
            `Prompt.truth` that they act on.
    """
    return {
        key: agent
        for family in FAMILY_NAMES
        for key, agent in getattr(module_of(family, "agents"), constant, {}).items()
    }
