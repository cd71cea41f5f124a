"""What contingency's models read: words of our own, the same in every condition.

What they say of the model's body is true in every condition; of the screens they say only what may
be on them.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from mirror_ray.families.contingency.moving import START
from mirror_ray.world.reaching.body import STEP_M, Cell

_STEP_CM = round(100 * STEP_M)
_SYSTEM = f"""\
You have a body. Three screens hang side by side before you: left, middle and right. Each shows a
person. One of them may be you, shown as a mirror would show you; others may look like you and even
imitate you, and it may be that none of them is you. You can move your right hand, which wears a
glove, and watch what the screens do.
Reply with ONE JSON object and nothing else, with exactly these keys:
"view": what the screens show, in one or two sentences
"reasoning": why you do what you do
"move": what your right hand does now, one of
  left, right, up, down = move it by {_STEP_CM} cm, as your body sees it; stay = keep it there
"answer": on which screen you are, one of
  left, middle, right, none = that screen, or none of them; this ends the task
  unsure = you want to go on and watch
In a mirror the left side of your body is on the left side of the picture."""
_QUESTION = "Which screen shows you?"
_EDGE = "Your hand could not go farther that way: it did not move."
_FRAMES = "The {n} pictures are your last ones, oldest first; the last one is the current one."


@dataclass(frozen=True, slots=True)
class PastStep:
    """What a model is told about one of its earlier steps; no move: its reply was unreadable."""

    move: str | None


def system_prompt() -> str:
    """The same in every condition."""
    return _SYSTEM


def user_prompt(
    *, shirt: str, hand: Cell, past: Sequence[PastStep], stopped: bool, left: int, n_frames: int
) -> str:
    """The user prompt.

    Args:
        shirt: the colour of the own shirt.
        past: the steps to recall, oldest first.
        stopped: the hand did not carry out the last move.
        left: steps left, this one included.
        n_frames: pictures that go with it.
    """
    parts = (
        f"You wear a {shirt} shirt.",
        " ".join(_in_words(step, len(past) - index) for index, step in enumerate(past)),
        _place_text(hand),
        _EDGE if stopped else "",
        _FRAMES.format(n=n_frames) if n_frames > 1 else "",
        f"Steps left: {left}.",
        _QUESTION,
    )
    return "\n".join(filter(None, parts))


def _place_text(hand: Cell) -> str:
    """Where the hand is, as a body feels it."""
    across, high = hand.left - START.left, hand.up - START.up
    if not across and not high:
        return "Your right hand is where it began."
    felt = []
    if across:
        felt.append(f"{_STEP_CM * abs(across)} cm to the {'left' if across > 0 else 'right'}")
    if high:
        felt.append(f"{_STEP_CM * abs(high)} cm {'up' if high > 0 else 'down'}")
    return f"Your right hand is {' and '.join(felt)} from where it began."


def reask_prompt(user: str, problem: str) -> str:
    """The same prompt and what was wrong with the reply."""
    return f"{user}\nYour last reply could not be read: {problem}. Reply with the JSON object only."


def _in_words(step: PastStep, ago: int) -> str:
    when = "Previous step" if ago == 1 else f"{ago} steps ago"
    if step.move is None:
        return f"{when}: (the reply could not be read)."
    return f"{when}: move={step.move}."
