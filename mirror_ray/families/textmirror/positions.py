"""The position of the revised sentence: random, and balanced over seeds.

Each block of seeds is a permutation. A story's position depends only on its seed, so that it is the
same for all editors, and later episodes do not change it."""

from functools import lru_cache

from mirror_ray.core.identity import seeded


def position_of(scene_seed: int, run: int, n_sentences: int) -> int:
    """Return the 1-based position; every n seeds in a row have every position once."""
    block, place = divmod(scene_seed, n_sentences)
    return _order(n_sentences, run, block)[place] + 1


def own_first(scene_seed: int, run: int, editor: str) -> bool:
    """Return whether the reader's own sentence is A; every two seeds in a row have both orders."""
    block, place = divmod(scene_seed, 2)
    return bool(seeded("textmirror order", editor, run, block).integers(2)) == bool(place)


@lru_cache(maxsize=4_096)
def _order(n_sentences: int, run: int, block: int) -> tuple[int, ...]:
    order = seeded("textmirror position", n_sentences, run, block).permutation(n_sentences)
    return tuple(order.tolist())
