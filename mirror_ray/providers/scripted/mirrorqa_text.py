"""MirrorQA's prompts as an agent reads them, and the reply it gives.

Knows the wording of the questions; does not look at the picture.
"""

import re
from dataclasses import dataclass

from mirror_ray.providers.scripted.prompt import UnfamiliarPromptError

_ASKED = re.compile(r"Question: (?P<question>[^\n]*), Options: (?P<options>[^\n]*)\.\nOutput:\Z")
_OPTION = re.compile(r"[A-D]\. ([^;]+)")
_WHOSE = re.compile(r"the (?:person in the (?P<shirt>\w+) shirt|(?P<coat>\w+) dog)")
_WORN = re.compile(r"wear the (?P<color>\w+) (?:glove|boot|sock)")


@dataclass(frozen=True, slots=True)
class SideQuestion:
    """What the words ask.

    Args:
        options: as offered, in lower case.
        color: of the subject's shirt or coat; None where the question does not say it.
        worn_color: of what it wears on the limb in question; None where it wears nothing.
        is_dog: whether it is about a dog.
        reasons: reasoning is asked for.
    """

    question: str
    options: tuple[str, ...]
    color: str | None
    worn_color: str | None
    is_dog: bool
    reasons: bool


def read_side_question(user: str) -> SideQuestion:
    """Raises UnfamiliarPromptError where it is no question with listed options."""
    asked = _ASKED.search(user)
    options = tuple(text.lower() for text in _OPTION.findall(asked["options"])) if asked else ()
    if asked is None or not options:
        raise UnfamiliarPromptError("no question with options at the end of the user prompt")
    whose, worn = _WHOSE.search(asked["question"]), _WORN.search(asked["question"])
    return SideQuestion(
        question=asked["question"],
        options=options,
        color=(whose["shirt"] or whose["coat"]) if whose else None,
        worn_color=worn["color"] if worn else None,
        is_dog=bool(whose and whose["coat"]),
        reasons="Stage 3" in user,
    )


def write_option(asked: SideQuestion, option: str, reasoning: str) -> str:
    """The reply in the form that was asked for."""
    line = f"{'ABCD'[asked.options.index(option)]}. {option.capitalize()}"
    return f"{reasoning}\nAnswer: {line}" if asked.reasons else line
