"""The agents that each family of this package brings."""

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import cast

from mirror_ray.agents.prompt import Agent
from mirror_ray.contract.packages import FAMILIES_PACKAGE, FAMILY_NAMES


def of_families(constant: str) -> Iterator[Mapping[str, Agent]]:
    """A constant of the families' modules `agents`, of those that have it.

    Args:
        constant: ``AGENTS``, by name, or ``ORACLES``, by the key of the truth that they act on.
    """
    for family in FAMILY_NAMES:
        module = import_module(f"{FAMILIES_PACKAGE}.{family}.agents")
        if hasattr(module, constant):
            yield cast("Mapping[str, Agent]", getattr(module, constant))
