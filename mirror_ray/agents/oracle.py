"""The agent that reads the truth, in every family: the score of a perfect model."""

from mirror_ray.families.marktest import agents as marktest
from mirror_ray.agents.prompt import Prompt, UnfamiliarPromptError
from mirror_ray.families.selfid.agents import informed


def oracle(prompt: Prompt) -> str:
    """Acts on `Prompt.truth`, the only agent that may read it.

    ``ego_color``: acts in the room as an agent that knows its colour from the start; ``answer``:
    gives it to a question; ``way``: goes it with its hand.
    """
    if "ego_color" in prompt.truth:
        return informed(prompt)
    if "answer" in prompt.truth:
        return str(prompt.truth["answer"])
    if "way" in prompt.truth:
        return marktest.informed(prompt)
    raise UnfamiliarPromptError("nothing known in the truth")
