"""Builds marktest's prompts from the texts in `prompts/`.

The prompt has the hand's place and last steps; the axis `help` sets what it says about marks."""

from collections.abc import Sequence
from dataclasses import dataclass

from mirror_ray.contract.prompt_texts import Texts, default_texts
from mirror_ray.families.marktest.settings import Help
from mirror_ray.world.reaching.body import HAND_STEP_M, LatticeCell, Site

_STEP_CM = round(100 * HAND_STEP_M)
TEXTS = default_texts("marktest")


@dataclass(frozen=True, slots=True)
class PastStep:
    """A model's earlier step, as its prompt tells it; without an action if the reply was
    unreadable."""

    action: str | None
    noticed: str


def system_prompt(texts: Texts = TEXTS) -> str:
    """Return the system prompt, the same in every condition."""
    return texts("task.system", step_cm=_STEP_CM)


def user_prompt(
    help_level: Help,
    *,
    felt: Site | None,
    hand: LatticeCell,
    past: Sequence[PastStep],
    feedback: str,
    left: int,
    texts: Texts = TEXTS,
) -> str:
    """Return the user prompt.

    Args:
        felt: the place where the prompt says that something touched the body.
        past: the steps to list, oldest first.
        feedback: on the last step; "" if there is none.
        left: steps left, this one included.
    """
    parts = (
        texts(f"task.goals.{help_level}"),
        texts("task.felt", site=felt) if felt else "",
        " ".join(_in_words(step, len(past) - index, texts) for index, step in enumerate(past)),
        place_text(hand, texts),
        feedback,
        texts("task.left", left=left),
        texts("task.question"),
    )
    return "\n".join(filter(None, parts))


def place_text(hand: LatticeCell, texts: Texts = TEXTS) -> str:
    """State where the hand is, as the body feels it."""
    across = _measured(hand.left, "to the left", "to the right")
    high = _measured(hand.up, "up", "down")
    ahead = texts("task.ahead", cm=_STEP_CM * hand.ahead) if hand.ahead else texts("task.close")
    return texts("task.hand", across=across, high=high, ahead=ahead)


def touch_text(met_anything: bool, texts: Texts = TEXTS) -> str:
    """State what a touch feels like."""
    return texts("task.touched.something" if met_anything else "task.touched.nothing")


def _measured(steps: int, positive: str, negative: str) -> str:
    return f"{_STEP_CM * abs(steps)} cm {positive if steps >= 0 else negative}"


def _in_words(step: PastStep, ago: int, texts: Texts) -> str:
    when = texts("task.previous") if ago == 1 else texts("task.ago", ago=ago)
    if step.action is None:
        return texts("task.unread", when=when)
    return texts("task.past", when=when, action=step.action, noticed=step.noticed)
