"""The agent that reads the truth, in every family: the score of a perfect model."""

from mirror_ray.agents.of_families import of_families
from mirror_ray.agents.prompt import Prompt, UnfamiliarPromptError


def oracle(prompt: Prompt) -> str:
    """Act on `Prompt.truth`, which no other agent may read.

    If a family has an agent for a key of the truth, that agent replies; else ``answer`` is given.
    """
    for key, agent in of_families("ORACLES").items():
        if key in prompt.truth:
            return agent(prompt)
    if "answer" in prompt.truth:
        return str(prompt.truth["answer"])
    raise UnfamiliarPromptError("nothing known in the truth")
