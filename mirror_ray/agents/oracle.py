"""The agent that reads the truth, in every family: the score of a perfect model."""

from mirror_ray.agents.of_families import of_families
from mirror_ray.agents.prompt import Prompt, UnfamiliarPromptError


def oracle(prompt: Prompt) -> str:
    """Acts on `Prompt.truth`, the only agent that may read it.

    ``answer``: gives it to a question; any other key: acts as the family's agent that knows it.
    """
    for oracles in of_families("ORACLES"):
        for key, agent in oracles.items():
            if key in prompt.truth:
                return agent(prompt)
    if "answer" in prompt.truth:
        return str(prompt.truth["answer"])
    raise UnfamiliarPromptError("nothing known in the truth")
