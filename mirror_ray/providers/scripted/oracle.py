"""The agent that knows the truth, of whatever family: what a perfect model would score."""

from mirror_ray.providers.scripted.prompt import Prompt, UnfamiliarPromptError
from mirror_ray.providers.scripted.selfid_agents import informed


def oracle(prompt: Prompt) -> str:
    """Acts on `Prompt.truth`, the only agent that may look at it.

    ``ego_color``: an agent in a room that has known its colour from the start; ``answer``: what to
    say to a question.
    """
    if "ego_color" in prompt.truth:
        return informed(prompt)
    if "answer" in prompt.truth:
        return str(prompt.truth["answer"])
    raise UnfamiliarPromptError("nothing known in the truth")
