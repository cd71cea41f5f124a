"""A reply's sentences, with what is needed to tell an answer from a list of the options."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

_LINE = re.compile(r"[^\n]+")
_END = re.compile(r"(?:(?<=[.!?])|(?<=[.!?][)\]]))\s+")
_LETTER_BEFORE_END = re.compile(r"(?:^|[\s(:])[A-Z][.!?]$|(?:^|[(:])\s?[a-d][.!?]$")
_NUMBERED = re.compile(r"\s{0,8}\d{1,2}\.$")
_BULLET = re.compile(r"[ \t]{0,8}(?:[-•>+]|\d{1,2}[.)])?[ \t]{0,8}[(\[]?([A-D])[).:\]]")


_TITLE_CHARS = 120
_REFUTES = re.compile(
    r"\bwhy\b.{0,40}\b(?:not|others?|wrong|incorrect|fails?)\b|\bothers?\b.{0,40}:"
    r"|\b(?:wrong|incorrect|rejected|eliminated|ruled out)\b.{0,20}:",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Sentence:
    """A part of a text.

    Args:
        begin: its place in the text.
        opens_last_line: it is the first of the last line.
        is_listed: it belongs to a list of the options, a line each.
    """

    text: str
    begin: int
    opens_last_line: bool
    is_listed: bool


def sentences_said(body: str, letters: str) -> list[Sentence]:
    """The sentences in order; a letter and the words behind it, as in "B. 81", are one."""
    lines = [line for line in _LINE.finditer(body) if line[0].strip()]
    listed = _listed([line[0] for line in lines], letters)
    found: list[Sentence] = []
    for number, line in enumerate(lines):
        is_last = number == len(lines) - 1
        start = line.start()
        ends = [
            line.start() + end.start()
            for end in _END.finditer(line[0])
            if not _LETTER_BEFORE_END.search(line[0][max(0, end.start() - 4) : end.start()])
            and not _NUMBERED.match(line[0][:12], 0, end.start())
        ]
        for place, end in enumerate([*ends, line.end()]):
            text = body[start:end]
            if text.strip():
                opens = is_last and place == 0
                found.append(Sentence(text.rstrip(), start, opens, listed[number]))
            start = end
    return found


def _listed(lines: Sequence[str], letters: str) -> list[bool]:
    """Which lines belong to a run that begins with one letter after another, or that refutes."""
    heads = [str(head[1]) if (head := _BULLET.match(line)) else "" for line in lines]
    listed = [False] * len(lines)
    start = 0
    while start < len(lines):
        stop = start
        while stop < len(lines) and heads[stop] and heads[stop] in letters:
            stop += 1
        refuted = start and stop > start and _REFUTES.search(lines[start - 1][-_TITLE_CHARS:])
        if len(set(heads[start:stop])) > 1 or refuted:
            listed[start:stop] = [True] * (stop - start)
        start = max(stop, start + 1)
    return listed
