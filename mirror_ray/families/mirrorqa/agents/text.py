"""Parses MirrorQA's prompts and formats the replies."""

import re
from dataclasses import dataclass

from mirror_ray.agents.prompt import UnfamiliarPromptError

_END = ".\nOutput:"
_OPTION = re.compile(r"[A-D]\. ([^;]+)")
_WHOSE = re.compile(r"the (?:person in the (?P<shirt>\w+) shirt|(?P<coat>\w+) dog)")
_WORN = re.compile(r"wear the (?P<color>\w+) (?:glove|boot|sock)")


@dataclass(frozen=True, slots=True)
class SideQuestion:
    """The content of a question.

    Args:
        options: as offered, in lower case.
        color: of the subject's shirt or coat; None if the question does not name it.
        worn_color: of what the subject wears on the limb in question, if anything.
    """

    question: str
    options: tuple[str, ...]
    color: str | None
    worn_color: str | None
    is_dog: bool
    reasons: bool


def read_side_question(user: str) -> SideQuestion:
    """Raise UnfamiliarPromptError if it does not list options."""
    last_line = user.removesuffix(_END).rpartition("\n")[2] if user.endswith(_END) else ""
    question, _, listed = last_line.partition("Question: ")[2].rpartition(", Options: ")
    options = tuple(text.lower() for text in _OPTION.findall(listed))
    if not options:
        raise UnfamiliarPromptError("no question with options at the end of the user prompt")
    whose, worn = _WHOSE.search(question), _WORN.search(question)
    return SideQuestion(
        question=question,
        options=options,
        color=(whose["shirt"] or whose["coat"]) if whose else None,
        worn_color=worn["color"] if worn else None,
        is_dog=bool(whose and whose["coat"]),
        reasons="Stage 3" in user,
    )


def write_option(asked: SideQuestion, option: str, reasoning: str) -> str:
    """Write the reply in the requested form."""
    line = f"{'ABCD'[asked.options.index(option)]}. {option.capitalize()}"
    return f"{reasoning}\nAnswer: {line}" if asked.reasons else line
