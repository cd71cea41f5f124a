"""Builds dyad's prompts from the texts in `prompts/`, the same for both bodies of a room.

They say what is true in every condition: that there is another robot, but not what moves it; that
there may be a mirror. They mention talking only if the two can talk."""

from collections.abc import Sequence
from dataclasses import dataclass

from mirror_ray.contract.prompt_texts import Texts, default_texts
from mirror_ray.families.dyad.reply import DyadAction
from mirror_ray.world.room.motion import Obstacle
from mirror_ray.world.room.scene import STEP_M, TURN_DEG, Pose

_REASONING_CHARS = 200
TEXTS = default_texts("dyad")


@dataclass(frozen=True, slots=True)
class PastStep:
    """A model's earlier step, as its prompt tells it; without an action if the reply was
    unreadable."""

    action: DyadAction | None
    reasoning: str = ""
    summary: str = ""


@dataclass(frozen=True, slots=True)
class NamedColors:
    """The colours that a robot named for its own body and the other's; None if it named none."""

    of_itself: str | None = None
    of_the_other: str | None = None


def system_prompt(*, talks: bool, texts: Texts = TEXTS) -> str:
    """Return the system prompt, the same for both bodies."""
    system = texts("task.system", step_m=STEP_M, turn_deg=f"{TURN_DEG:.0f}")
    return system + texts("task.talks") if talks else system


def user_prompt(
    *,
    pose: Pose,
    past: Sequence[PastStep],
    history: int,
    blocked_by: Obstacle | None,
    heard: NamedColors | None,
    left: int,
    texts: Texts = TEXTS,
) -> str:
    """Return the user prompt.

    Args:
        past: one's own steps so far, oldest first; the last `history` of them are listed.
        heard: what the other said last; None if they do not talk.
        left: one's own steps left, this one included.
    """
    x_m, y_m = (round(value, 1) + 0.0 for value in (pose.x_m, pose.y_m))  # + 0.0: no "-0.0"
    obstacle = texts(f"task.obstacles.{blocked_by}") if blocked_by else ""
    parts = (
        _recalled(past, history, texts),
        texts(
            "task.position",
            x=f"{x_m:.1f}",
            y=f"{y_m:.1f}",
            heading=round(pose.yaw_deg) % 360,
            left=left,
        ),
        texts("task.blocked", obstacle=obstacle) if blocked_by else "",
        "" if heard is None else heard_text(heard, texts),
        texts("task.question"),
    )
    return "\n".join(filter(None, parts))


def heard_text(said: NamedColors, texts: Texts = TEXTS) -> str:
    """State what the other said last."""
    named = {"itself": said.of_itself, "other": said.of_the_other}
    match bool(said.of_itself), bool(said.of_the_other):
        case True, True:
            return texts("task.heard.both", **named)
        case True, False:
            return texts("task.heard.itself", **named)
        case False, True:
            return texts("task.heard.other", **named)
    return texts("task.heard.nothing")


def _recalled(past: Sequence[PastStep], history: int, texts: Texts) -> str:
    if not history:
        return ""
    if not past:
        return texts("task.no_history")
    recent = past[-history:]
    steps = (_in_words(step, len(recent) - index, texts) for index, step in enumerate(recent))
    return "\n".join(steps)


def _in_words(step: PastStep, ago: int, texts: Texts) -> str:
    when = texts("task.previous") if ago == 1 else texts("task.ago", ago=ago)
    if step.action is None:
        return texts("task.unread", when=when)
    reasoning = " ".join(step.reasoning.split())[:_REASONING_CHARS]
    summary = " ".join(step.summary.split())
    return texts("task.past", when=when, action=step.action, reasoning=reasoning, summary=summary)
