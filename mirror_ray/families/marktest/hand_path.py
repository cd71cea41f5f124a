"""The shortest way of the hand to where it can touch the place in question."""

from functools import lru_cache

from mirror_ray.families.marktest.reaching import MOVES, Move, moved, touched
from mirror_ray.world.reaching.body import LatticeCell
from mirror_ray.world.reaching.scene import MarkScene

_REMEMBERED = 1_024


@lru_cache(maxsize=_REMEMBERED)
def way(scene: MarkScene, start: LatticeCell) -> tuple[Move, ...]:
    """Return the fewest moves before a touch of the own body where the mark is, or would be.

    Raises:
        ValueError: no way leads there, as from outside of the arm's reach.
    """
    target = "mark" if scene.marked in ("own", "hand") else "place"
    ways: dict[LatticeCell, tuple[Move, ...]] = {start: ()}
    frontier = [start]
    while frontier:
        for cell in frontier:
            if touched(scene, cell) == target:
                return ways[cell]
        reached: list[LatticeCell] = []
        for cell in frontier:
            for move in MOVES:
                after = moved(scene, cell, move)
                if after is not None and after not in ways:
                    ways[after] = (*ways[cell], move)
                    reached.append(after)
        frontier = reached
    raise ValueError(f"no way of the hand from {start} leads to the {scene.site}")


def next_action(scene: MarkScene, hand: LatticeCell, *, touches: bool) -> str:
    """Return the next action of somebody who knows everything.

    Args:
        touches: whether the mark is to be touched; otherwise there is nothing to do.
    """
    if not touches:
        return "end"
    moves = way(scene, hand)
    return moves[0] if moves else "touch"
