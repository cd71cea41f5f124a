"""The agent that reads the truth, in every family: it scores as a perfect model would."""

from mirror_ray.agents.of_families import of_families
from mirror_ray.agents.prompt import Prompt, UnfamiliarPromptError


def oracle(prompt: Prompt) -> str:
    """Reply from `Prompt.truth`, which no other agent may read.

    If a family has an agent for a key of the truth, that agent replies; otherwise the reply is
    ``answer``.
    """
    for key, agent in of_families("ORACLES").items():
        if key in prompt.truth:
            return agent(prompt)
    if "answer" in prompt.truth:
        return str(prompt.truth["answer"])
    raise UnfamiliarPromptError("nothing known in the truth")
