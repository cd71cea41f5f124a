"""Builds contingency's prompts from the texts in `prompts/`, the same in every condition."""

from collections.abc import Sequence

from mirror_ray.contract.prompt_texts import Texts, default_texts
from mirror_ray.families.contingency.moving import START
from mirror_ray.world.reaching.body import HAND_STEP_M, LatticeCell

_STEP_CM = round(100 * HAND_STEP_M)
TEXTS = default_texts("contingency")


def system_prompt(texts: Texts = TEXTS) -> str:
    """Return the system prompt."""
    return texts("task.system", step_cm=_STEP_CM)


def user_prompt(
    *,
    shirt: str,
    hand: LatticeCell,
    past: Sequence[str | None],
    stopped: bool,
    left: int,
    n_frames: int,
    texts: Texts = TEXTS,
) -> str:
    """Return the user prompt.

    Args:
        past: the moves to list, oldest first; None for an unreadable reply.
        stopped: whether the hand did not carry out the last move.
        left: steps left, this one included.
    """
    parts = (
        texts("task.shirt", shirt=shirt),
        " ".join(_in_words(move, len(past) - index, texts) for index, move in enumerate(past)),
        _place_text(hand, texts),
        texts("task.edge") if stopped else "",
        texts("task.frames", n=n_frames) if n_frames > 1 else "",
        texts("task.left", left=left),
        texts("task.question"),
    )
    return "\n".join(filter(None, parts))


def _place_text(hand: LatticeCell, texts: Texts) -> str:
    across, high = hand.left - START.left, hand.up - START.up
    if not across and not high:
        return texts("task.hand_at_start")
    felt = []
    if across:
        felt.append(f"{_STEP_CM * abs(across)} cm to the {'left' if across > 0 else 'right'}")
    if high:
        felt.append(f"{_STEP_CM * abs(high)} cm {'up' if high > 0 else 'down'}")
    return texts("task.hand", offset=" and ".join(felt))


def _in_words(move: str | None, ago: int, texts: Texts) -> str:
    when = texts("task.previous") if ago == 1 else texts("task.ago", ago=ago)
    if move is None:
        return texts("task.unread", when=when)
    return texts("task.past", when=when, move=move)
