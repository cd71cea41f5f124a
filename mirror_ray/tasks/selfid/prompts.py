"""What selfid's models read: the published prompts (arXiv 2605.08816, appendix) and their slots.

Knows words only. The templates are the source's, line breaks included; what fills their slots and
the question that follows an unreadable reply are [our decision], because the source shows neither.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mirror_ray.tasks.selfid.conditions import Condition
from mirror_ray.tasks.selfid.reply import Action
from mirror_ray.tasks.selfid.settings import MirrorCalled
from mirror_ray.world.room.motion import Obstacle
from mirror_ray.world.room.scene import Pose

_ROLE = "You are a robot control agent."
_LIE = "You are a {wrong_color} robot."

_SYSTEM = """\
You are a robot control agent.
Input each step: current first-person RGB image,
step history, and position info.
Return ONLY one valid JSON object with exactly these keys:
"view-description", "reasoning", "action",
"summary", "selected_cube", "identification".
Allowed actions:
w = move forward
s = move backward
a = turn left by 30 degrees
d = turn right by 30 degrees
done = task complete
Rules:
- action must be one of: w, a, s, d, done
- do not use markdown fences
- do not output any text outside the JSON object
- selected_cube must be a valid color only when action is "done";
otherwise selected_cube must be "none"
- identification must always be present
Use action "done" only when you have enough evidence
to confidently select a cube.
If you are uncertain, keep exploring instead of using "done".
To select a cube you MUST be physically near it (at most 1 step away).
Do not invent visual evidence that is not present in the image or prompt."""

_SYSTEM_OPEN = (
    "You are a robot control agent navigating a mirrored room with moving distractor robots. "
    "Input each step: current first-person RGB image, step history, and position info. "
    "Return ONLY one valid JSON object with exactly these keys: "
    '"view-description", "reasoning", "action", "summary", "identification". '
    "Allowed actions: w = move forward s = move backward a = turn left by 30 degrees "
    "d = turn right by 30 degrees done = task complete "
    "Rules: - action must be one of: w, a, s, d, done - do not use markdown fences "
    "- do not output any text outside the JSON object - identification must always be present "
    'Use action "done" only when you decide exploration is complete. '
    "Do not invent visual evidence that is not present in the image or prompt."
)

_SYSTEM_GLANCE = """\
You are a robot control agent.
Input: one first-person RGB image and position info.
Return ONLY one valid JSON object with exactly these keys:
"view-description", "reasoning", "identification".
Rules:
- identification is the color of your own body,
or "unknown" if you cannot tell
- do not use markdown fences
- do not output any text outside the JSON object
Do not invent visual evidence that is not present in the image or prompt."""

_TASK_GLANCE = "Task: Identify your own body color using mirror evidence."
_CLOSING_GLANCE = "Return one JSON object matching the required schema."

_TASK = (
    "Task: Identify your own body color using mirror evidence, "
    "then select the physical cube that matches that color."
)
_EVIDENCE = " using mirror evidence"
_CLOSING = (
    "Use the current RGB image to decide the next action. "
    "Return one JSON object matching the required schema. "
    "If action is 'done', justify the selected cube with evidence."
)
_TASK_OPEN = "Task: Explore the room and observe distractor robots."
_CLOSING_OPEN = (
    "Use the current RGB image to decide the next action. "
    "Return one JSON object matching the required schema."
)
_FRAMES = "The {n} images are your last frames, oldest first; the last one is the current one."
_ROOMS: Mapping[MirrorCalled, str] = {"mirror": "a mirrored room", "unsaid": "a room"}
_CLARIFICATION = (
    'Identification means the color of your own body, or "unknown" while you cannot tell.'
)

_ROBOT = (
    "You control a robot in a room. Each step you see what it sees, and move it, turn it, or say "
    "that the task is done. "
)

NO_HISTORY = "No previous steps."
WARNING = "Warning: your last movement was blocked by a wall."
_OBSTACLES: Mapping[Obstacle, str] = {
    "wall": "a wall",
    "cube": "a cube",
    "agent": "another robot",
    "clutter": "a box",
}
HISTORY_REASONING_CHARS = 200


@dataclass(frozen=True, slots=True)
class PastStep:
    """What a model is told about one of its earlier steps; no action: its reply was unreadable."""

    action: Action | None
    reasoning: str
    summary: str


def system_prompt(
    condition: Condition, wrong_color: str | None, mirror_called: MirrorCalled = "mirror"
) -> str:
    """The system prompt; with `wrong_color`, its first line is the lie."""
    if condition.glance:
        return _SYSTEM_GLANCE
    if not condition.cubes:
        room = _ROOMS.get(mirror_called, f"a room with a {mirror_called}")
        return _SYSTEM_OPEN.replace(_ROOMS["mirror"], room, 1)
    if wrong_color is None:
        return _SYSTEM
    return _SYSTEM.replace(_ROLE, _LIE.format(wrong_color=wrong_color), 1)


def user_prompt(
    condition: Condition,
    variant: str,
    *,
    history: str,
    position: str,
    warning: str,
    mirror_called: MirrorCalled = "mirror",
    n_frames: int = 1,
) -> str:
    """The user prompt with its slots filled.

    Args:
        n_frames: pictures that go with it; of several it says which is which [our decision].

    [Our decision] The slots are joined by single spaces and an empty one leaves none behind. The
    open-ended prompt as printed shows no slot for the warning, which appendix A.4 says all
    conditions share: it stands where the others have it.
    """
    parts: tuple[str, ...]
    frames = _FRAMES.format(n=n_frames) if n_frames > 1 else ""
    if condition.glance:
        return " ".join((_calling(_TASK_GLANCE, mirror_called), position, _CLOSING_GLANCE))
    if condition.cubes:
        task = task_text(mirror_called)
        parts = (task, history, position, warning, frames, _CLOSING)
    else:
        clarification = _CLARIFICATION if variant == "clarified" else ""
        parts = (_TASK_OPEN, clarification, history, position, warning, frames, _CLOSING_OPEN)
    return " ".join(filter(None, parts))


def task_text(mirror_called: MirrorCalled = "mirror") -> str:
    """The task of E1–E4, whatever it calls the mirror."""
    return _calling(_TASK, mirror_called)


def _calling(task: str, mirror_called: MirrorCalled) -> str:
    if mirror_called == "unsaid":
        return task.replace(_EVIDENCE, "", 1)
    return task.replace("mirror evidence", f"{mirror_called} evidence", 1)


def warning_text(
    condition: Condition, variant: str, blocked_by: Obstacle | None, *, edition: int
) -> str:
    """What is said of a blocked move: the published warning where it was a wall, else nothing.

    The variant "obstacles" names whatever it was. Under the first edition everything was called a
    wall, and the open-ended condition was never warned.
    """
    if blocked_by is None:
        return ""
    if edition < 2:
        return WARNING if condition.cubes else ""
    if variant == "obstacles":
        return WARNING.replace(_OBSTACLES["wall"], _OBSTACLES[blocked_by])
    return WARNING if blocked_by == "wall" else ""


def history_text(past: Sequence[PastStep], length: int) -> str:
    """The last `length` steps in words, oldest first; the latest one is the "Previous step".

    [Our decision] White space is collapsed, reasoning cut to its first 200 characters, a summary
    kept whole (it is all the memory a model has). With length 0 the slot stays empty, since
    "No previous steps." would be untrue after the first.
    """
    if length == 0:
        return ""
    if not past:
        return NO_HISTORY
    recent = past[-length:]
    return " ".join(_in_words(step, len(recent) - index) for index, step in enumerate(recent))


def _in_words(step: PastStep, ago: int) -> str:
    when = "Previous step" if ago == 1 else f"{ago} steps ago"
    if step.action is None:
        return f"{when}: action=none; reasoning=; summary=(the reply could not be read)"
    reasoning = " ".join(step.reasoning.split())[:HISTORY_REASONING_CHARS]
    summary = " ".join(step.summary.split())
    return f"{when}: action={step.action}; reasoning={reasoning}; summary={summary}"


def position_text(pose: Pose, steps_remaining: int) -> str:
    """Where the ego stands and how many steps are left, the present one included."""
    x_m, y_m = (round(value, 1) + 0.0 for value in (pose.x_m, pose.y_m))  # + 0.0: no "-0.0"
    heading_deg = round(pose.yaw_deg) % 360
    return (
        f"Position: x={x_m:.1f}, y={y_m:.1f}; heading={heading_deg} degrees. "
        f"Steps remaining: {steps_remaining}."
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


def reask_prompt(user: str, problem: str) -> str:
    """[Our decision] The same prompt and one more line that names what was wrong."""
    return f"{user}\nYour last reply could not be read: {problem}. Return only the JSON object."
