"""Counts the steps that a pattern takes on a text, by a matcher that backtracks as `re` does.

`re` counts nothing and cannot be profiled, and its time is unreliable on a busy machine. Here the
tree that `re` itself parses becomes a small program, run with an explicit stack, and takes as many
steps everywhere. Characters and positions are judged by `re`, so that classes, flags and anchors
have the same meaning. Groups are not kept; a pattern with a backreference is refused.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from re import _compiler, _constants, _parser  # type: ignore[attr-defined]
from typing import Any

MOST_STEPS = 400_000
"""On texts of some hundred characters no linear pattern comes near."""

_TEXT_END = re.compile(r"\Z")
_CHAR, _AT, _SPLIT, _JUMP, _LOOK, _ATOMIC, _MARK, _MOVED, _END = range(9)
ONE_CHAR = {_constants.LITERAL, _constants.NOT_LITERAL, _constants.IN, _constants.ANY}
REPEATS = {_constants.MAX_REPEAT, _constants.MIN_REPEAT, _constants.POSSESSIVE_REPEAT}


class TooManyStepsError(Exception):
    """More than `MOST_STEPS`."""


@dataclass(slots=True)
class Steps:
    """A pattern as a program, and what its runs have taken so far."""

    pattern: re.Pattern[str]
    taken: int = 0
    _code: list[tuple[int, Any, Any]] = field(init=False)

    def __post_init__(self) -> None:
        self._code = _program_of(self.pattern)

    def search_all(self, text: str) -> list[tuple[int, int]]:
        """What `finditer` finds, and a search that fails from every place that is left."""
        found, at = [], 0
        while at <= len(text):
            end = self.match(text, at)
            if end is None or end == at:
                if end is not None:
                    found.append((at, at))
                at += 1
                continue
            found.append((at, end))
            at = end
        return found

    def match(self, text: str, at: int = 0) -> int | None:
        """Where a match at this place ends."""
        return self._run(self._code, text, at)

    def match_whole(self, text: str) -> int | None:
        """Where a match of all of it ends."""
        return self._run([*self._code[:-1], (_AT, _TEXT_END, None), self._code[-1]], text, 0)

    def _run(  # noqa: PLR0912 - one branch for each instruction
        self, code: list[tuple[int, Any, Any]], text: str, at: int
    ) -> int | None:
        length, pc, marks = len(text), 0, None
        stack: list[tuple[int, int, Any]] = []
        taken = 0
        while True:
            taken += 1
            op, a, b = code[pc]
            if op == _CHAR:
                ok = at < length and a(text[at])
                at += 1
            elif op == _SPLIT:
                stack.append((b, at, marks))
                pc = a
                continue
            elif op == _JUMP:
                pc = a
                continue
            elif op == _AT:
                ok = a.match(text, at) is not None
            elif op == _MARK:
                marks, ok = (at, marks), True
            elif op == _MOVED:
                ok, marks = marks[0] != at, marks[1]
            elif op == _LOOK:
                wanted, width = b
                start = at - width
                ok = (start >= 0 and self._run(a, text, start) is not None) == wanted
            elif op == _ATOMIC:
                end = self._run(a, text, at)
                ok, at = end is not None, at if end is None else end
            else:
                self.taken += taken
                return at
            if ok:
                pc += 1
                continue
            if taken + self.taken > MOST_STEPS:
                raise TooManyStepsError(self.pattern.pattern)
            if not stack:
                self.taken += taken
                return None
            pc, at, marks = stack.pop()


def steps_of(pattern: re.Pattern[str], text: str, *, anchored: bool = False) -> int:
    """Steps of finding everything, or of one match at the beginning and one of the whole text."""
    steps = Steps(pattern)
    if anchored:
        steps.match(text)
        steps.match_whole(text)
    else:
        steps.search_all(text)
    return steps.taken


def char_test(node: tuple[Any, Any], flags: int) -> Callable[[str], bool]:
    return _tested(_Node(node), flags)


class _Node:
    """A parsed node, equal to those that look the same."""

    def __init__(self, node: tuple[Any, Any]) -> None:
        self.node = node
        self._key = repr(node)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Node) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)


@cache
def _tested(node: _Node, flags: int) -> Callable[[str], bool]:
    judge = _judge(node, flags)
    return cache(lambda char: judge.match(char) is not None)


@cache
def _judge(node: _Node, flags: int) -> re.Pattern[str]:
    state = _parser.State()
    state.flags = flags
    state.str = ""
    judge: re.Pattern[str] = _compiler.compile(_parser.SubPattern(state, [node.node]), flags)
    return judge


@cache
def _program_of(pattern: re.Pattern[str]) -> list[tuple[int, Any, Any]]:
    """The same one for every text: to parse takes longer than most texts take."""
    tree = _parser.parse(pattern.pattern, pattern.flags)
    return _program(tree, tree.state.flags | pattern.flags)


def _program(tree: Any, flags: int) -> list[tuple[int, Any, Any]]:
    code: list[tuple[int, Any, Any]] = []
    _emit(tree, flags, code)
    code.append((_END, None, None))
    return code


def _emit(tree: Any, flags: int, code: list[tuple[int, Any, Any]]) -> None:
    for op, av in tree:
        if op in ONE_CHAR:
            code.append((_CHAR, char_test((op, av), flags), None))
        elif op is _constants.AT:
            code.append((_AT, _judge(_Node((op, av)), flags), None))
        elif op is _constants.SUBPATTERN:
            _, added, removed, inner = av
            _emit(inner, (flags | added) & ~removed, code)
        elif op is _constants.BRANCH:
            _emit_branch(av[1], flags, code)
        elif op in (_constants.ASSERT, _constants.ASSERT_NOT):
            direction, inner = av
            width = inner.getwidth()[0] if direction < 0 else 0
            code.append((_LOOK, _program(inner, flags), (op is _constants.ASSERT, width)))
        elif op is _constants.ATOMIC_GROUP:
            code.append((_ATOMIC, _program(av, flags), None))
        elif op is _constants.POSSESSIVE_REPEAT:
            greedy: list[tuple[int, Any, Any]] = []
            _emit_repeat(*av, flags, greedy, greedily=True)
            code.append((_ATOMIC, [*greedy, (_END, None, None)], None))
        elif op in (_constants.MAX_REPEAT, _constants.MIN_REPEAT):
            _emit_repeat(*av, flags, code, greedily=op is _constants.MAX_REPEAT)
        else:
            raise NotImplementedError(f"{op} in a pattern")


def _emit_branch(branches: Any, flags: int, code: list[tuple[int, Any, Any]]) -> None:
    ends: list[int] = []
    for branch in branches[:-1]:
        split = len(code)
        code.append((_SPLIT, 0, 0))
        _emit(branch, flags, code)
        ends.append(len(code))
        code.append((_JUMP, 0, None))
        code[split] = (_SPLIT, split + 1, len(code))
    _emit(branches[-1], flags, code)
    for end in ends:
        code[end] = (_JUMP, len(code), None)


def _emit_repeat(
    low: int, high: Any, inner: Any, flags: int, code: list[tuple[int, Any, Any]], *, greedily: bool
) -> None:
    for _ in range(int(low)):
        _emit(inner, flags, code)
    if high is _constants.MAXREPEAT:
        split = len(code)
        code.append((_SPLIT, 0, 0))
        is_nullable = inner.getwidth()[0] == 0
        code += [(_MARK, None, None)] * is_nullable
        _emit(inner, flags, code)
        code += [(_MOVED, None, None)] * is_nullable
        code.append((_JUMP, split, None))
        code[split] = _split(split + 1, len(code), greedily)
        return
    splits: list[int] = []
    for _ in range(int(high) - int(low)):
        splits.append(len(code))
        code.append((_SPLIT, 0, 0))
        _emit(inner, flags, code)
    for split in splits:
        code[split] = _split(split + 1, len(code), greedily)


def _split(into: int, past: int, greedily: bool) -> tuple[int, int, int]:
    return (_SPLIT, into, past) if greedily else (_SPLIT, past, into)
