"""No text costs a reader more than in proportion to its length, whatever is repeated in it.

Bounded in steps, which are counted, never in seconds:

- Every pattern that the project compiles is found by itself and run by a matcher that backtracks
  as `re` does and counts (`support.regex_steps`), on texts made from that very pattern: four times
  the text must not take more than about four times the steps.
- Every reader is run on texts of `support.worst_texts` under a tracer that counts its lines of
  Python, those of libraries included: there are the loops that no pattern shows. So many a
  character are allowed, where a loop in a loop would take hundreds.
- What neither sees, loops in C, is left to a ratio of processor times, and only where there is
  enough of it to be told from noise: at 64 times the length a loop within a loop takes 4096 times
  as long, and no busy machine hides that from the smallest of several.
"""

import re
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from re import _constants, _parser  # type: ignore[attr-defined]
from types import FrameType
from typing import Any

from support.each_case import each
from support.patterns_in_use import modules, patterns_of, sources
from support.regex_growth import TRIED_IN_PART, growth
from support.regex_steps import ONE_CHAR
from support.text_reader import TextReader
from support.text_readers import NO_READERS, READERS
from support.whole import IS_WHOLE
from support.worst_texts import FRAMES, PIECES, repeated

IN_TURNS = 1 if IS_WHOLE else 32
"""Of the worst texts `make test` gives a reader one in so many, and the next reader the next ones:
readers share what they look with, and each text goes to many of them."""

MOST_GROWTH = 6.0
"""Of steps on four times the text: 4 is linear, 16 is square."""

LOOKS_INTO_TEXT = re.compile(
    r"^\s*(?:import (?:re|json|yaml|ast|csv|json_repair|difflib)\b"
    r"|from (?:re|json|email|urllib|html|csv|difflib|punkt|xml|fractions)[. ].*import)"
    r"|fromisoformat|model_validate_json|\bint_of\b|\b(?:parse|read)_json\b",
    re.MULTILINE,
)


@each("module", modules())
def test_every_pattern_is_linear(module: str) -> None:
    for pattern, anchored in patterns_of(module).values():
        times, worst = _growth(pattern, anchored=anchored)
        said = f"{pattern.pattern!r} takes {times:.1f} times the steps on {worst}"
        assert times <= MOST_GROWTH, said


def test_no_group_is_repeated_possessively() -> None:
    """Before Python 3.11.5, `(?:ab)*+` also consumes the second `a` of `abac`, which is wrong
    (python/cpython#106052); Debian 12 has 3.11.2. `(?>(?:ab)*)` is right in every version."""
    for module in modules():
        for pattern, _ in patterns_of(module).values():
            found = _possessive_groups(_parser.parse(pattern.pattern, pattern.flags))
            assert not found, f"{module}: {pattern.pattern!r}"
    assert _possessive_groups(_parser.parse("a(b|(?:cd)*+)"))
    assert not _possessive_groups(_parser.parse("a(b|(?>(?:cd)*))[ef]*+g?+"))


def _possessive_groups(tree: Any) -> bool:
    if isinstance(tree, _parser.SubPattern):
        return any(
            (op is _constants.POSSESSIVE_REPEAT and (len(av[2]) > 1 or av[2][0][0] not in ONE_CHAR))
            or _possessive_groups(av)
            for op, av in tree
        )
    return isinstance(tree, (list, tuple)) and any(map(_possessive_groups, tree))


@cache
def _growth(pattern: re.Pattern[str], *, anchored: bool) -> tuple[float, str]:
    """Many modules have the same."""
    return growth(pattern, anchored=anchored, every=1 if IS_WHOLE else TRIED_IN_PART)


def test_every_module_that_looks_into_text_is_known() -> None:
    looking = {name for name, source in sources() if LOOKS_INTO_TEXT.search(source)}
    known = {reader.module for reader in READERS} | NO_READERS.keys()
    assert not looking - known, "add it to READERS, or to NO_READERS with the reason"
    assert not NO_READERS.keys() - looking, "no longer looks into text"


@each(("number", "reader"), enumerate(READERS))
def test_no_reader_takes_more_steps_than_in_proportion(number: int, reader: TextReader) -> None:
    # What is looked up or compiled once is not the text's.
    _lines_of_python(reader, "")
    for piece, (head, tail) in _LOOPED[number % IN_TURNS :: reader.every * IN_TURNS]:
        text, longer = (head + repeated(piece, n) + tail for n in (300, 1_200))
        lines = _lines_of_python(reader, longer)
        if lines > LINES_OF_A_LOOP * len(longer):
            times = lines / _lines_of_python(reader, text)
            assert times <= MOST_GROWTH, f"{times:.1f} times the lines on {head!r} + {piece!r}…"


@each(("number", "reader"), enumerate(READERS))
def test_no_reader_loops_within_a_loop(number: int, reader: TextReader) -> None:
    for piece in PIECES[16 * (number % IN_TURNS) :: 16 * reader.every * IN_TURNS]:
        long_s = _processor_s(reader, repeated(piece, LONG_CHARS))
        if long_s < TELLING_S:
            continue
        long_s = min(long_s, _processor_s(reader, repeated(piece, LONG_CHARS)))
        short_s = min(_processor_s(reader, repeated(piece, LONG_CHARS // 64)) for _ in range(5))
        assert long_s / short_s < 64 * 9, f"{long_s / short_s:.0f} times as long on {piece!r}"


LINES_OF_A_LOOP = 15
"""A character, from which on a reader is looked at more closely."""

LONG_CHARS = 16_384
TELLING_S = 0.25

_LOOPED = [(piece, FRAMES[n % len(FRAMES)]) for n, piece in enumerate(PIECES) if n % 3 != 1]


def _lines_of_python(reader: TextReader, text: str) -> int:
    lines = 0

    def count(_frame: FrameType, event: str, _argument: object) -> Callable[..., Any]:
        nonlocal lines
        lines += event == "line"
        return count

    before = sys.gettrace()
    sys.settrace(count)
    try:
        reader.read(text)
    except reader.raises:
        pass
    finally:
        sys.settrace(before)
    return lines


def _processor_s(reader: TextReader, text: str) -> float:
    start_s = time.thread_time()
    with suppress(*reader.raises):
        reader.read(text)
    return time.thread_time() - start_s
