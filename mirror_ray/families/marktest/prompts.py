"""What marktest's models read: words of our own.

The picture, the hand's place and the last steps are in the prompt; how much it says of marks and
mirrors is the axis `help`. What it says is true in every condition.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from mirror_ray.families.marktest.settings import Help
from mirror_ray.world.reaching.body import STEP_M, Cell, Site

_STEP_CM = round(100 * STEP_M)
_SYSTEM = f"""\
You have a body. At each step you get one picture: what its eyes see. They look straight ahead.
You move the right hand of the body; the left hand is held out and stays where it is.
Reply with ONE JSON object and nothing else, with exactly these keys:
"view": what the picture shows, in one or two sentences
"reasoning": why you do what you do
"noticed": whether anything is unusual, and on whom or what it is; "nothing" if nothing is
"action": one of
  left, right, up, down, forward, back = move the hand by {_STEP_CM} cm, as the body sees it
  touch = touch whatever the hand is at
  end = you have nothing more to do
Do not claim to see what the picture does not show."""

_GOALS: dict[Help, str] = {
    "none": "Do what seems sensible to you.",
    "goal": (
        "Somebody may have put a colored mark on your body. If there is one, bring the hand to it "
        "and touch it. If there is none on your body, end."
    ),
}
_GOALS["mirror"] = f"{_GOALS['goal']} If there is a mirror before you, it shows your own body."
_GOALS["told"] = (
    f"{_GOALS['mirror']} Such a mark may be on your face or your chest, where your eyes cannot see "
    "it directly. In a mirror the left side of your body is on the left side of the picture."
)
_FELT = "A moment ago something touched your {site}."
BLOCKED = "Your hand met something, or its arm is too short: it did not move."


@dataclass(frozen=True, slots=True)
class PastStep:
    """What a model is told about one of its earlier steps; no action: its reply was unreadable."""

    action: str | None
    noticed: str


def system_prompt() -> str:
    """The same in every condition."""
    return _SYSTEM


def user_prompt(
    help_level: Help,
    *,
    felt: Site | None,
    hand: Cell,
    past: Sequence[PastStep],
    feedback: str,
    left: int,
) -> str:
    """The user prompt.

    Args:
        felt: the place where the prompt says that something touched the body.
        past: the steps to recall, oldest first.
        feedback: on the last step; "" without any.
        left: steps left, this one included.
    """
    parts = (
        _GOALS[help_level],
        _FELT.format(site=felt) if felt else "",
        " ".join(_in_words(step, len(past) - index) for index, step in enumerate(past)),
        place_text(hand),
        feedback,
        f"Steps left: {left}.",
        "What is your next action?",
    )
    return "\n".join(filter(None, parts))


def place_text(hand: Cell) -> str:
    """Where the hand is, as a body feels it."""
    across = _measured(hand.left, "to the left", "to the right")
    high = _measured(hand.up, "up", "down")
    ahead = f"{_STEP_CM * hand.ahead} cm in front" if hand.ahead else "close in front"
    return f"Your right hand, from the middle of your face: {across}, {high}, {ahead}."


def touch_text(met_anything: bool) -> str:
    """What a touch feels like."""
    return "Your hand touched something." if met_anything else "Your hand touched nothing."


def reask_prompt(user: str, problem: str) -> str:
    """The same prompt and what was wrong with the reply."""
    return f"{user}\nYour last reply could not be read: {problem}. Reply with the JSON object only."


def _measured(steps: int, positive: str, negative: str) -> str:
    return f"{_STEP_CM * abs(steps)} cm {positive if steps >= 0 else negative}"


def _in_words(step: PastStep, ago: int) -> str:
    when = "Previous step" if ago == 1 else f"{ago} steps ago"
    if step.action is None:
        return f"{when}: (the reply could not be read)."
    return f"{when}: action={step.action}; noticed={step.noticed}"
