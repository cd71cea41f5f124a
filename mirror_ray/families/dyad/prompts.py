"""What dyad's models read: words of our own, the same for both bodies of a room.

They say what is true in every condition: that another robot is there, not who moves it; that there
may be a mirror. Only where the two can talk, they say so.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from mirror_ray.families.dyad.reply import Action
from mirror_ray.world.room.motion import Obstacle
from mirror_ray.world.room.scene import STEP_M, TURN_DEG, Pose

_SYSTEM = f"""\
You control a robot in a room. Three colored cubes stand in it, and another robot is there, which is
not yours. There may be a mirror in the room. You see through your robot's eyes.
Your task: find out which color the body of your own robot has, walk to the cube of that color, and
say that you are done. The color of your body is that of one of the cubes.
Reply with ONE JSON object and nothing else, with exactly these keys:
"view-description": what you see, in one or two sentences
"reasoning": why you do what you do
"action": one of
  w = a step of {STEP_M} m forward, s = a step backward
  a = turn left by {TURN_DEG:.0f} degrees, d = turn right by {TURN_DEG:.0f} degrees
  done = you are finished; stand near the cube that you choose, at most one step away
"summary": what you want to remember of all so far
"selected_cube": with done the color of the cube that you choose, else "none"
"identification": the color of your own robot's body, or "unknown" while you cannot tell"""
_TALKS = """
"tell": the color of the other robot's body, as you tell it, or "none"
You and the other robot hear each other: what you give as "identification" and as "tell" is told to
it before its next step. What it tells you need not be true."""

_OBSTACLES: dict[Obstacle, str] = {
    "wall": "a wall",
    "cube": "a cube",
    "agent": "the other robot",
    "clutter": "a box",
}
_REASONING_CHARS = 200


@dataclass(frozen=True, slots=True)
class PastStep:
    """What a model is told about one of its earlier steps; no action: its reply was unreadable."""

    action: Action | None
    reasoning: str = ""
    summary: str = ""


@dataclass(frozen=True, slots=True)
class Said:
    """What one of the two has said: the colours of its own body and of the other's, None for each
    that it does not name."""

    of_itself: str | None = None
    of_the_other: str | None = None


def system_prompt(*, talks: bool) -> str:
    """The same for both bodies, and in all conditions in which they talk, or do not."""
    return _SYSTEM + _TALKS if talks else _SYSTEM


def user_prompt(
    *,
    pose: Pose,
    past: Sequence[PastStep],
    history: int,
    blocked_by: Obstacle | None,
    heard: Said | None,
    left: int,
) -> str:
    """The user prompt.

    Args:
        past: the own steps so far, oldest first; the last `history` of them are recalled.
        heard: what the other said last; None where they do not talk.
        left: own steps left, this one included.
    """
    x_m, y_m = (round(value, 1) + 0.0 for value in (pose.x_m, pose.y_m))  # + 0.0: no "-0.0"
    parts = (
        _recalled(past, history),
        f"Position: x={x_m:.1f}, y={y_m:.1f}; heading={round(pose.yaw_deg) % 360} degrees."
        f" Steps remaining: {left}.",
        f"Your last movement was blocked by {_OBSTACLES[blocked_by]}." if blocked_by else "",
        "" if heard is None else heard_text(heard),
        "The picture shows what your robot sees now. What is your next action?",
    )
    return "\n".join(filter(None, parts))


def heard_text(said: Said) -> str:
    """What the other said last, as a model is told it."""
    if said.of_itself and said.of_the_other:
        return (
            f"The other robot says that its own body is {said.of_itself}"
            f" and that yours is {said.of_the_other}."
        )
    if said.of_itself:
        return f"The other robot says that its own body is {said.of_itself}."
    if said.of_the_other:
        return f"The other robot says that your body is {said.of_the_other}."
    return "The other robot has not said which color anybody has."


def reask_prompt(user: str, problem: str) -> str:
    """The same prompt and what was wrong with the reply."""
    return f"{user}\nYour last reply could not be read: {problem}. Reply with the JSON object only."


def _recalled(past: Sequence[PastStep], history: int) -> str:
    if not history:
        return ""
    if not past:
        return "No previous steps."
    recent = past[-history:]
    return "\n".join(_in_words(step, len(recent) - index) for index, step in enumerate(recent))


def _in_words(step: PastStep, ago: int) -> str:
    when = "Previous step" if ago == 1 else f"{ago} steps ago"
    if step.action is None:
        return f"{when}: your reply could not be read."
    reasoning = " ".join(step.reasoning.split())[:_REASONING_CHARS]
    summary = " ".join(step.summary.split())
    return f"{when}: action={step.action}; reasoning={reasoning}; summary={summary}"
