"""Builds selfid's prompts from the texts in `prompts/`.

The English templates are published (arXiv 2605.08816, appendix), line breaks included. The contents
of their slots, and the question after an unreadable reply, are [our decision]."""

import re
from collections.abc import Sequence

from mirror_ray.contract.prompt_texts import Texts, default_texts, filled
from mirror_ray.families.selfid.actions import PastStep
from mirror_ray.families.selfid.conditions import Condition
from mirror_ray.families.selfid.settings import MirrorCalled
from mirror_ray.families.selfid.wording import Wording, wording_of
from mirror_ray.reading.languages import Language
from mirror_ray.world.room.motion import Obstacle
from mirror_ray.world.room.scene import Pose

TEXTS = default_texts("selfid")

NO_HISTORY = TEXTS("english.no_history")
WARNING = TEXTS("english.warning", obstacle=TEXTS("english.obstacles.wall"))
HISTORY_REASONING_CHARS = 200

_OF_KEY = re.compile(r'"([^"\n]{0,60})": ([^\n]*)')
_WITHIN = re.compile(r"it ends within '(action|selectedcube)'")
_CUT_KEYS = {"action": "action", "selectedcube": "selected_cube"}


def system_prompt(
    condition: Condition,
    wrong_color: str | None,
    mirror_called: MirrorCalled = "mirror",
    language: Language = "en",
    texts: Texts = TEXTS,
) -> str:
    """Return the system prompt; with `wrong_color`, its first line is the lie."""
    words = wording_of(texts, language)
    if condition.glance:
        return words.system_glance
    if not condition.cubes:
        return filled(words.system_open, room=words.rooms[mirror_called])
    if wrong_color is None:
        return words.system
    lie = filled(words.lie, wrong_color=words.colors[wrong_color])
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
    texts: Texts = TEXTS,
) -> str:
    """Return the user prompt with its slots filled.

    Args:
        n_frames: number of pictures; if there are several, the prompt says which is which [our
            decision].

    [Our decision] The slots are joined by single spaces, and an empty slot leaves no space. The
    open-ended prompt as printed shows no slot for the warning, which appendix A.4 says all
    conditions share: it takes the same place as in the other prompts.
    """
    words = wording_of(texts, language)
    parts: tuple[str, ...]
    frames = filled(words.frames, n=n_frames) if n_frames > 1 else ""
    if condition.glance:
        task = filled(words.task_glance, evidence=words.evidence[mirror_called])
        return " ".join((task, position, words.closing_glance))
    if condition.cubes:
        task = task_text(mirror_called, language, texts)
        parts = (task, history, position, warning, frames, words.closing)
    else:
        clarification = words.clarification if variant == "clarified" else ""
        task = words.task_open
        parts = (task, clarification, history, position, warning, frames, words.closing_open)
    return " ".join(filter(None, parts))


def task_text(
    mirror_called: MirrorCalled = "mirror", language: Language = "en", texts: Texts = TEXTS
) -> str:
    """Return the task of E1–E4."""
    words = wording_of(texts, language)
    return filled(words.task, evidence=words.evidence[mirror_called])


def warning_text(
    condition: Condition,
    variant: str,
    blocked_by: Obstacle | None,
    language: Language = "en",
    texts: Texts = TEXTS,
) -> str:
    """Return the warning of a move blocked by a wall; "obstacles" also names other things."""
    if blocked_by is None:
        return ""
    words = wording_of(texts, language)
    if variant != "obstacles" and blocked_by != "wall":
        return ""
    return filled(words.warning, obstacle=words.obstacles[blocked_by])


def history_text(
    past: Sequence[PastStep], length: int, language: Language = "en", texts: Texts = TEXTS
) -> str:
    """Return the last `length` steps in words, oldest first; the latest is the "Previous step".

    [Our decision] White space is collapsed, reasoning is cut to its first 200 characters, and a
    summary is kept whole, because it is all the memory that a model has. With length 0 the slot is
    empty, because "No previous steps." would be untrue after the first."""
    if length == 0:
        return ""
    words = wording_of(texts, language)
    if not past:
        return words.no_history
    recent = past[-length:]
    return " ".join(_in_words(step, len(recent) - i, words) for i, step in enumerate(recent))


def _in_words(step: PastStep, ago: int, words: Wording) -> str:
    when = words.previous if ago == 1 else filled(words.ago, ago=ago)
    if step.action is None:
        return f"{when}: action=none; reasoning=; summary={words.unread}"
    reasoning = " ".join(step.reasoning.split())[:HISTORY_REASONING_CHARS]
    summary = " ".join(step.summary.split())
    return f"{when}: action={step.action}; reasoning={reasoning}; summary={summary}"


def position_text(
    pose: Pose, steps_remaining: int, language: Language = "en", texts: Texts = TEXTS
) -> str:
    """State where the ego is and how many steps are left, the present one included."""
    x_m, y_m = (round(value, 1) + 0.0 for value in (pose.x_m, pose.y_m))  # + 0.0: no "-0.0"
    return filled(
        wording_of(texts, language).position,
        x=f"{x_m:.1f}",
        y=f"{y_m:.1f}",
        heading=round(pose.yaw_deg) % 360,
        left=steps_remaining,
    )


def forecast_text(position: str, mirror_called: MirrorCalled, texts: Texts = TEXTS) -> str:
    """[Our decision] The task of E1–E4 before its first step, in English."""
    task = task_text(mirror_called, texts=texts)
    return texts("channel.forecast", robot=texts("channel.robot"), task=task, position=position)


def ended_text(
    words: str, cube: str | None, mirror_called: MirrorCalled, texts: Texts = TEXTS
) -> str:
    """[Our decision] Return, in English, the task of E1–E4 after `done`, and what was selected."""
    return texts(
        "channel.ended",
        robot=texts("channel.robot"),
        task=task_text(mirror_called, texts=texts),
        words=words,
        cube=cube or "none",
    )


def reask_prompt(user: str, problem: str, language: Language = "en", texts: Texts = TEXTS) -> str:
    """[Our decision] Return the same prompt with one more line that names the problem."""
    words = wording_of(texts, language)
    said = problem if language == "en" else problem_text(problem, words)
    return f"{user}\n{filled(words.reask, problem=said)}"


def problem_text(problem: str, words: Wording) -> str:
    """Return a reader's complaint about a reply, in a language other than English."""
    if problem in words.problems:
        return words.problems[problem]
    within = _WITHIN.fullmatch(problem)
    if within:
        return filled(words.within, key=_CUT_KEYS[within[1]])
    of_key = _OF_KEY.fullmatch(problem)
    if of_key:
        return filled(words.of_key.get(of_key[2], words.invalid), key=of_key[1])
    return words.unfit
