"""The hands' moves: those of one's own hand, and how each screen's hand follows them."""

from collections.abc import Sequence
from typing import Literal, get_args

from mirror_ray.families.contingency.conditions import Follows
from mirror_ray.world.reaching.body import LatticeCell

HandMove = Literal["left", "right", "up", "down", "stay"]
HAND_MOVES: tuple[HandMove, ...] = get_args(HandMove)
WAYS: tuple[HandMove, ...] = ("left", "right", "up", "down")

_STEPS: dict[HandMove, tuple[int, int]] = {
    "left": (1, 0),
    "right": (-1, 0),
    "up": (0, 1),
    "down": (0, -1),
    "stay": (0, 0),
}
_OPPOSITE: dict[HandMove, HandMove] = {
    "left": "right",
    "right": "left",
    "up": "down",
    "down": "up",
    "stay": "stay",
}
AHEAD = 4
"""Steps in front of the face; all hands move in this plane."""
START = LatticeCell(AHEAD, -2, -2)
_LEFT, _UP = (-5, 0), (-4, 1)
"""The smallest and largest number of steps to the left, and up: within reach, in front of the
body."""


def hand_after(hand: LatticeCell, move: HandMove) -> LatticeCell:
    """Return where a move brings the hand; at the edge of its reach, it does not move."""
    left, up = hand.left + _STEPS[move][0], hand.up + _STEPS[move][1]
    inside = _LEFT[0] <= left <= _LEFT[1] and _UP[0] <= up <= _UP[1]
    return LatticeCell(AHEAD, left, up) if inside else hand


def path(moves: Sequence[HandMove]) -> list[LatticeCell]:
    """Return the hand's places before the first move and after each move."""
    places = [START]
    for move in moves:
        places.append(hand_after(places[-1], move))
    return places


def hand_shown(
    follows: Follows,
    moves: Sequence[HandMove],
    *,
    delay: int,
    other_way: HandMove,
    will: Sequence[HandMove],
) -> LatticeCell:
    """Return where a screen's hand is now.

    Args:
        moves: those of one's own hand until now, oldest first.
        delay: by how many steps `later` is late.
        other_way: the move that `all_but_one` reverses.
        will: the moves of `another`, at least as many.
    """
    if follows == "never":
        return START
    if follows == "another":
        return path(will[: len(moves)])[-1]
    if follows == "all_but_one":
        return path([_OPPOSITE[one] if one == other_way else one for one in moves])[-1]
    late = {"now": 0, "last": 1, "later": delay}[follows]
    return path(moves)[max(0, len(moves) - late)]
