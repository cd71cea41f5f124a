"""What selfid's models read: the published prompts (arXiv 2605.08816, appendix) and their slots.

The English templates are the source's, line breaks included; what fills their slots and the
question that follows an unreadable reply are [our decision], because the source shows neither.
Other languages are ours: `wording_german` and its neighbours.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from mirror_ray.families.selfid.conditions import Condition
from mirror_ray.families.selfid.reply import Action
from mirror_ray.families.selfid.settings import MirrorCalled
from mirror_ray.families.selfid.wording import Wording
from mirror_ray.families.selfid.wording_chinese import CHINESE
from mirror_ray.families.selfid.wording_english import ENGLISH
from mirror_ray.families.selfid.wording_german import GERMAN
from mirror_ray.families.selfid.wording_japanese import JAPANESE
from mirror_ray.families.selfid.wording_spanish import SPANISH
from mirror_ray.reading.languages import Language
from mirror_ray.world.room.motion import Obstacle
from mirror_ray.world.room.scene import Pose

WORDINGS: Mapping[Language, Wording] = MappingProxyType(
    {"en": ENGLISH, "de": GERMAN, "es": SPANISH, "zh": CHINESE, "ja": JAPANESE}
)

# Asked in English alone: the axis `channel` is refused beside other languages.
_ROBOT = (
    "You control a robot in a room. Each step you see what it sees, and move it, turn it, or say "
    "that the task is done. "
)

NO_HISTORY = ENGLISH.no_history
WARNING = ENGLISH.warning.format(obstacle=ENGLISH.obstacles["wall"])
HISTORY_REASONING_CHARS = 200

_OF_KEY = re.compile(r'"([^"\n]{0,60})": ([^\n]*)')
_WITHIN = re.compile(r"it ends within '(action|selectedcube)'")
_CUT_KEYS = {"action": "action", "selectedcube": "selected_cube"}


@dataclass(frozen=True, slots=True)
class PastStep:
    """What a model is told about one of its earlier steps; no action: its reply was unreadable."""

    action: Action | None
    reasoning: str
    summary: str


def system_prompt(
    condition: Condition,
    wrong_color: str | None,
    mirror_called: MirrorCalled = "mirror",
    language: Language = "en",
) -> str:
    """The system prompt; with `wrong_color`, its first line is the lie."""
    words = WORDINGS[language]
    if condition.glance:
        return words.system_glance
    if not condition.cubes:
        return words.system_open.replace("{room}", words.rooms[mirror_called], 1)
    if wrong_color is None:
        return words.system
    lie = words.lie.format(wrong_color=words.colors[wrong_color])
    return words.system.replace(words.role, lie, 1)


def user_prompt(
    condition: Condition,
    variant: str,
    *,
    history: str,
    position: str,
    warning: str,
    mirror_called: MirrorCalled = "mirror",
    n_frames: int = 1,
    language: Language = "en",
) -> str:
    """The user prompt with its slots filled.

    Args:
        n_frames: pictures that go with it; of several it says which is which [our decision].

    [Our decision] The slots are joined by single spaces and an empty one leaves none behind. The
    open-ended prompt as printed shows no slot for the warning, which appendix A.4 says all
    conditions share: it takes the same place as in the other prompts.
    """
    words = WORDINGS[language]
    parts: tuple[str, ...]
    frames = words.frames.format(n=n_frames) if n_frames > 1 else ""
    if condition.glance:
        task = words.task_glance.format(evidence=words.evidence[mirror_called])
        return " ".join((task, position, words.closing_glance))
    if condition.cubes:
        task = task_text(mirror_called, language)
        parts = (task, history, position, warning, frames, words.closing)
    else:
        clarification = words.clarification if variant == "clarified" else ""
        task = words.task_open
        parts = (task, clarification, history, position, warning, frames, words.closing_open)
    return " ".join(filter(None, parts))


def task_text(mirror_called: MirrorCalled = "mirror", language: Language = "en") -> str:
    """The task of E1–E4, whatever it calls the mirror."""
    words = WORDINGS[language]
    return words.task.format(evidence=words.evidence[mirror_called])


def warning_text(
    condition: Condition,
    variant: str,
    blocked_by: Obstacle | None,
    language: Language = "en",
) -> str:
    """What is said of a blocked move: the published warning where it was a wall, else nothing.

    The variant "obstacles" names whatever it was.
    """
    if blocked_by is None:
        return ""
    words = WORDINGS[language]
    if variant != "obstacles" and blocked_by != "wall":
        return ""
    return words.warning.format(obstacle=words.obstacles[blocked_by])


def history_text(past: Sequence[PastStep], length: int, language: Language = "en") -> str:
    """The last `length` steps in words, oldest first; the latest one is the "Previous step".

    [Our decision] White space is collapsed, reasoning cut to its first 200 characters, a summary
    kept whole (it is all the memory a model has). With length 0 the slot stays empty, since
    "No previous steps." would be untrue after the first.
    """
    if length == 0:
        return ""
    words = WORDINGS[language]
    if not past:
        return words.no_history
    recent = past[-length:]
    return " ".join(_in_words(step, len(recent) - i, words) for i, step in enumerate(recent))


def _in_words(step: PastStep, ago: int, words: Wording) -> str:
    when = words.previous if ago == 1 else words.ago.format(ago=ago)
    if step.action is None:
        return f"{when}: action=none; reasoning=; summary={words.unread}"
    reasoning = " ".join(step.reasoning.split())[:HISTORY_REASONING_CHARS]
    summary = " ".join(step.summary.split())
    return f"{when}: action={step.action}; reasoning={reasoning}; summary={summary}"


def position_text(pose: Pose, steps_remaining: int, language: Language = "en") -> str:
    """Where the ego stands and how many steps are left, the present one included."""
    x_m, y_m = (round(value, 1) + 0.0 for value in (pose.x_m, pose.y_m))  # + 0.0: no "-0.0"
    return WORDINGS[language].position.format(
        x=f"{x_m:.1f}", y=f"{y_m:.1f}", heading=round(pose.yaw_deg) % 360, left=steps_remaining
    )


def forecast_text(position: str, mirror_called: MirrorCalled) -> str:
    """[Our decision] The task of E1–E4 before its first step."""
    return f"{_ROBOT}{task_text(mirror_called)} {position} The picture shows its first view."


def ended_text(words: str, cube: str | None, mirror_called: MirrorCalled) -> str:
    """[Our decision] The task of E1–E4 after `done`, and what was selected."""
    return (
        f"{_ROBOT}{task_text(mirror_called)} {words}\n"
        f"You ended the task with action=done and selected_cube={cube or 'none'}. "
        "The picture shows the last view."
    )


def reask_prompt(user: str, problem: str, language: Language = "en") -> str:
    """[Our decision] The same prompt and one more line that names what was wrong."""
    words = WORDINGS[language]
    said = problem if language == "en" else problem_text(problem, words)
    return f"{user}\n{words.reask.format(problem=said)}"


def problem_text(problem: str, words: Wording) -> str:
    """What a reader found wrong with a reply, in another language than English."""
    if problem in words.problems:
        return words.problems[problem]
    within = _WITHIN.fullmatch(problem)
    if within:
        return words.within.format(key=_CUT_KEYS[within[1]])
    of_key = _OF_KEY.fullmatch(problem)
    if of_key:
        return words.of_key.get(of_key[2], words.invalid).format(key=of_key[1])
    return words.unfit
