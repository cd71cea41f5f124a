"""The agents of this package's families, and the oracle, which answers from the truth."""

from collections.abc import Mapping
from functools import cache

from mirror_ray.agents.prompt import Agent, Prompt, UnfamiliarPromptError
from mirror_ray.contract.packages import FAMILY_NAMES, module_of


@cache
def of_families(constant: str) -> Mapping[str, Agent]:
    """Merge one constant of all families' modules `agents`; a module without it adds nothing.

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

    A family's agent for a key of the truth replies; without one the reply is ``answer``.
    """
    for key, agent in of_families("ORACLES").items():
        if key in prompt.truth:
            return agent(prompt)
    if "answer" in prompt.truth:
        return str(prompt.truth["answer"])
    raise UnfamiliarPromptError("nothing known in the truth")
