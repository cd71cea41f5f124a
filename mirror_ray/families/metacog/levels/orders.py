"""Puzzles about an order: clues that leave exactly one order, and a question about it.

A clue is tested on all orders at once. Clues are added until one order is left, and redundant ones
are dropped."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from mirror_ray.families.metacog.bank.draws import Draws

ORDINAL_WORDS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
_Places = NDArray[np.int8]


def example_of(n: int) -> str:
    """Return an example of an answer that puts n letters in order."""
    return ", ".join("CAB" if n > 2 else "BA")


@dataclass(frozen=True, slots=True)
class Clue:
    """One statement about places, from 0.

    Args:
        how: next (b directly behind a), before, apart (n between), beside, not_beside, end (a
            is at one of both ends), not_at (a is not at place n), between (b between a and c).
    """

    how: str
    a: int
    b: int = -1
    c: int = -1
    n: int = -1


@lru_cache(maxsize=8)
def _places(n: int) -> _Places:
    """Return all orders of n things, each as the place of every thing."""
    return np.array(list(permutations(range(n))), dtype=np.int8)


def _holds(clue: Clue, at: _Places) -> NDArray[np.bool_]:
    a, b = at[:, clue.a], at[:, clue.b]
    match clue.how:
        case "next":
            found = b - a == 1
        case "before":
            found = a < b
        case "apart":
            found = abs(a - b) == clue.n + 1
        case "beside":
            found = abs(a - b) == 1
        case "not_beside":
            found = abs(a - b) != 1
        case "end":
            found = (a == 0) | (a == at.shape[1] - 1)
        case "not_at":
            found = a != clue.n
        case _:
            c = at[:, clue.c]
            found = ((a < b) & (b < c)) | ((c < b) & (b < a))
    return np.asarray(found, dtype=np.bool_)


_EASY = ("next", "next", "before", "beside")
_ALL = ("next", "before", "before", "apart", "beside", "not_beside", "end", "not_at", "between")
_WEAK = ("before", "apart", "not_beside", "end", "not_at", "between")


def clues_for(d: Draws, n: int, level: int) -> list[Clue]:
    """Return clues that are true for the order 0, 1, … n - 1, and for no other."""
    kinds = _EASY if level < 3 else _ALL if level < 7 else _WEAK
    kept: list[Clue] = []
    left = _places(n)
    for turn in range(400):
        clue = _drawn(d, d.pick(kinds if turn < 60 else ("next", *_ALL)), n)
        if clue is None:
            continue
        still = left[_holds(clue, left)]
        if len(still) < len(left):
            left = still
            kept.append(clue)
        if len(left) == 1:
            break
    return _needed(kept, n)


def _needed(clues: list[Clue], n: int) -> list[Clue]:
    masks = [_holds(clue, _places(n)) for clue in clues]
    kept = list(range(len(clues)))
    for one in range(len(clues)):
        rest = [i for i in kept if i != one]
        if rest and np.logical_and.reduce([masks[i] for i in rest]).sum() == 1:
            kept = rest
    return [clues[i] for i in kept]


def _drawn(d: Draws, how: str, n: int) -> Clue | None:
    """Return a clue of this kind that is true for 0, 1, …; None if the draws yield none."""
    a, b = d.sample(range(n), 2)
    match how:
        case "next":
            a = d.integer(0, n - 2)
            return Clue(how, a, a + 1)
        case "before":
            return Clue(how, min(a, b), max(a, b))
        case "apart":
            return Clue(how, a, b, n=abs(a - b) - 1) if abs(a - b) > 1 else None
        case "beside":
            return Clue(how, a, b) if abs(a - b) == 1 else None
        case "not_beside":
            return Clue(how, a, b) if abs(a - b) > 1 else None
        case "end":
            return Clue(how, a) if a in (0, n - 1) else None
        case "not_at":
            return Clue(how, a, n=b)
        case _:
            low, middle, high = sorted(d.sample(range(n), 3))
            low, high = d.shuffled((low, high))
            return Clue(how, low, middle, high)


def told_apart(clues: Sequence[Clue]) -> set[frozenset[int]]:
    """Return the pairs whose distance a single clue states."""
    return {frozenset((one.a, one.b)) for one in clues if one.how in ("next", "beside", "apart")}


def told(clue: Clue, names: Sequence[str], words: Mapping[str, Sequence[str]], d: Draws) -> str:
    """Return the clue in words; one of several wordings is drawn."""
    wording = d.pick(words[clue.how])
    return wording.format(
        a=names[clue.a],
        b=names[clue.b],
        c=names[clue.c],
        k=clue.n,
        s="" if clue.n == 1 else "s",
        v="s" if clue.n == 1 else "",
        place=ORDINAL_WORDS[clue.n],
    )
