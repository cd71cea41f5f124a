"""How a pattern's steps grow with the text, on the worst texts that can be made from it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from random import Random
from re import _constants, _parser  # type: ignore[attr-defined]
from typing import Any

from support.regex_steps import ONE_CHAR, REPEATS, TooManyStepsError, char_test, steps_of

TRIED_IN_PART = 5
"""Of a pattern's texts `make test` tries one in so many. Most differ in a letter, and a pattern
that is not linear shows on many: this part finds every one planted in `test_regex_steps` too."""

_COMMON = "aZ0 \n\t_-.,:;()[]{}<>\"'`*/\\=|%$\x00é٣²\ud800"
_SHORT = 48
_LONG = 1_000
_SUSPECT = 5.0
_SQUARE = 10.0


@dataclass(frozen=True, slots=True)
class _Attack:
    head: str
    unit: str
    tail: str

    def __str__(self) -> str:
        return f"{self.head!r} + {self.unit!r}… + {self.tail!r}"

    def text(self, n_chars: int) -> str:
        return self.head + self.unit * -(-n_chars // len(self.unit)) + self.tail


def growth(
    pattern: re.Pattern[str], *, anchored: bool = False, every: int = 1
) -> tuple[float, str]:
    """How many times the steps that four times the text takes, at worst, and on which text.

    Four is linear, sixteen square. Infinite where a text of some hundred characters takes more
    than `MOST_STEPS`. Texts are made from the pattern: what its repetitions can hold, one by one
    and in pairs, and what it matches, whole and broken off, each repeated.

    Args:
        every: of these texts one in so many is tried.
    """
    if _parser.parse(pattern.pattern, pattern.flags).getwidth()[1] < _LONG:
        return 4.0, ""
    worst = 0.0, ""
    for attack in islice(_attacks(pattern), None, None, every):
        ratio = _ratio(pattern, attack, _SHORT, anchored=anchored)
        if ratio > _SUSPECT:
            # A bounded repetition has its fill on longer texts.
            ratio = _ratio(pattern, attack, 2 * _SHORT, anchored=anchored)
        worst = max(worst, (ratio, str(attack)))
        if ratio > _SQUARE:
            break
    return worst


def _ratio(pattern: re.Pattern[str], attack: _Attack, n_chars: int, *, anchored: bool) -> float:
    try:
        few = steps_of(pattern, attack.text(n_chars), anchored=anchored)
        return steps_of(pattern, attack.text(4 * n_chars), anchored=anchored) / few
    except TooManyStepsError:
        return float("inf")


def _attacks(pattern: re.Pattern[str]) -> Iterator[_Attack]:
    tree = _parser.parse(pattern.pattern, pattern.flags)
    flags = tree.state.flags | pattern.flags
    letters = _letters(tree, flags)
    samples = sorted({*_samples(tree, flags, letters)} - {""}, key=len)
    cuts = sorted({one[:n] for one in samples[:3] for n in range(1, min(len(one), 24) + 1)})
    plain = _sample(tree, flags, letters, Random(0), 1)
    heads = [plain[:n] for n in range(1, min(len(plain), 20) + 1)]
    for letter in letters:
        for tail in ("", "\x00", "x", "\n", *_looked_for(tree, flags, letters)):
            yield _Attack("", letter, tail)
        for head in heads:
            yield _Attack(head, letter, "\x00")
        yield from (_Attack("", letter + other, "\x00") for other in letters if other != letter)
    for unit in (*cuts, *samples, *(head + letter for head in heads for letter in letters[:4])):
        yield _Attack("", unit, "\x00")


def _letters(tree: Any, flags: int) -> list[str]:
    """One character of each kind that the pattern's repetitions distinguish."""
    nodes = [node for node in _nodes(tree) if node[0] in ONE_CHAR]
    repeated = [
        inner
        for op, av in _nodes(tree)
        if op in REPEATS and av[1] > _LONG
        for inner in _nodes(av[2])
        if inner[0] in ONE_CHAR
    ]
    # Each once: of a pattern of many words most nodes are letters that others have, too.
    tests = dict.fromkeys(char_test(node, flags) for node in nodes)
    inside = dict.fromkeys(char_test(node, flags) for node in repeated)
    pool = _COMMON + "".join(
        chr(av) + chr(av).swapcase() for op, av in nodes if op is _constants.LITERAL
    )
    kinds: dict[tuple[bool, ...], str] = {}
    for char in dict.fromkeys(pool):
        if any(test(char) for test in inside):
            key = (*(test(char) for test in tests), char.isalnum(), char == "\n")
            kinds.setdefault(key, char)
    return list(kinds.values())[:9]


def _looked_for(tree: Any, flags: int, letters: list[str]) -> list[str]:
    """What its assertions hold, which no sample has."""
    bodies = [av[1] for op, av in _nodes(tree) if op in (_constants.ASSERT, _constants.ASSERT_NOT)]
    found = (_sample(body, flags, letters, Random(n), n) for body in bodies for n in (1, 2))
    return [one + more for one in dict.fromkeys(found) for more in ("", *letters[:3])][:16]


def _samples(tree: Any, flags: int, letters: list[str]) -> Iterator[str]:
    random = Random(1)
    for most in (1, 1, 2, 2, 3, 3):
        yield _sample(tree, flags, letters, random, most)


def _sample(tree: Any, flags: int, letters: list[str], random: Random, most: int) -> str:
    """Some text that the tree matches, positions and assertions left out of account."""
    text = ""
    for op, av in tree:
        if op in ONE_CHAR:
            test = char_test((op, av), flags)
            literal = chr(av) if op is _constants.LITERAL else ""
            fitting = [char for char in (*letters, *_COMMON) if test(char)]
            text += literal or (random.choice(fitting) if fitting else "")
        elif op is _constants.SUBPATTERN:
            text += _sample(av[3], flags, letters, random, most)
        elif op is _constants.ATOMIC_GROUP:
            text += _sample(av, flags, letters, random, most)
        elif op is _constants.BRANCH:
            text += _sample(random.choice(av[1]), flags, letters, random, most)
        elif op in REPEATS:
            low, high, inner = av
            times = min(int(high), max(int(low), random.randint(1, most)))
            text += "".join(_sample(inner, flags, letters, random, most) for _ in range(times))
    return text


def _nodes(tree: Any) -> Iterator[tuple[Any, Any]]:
    for op, av in tree:
        yield op, av
        if op is _constants.BRANCH:
            for branch in av[1]:
                yield from _nodes(branch)
        elif op is _constants.SUBPATTERN:
            yield from _nodes(av[3])
        elif op in (_constants.ASSERT, _constants.ASSERT_NOT):
            yield from _nodes(av[1])
        elif op is _constants.ATOMIC_GROUP:
            yield from _nodes(av)
        elif op in REPEATS:
            yield from _nodes(av[2])
