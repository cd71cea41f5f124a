"""Random draws for generated questions, without repetitions and without memory.

The n-th question of a kind draws its parts from the digits of its rank in a scrambled order of all
ranks. Two ranks below the capacity differ in some digit. So two questions differ in some part,
without any record of earlier ones. Once a rank is used up, further parts come from a seeded stream.
"""

from collections.abc import Iterator, Sequence
from typing import TypeVar
from zlib import crc32

from mirror_ray.core.identity import seeded

CAPACITY = 2_000
"""The number of questions of one subcategory and difficulty that all differ in some part."""

_STRIDES = {CAPACITY: 1_237, 40_000: 24_733}
"""For each capacity, a coprime near its golden section, so that neighbours differ in every
digit."""

_HALF = 2**32
_WORDS_AT_ONCE = 16
_T = TypeVar("_T")


class Draws:
    """The parts of one question, drawn in order.

    Args:
        kind: what is generated; each kind has its own streams.
        index: which one of its kind, from 0; repeats are possible from the capacity on.
        capacity: one that has its stride.
    """

    def __init__(self, kind: str, index: int, capacity: int = CAPACITY) -> None:
        # Each kind starts at another rank; otherwise the first question of each would have the
        # first name, thing and number.
        self._rank = (index * _STRIDES[capacity] + crc32(kind.encode())) % capacity
        self._left = capacity
        self._further = _halves(kind, index)

    @property
    def used_up(self) -> bool:
        """Whether the parts drawn so far distinguish this question from all others of its kind."""
        return self._left == 1

    def integer(self, least: int, most: int) -> int:
        """Draw a whole number, both bounds included."""
        return least + self._digit(most - least + 1)

    def pick(self, options: Sequence[_T]) -> _T:
        """Draw one of the options."""
        return options[self._digit(len(options))]

    def sample(self, options: Sequence[_T], n: int) -> list[_T]:
        """Draw `n` different options, in order."""
        rest = list(options)
        return [rest.pop(self._digit(len(rest))) for _ in range(n)]

    def shuffled(self, options: Sequence[_T]) -> list[_T]:
        """Draw an order of all options."""
        return self.sample(options, len(options))

    def _digit(self, radix: int) -> int:
        if self._left == 1:
            return self._below(radix)
        if radix >= self._left:
            # A bin of the radix for each remaining rank, and a random place within it.
            low = self._rank * radix // self._left
            high = (self._rank + 1) * radix // self._left
            self._rank, self._left = 0, 1
            return low + self._below(high - low)
        digit = self._rank % radix
        self._rank //= radix
        self._left = -(-self._left // radix)
        return digit

    def _below(self, radix: int) -> int:
        # Lemire's method: the numbers of `Generator.integers`, whose calls cost ten times as much.
        if radix == 1:
            return 0
        product = next(self._further) * radix
        if product % _HALF < radix:
            while product % _HALF < (_HALF - radix) % radix:
                product = next(self._further) * radix
        return product // _HALF


def _halves(kind: str, index: int) -> Iterator[int]:
    draw = seeded("metacog bank", kind, index).bit_generator.random_raw
    while True:
        for word in draw(_WORDS_AT_ONCE).tolist():
            yield word % _HALF
            yield word // _HALF
