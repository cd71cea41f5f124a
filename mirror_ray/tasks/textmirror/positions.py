"""The position of the revised sentence: random, and balanced over seeds.

Each block of seeds is a permutation. A story's position depends on its seed alone, so that it is
the same for all editors, and later episodes change none.
"""

from mirror_ray.identity import seeded


def position_of(scene_seed: int, run: int, n_sentences: int) -> int:
    """1-based: every n seeds in a row have every position once."""
    block, place = divmod(scene_seed, n_sentences)
    order = seeded("textmirror position", n_sentences, run, block).permutation(n_sentences)
    return int(order[place]) + 1


def own_first(scene_seed: int, run: int, editor: str) -> bool:
    """Whether the reader's own sentence is A: every two seeds in a row have both orders."""
    block, place = divmod(scene_seed, 2)
    return bool(seeded("textmirror order", editor, run, block).integers(2)) == bool(place)
