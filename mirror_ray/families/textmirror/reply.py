"""Reads a reply: prompts, a sentence, or a sentence's number.

No text of a model is executed. A reply without the requested content has the status "failed"; the
source counts it as wrong and keeps it."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from typing import TypeVar

from mirror_ray.core.plain_json import parse_json
from mirror_ray.core.types import ParseStatus, Reply
from mirror_ray.families.textmirror.authorship import read_letter
from mirror_ray.families.textmirror.read import Read
from mirror_ray.families.textmirror.sentence_numbers import SentenceNumbers
from mirror_ray.reading.commitment import commitment
from mirror_ray.reading.parsing import encodable
from mirror_ray.reading.thinking import without_thinking
from mirror_ray.reading.usable_text import usable_text

__all__ = [
    "heard",
    "read_letter",
    "read_number",
    "read_prompts",
    "read_quoted_sentence",
    "read_sentence",
    "read_text",
]

_T = TypeVar("_T")

ENOUGH_ALIKE = 0.8
"""The least `difflib` ratio between a quotation and the sentence it is identified with."""

COMPARED_CHARS, COMPARED_SENTENCES = 300, 3
"""How much of a quotation is compared, and with how many sentences. `difflib` may take cubic time,
so only the beginnings of the sentences with most common letters are compared."""

_LONGEST_READ_CHARS = 100_000

# Read in one pass: white space ends with its line, and an escaped quotation mark outside a string
# begins none.
_FENCE = re.compile(r"^```\w*[^\S\n]*\n(.*?)\n?```\s*$", re.DOTALL)
_QUOTED = re.compile(
    r"""\\.|"((?:[^"\\\n]|\\.)+)"|(?<![A-Za-z])'((?:[^'\\\n]|\\.|(?<=\w)'(?=\w))+)'"""
)
_BULLET = re.compile(r"^[^\S\n]*(?:\d+[.)]|[-*•])[^\S\n]+(\S.*)$", re.MULTILINE)

_LABEL = re.compile(
    r"^(?:\*\*[^*:\n]{1,40}:\*\*|[*_]{0,2}(?:(?:my|the|here|is|revised|new|final|edited|rewritten|"
    r"improved|sentence|version|revision|\d{1,2})[ *_]?){1,5}[*_]{0,2}[:：][*_]{0,2})[ ]+(?=\S)",
    re.IGNORECASE,
)


def heard(reply: Reply, read: Callable[[str], Read[_T]], prompt: str = "") -> Read[_T]:
    """Read a reply without its thinking.

    Args:
        read: reads the text. Nothing is read from a truncated reply whose end matters.
        prompt: the question, ignored if the reply repeats it; "" if it may contain the answer.
    """
    if reply.is_cut:
        return Read(None, "failed", problem="the reply was cut off")
    if prompt:
        usable = usable_text(reply.text, prompt)
        said, fixes = usable.text, usable.fixes
    else:
        said = without_thinking(reply.text)
        fixes = () if said == reply.text else ("removed thinking",)
    found = read(said)
    if not fixes:
        return found
    status: ParseStatus = "cleaned" if found.status == "strict" else found.status
    return replace(found, status=status, fixes=(*fixes, *found.fixes))


def read_prompts(text: str) -> Read[tuple[str, ...]]:
    """Return the strings of a Python list or, failing that, quoted strings or a list by lines."""
    text = text[:_LONGEST_READ_CHARS].strip()
    fixes: tuple[str, ...] = ()
    fenced = _FENCE.match(text)
    if fenced:
        text, fixes = fenced[1].strip(), ("removed the code fence",)
    try:
        listed = parse_json(text)
    except ValueError:
        listed = None
    if isinstance(listed, list) and listed and all(isinstance(one, str) for one in listed):
        listed = [encodable(one) for one in listed]
        return Read(_distinct(listed), "cleaned" if fixes else "strict", fixes)
    quoted = [(double or single) for double, single in _QUOTED.findall(text)]
    # A prompt has several words; other strings of a program do not.
    quoted = [one for one in quoted if " " in one.strip()]
    if len(quoted) > 1:
        return Read(_distinct(quoted), "coerced", (*fixes, "read the quoted strings"))
    lines = _BULLET.findall(text)
    if lines:
        return Read(_distinct(lines), "coerced", (*fixes, "read a list by lines"))
    return Read(None, "failed", fixes, "no list of prompts")


def read_text(text: str) -> Read[str]:
    """Return a story or a sentence as it came, without surrounding spaces."""
    stripped = text.strip()
    if not stripped:
        return Read(None, "failed", problem="an empty reply")
    return Read(stripped, "strict" if stripped == text else "cleaned")


def read_sentence(text: str) -> Read[str]:
    """Return a revised sentence, without an announcing line or label and without quotation marks
    around all of it. Return nothing if there are other lines."""
    announced, *others = [line for line in text.splitlines() if line.strip()] or [""]
    if others and (len(others) > 1 or not announced.rstrip("*_ ").endswith((":", "："))):
        return Read(None, "failed", problem="more lines than one sentence")
    read = read_text(others[0] if others else text)
    if others:
        read = replace(read, status="cleaned", fixes=("removed the line that announces it",))
    bare = read.value
    if bare and (label := _LABEL.match(bare)):
        bare = bare[label.end() :]
        fixes = (*read.fixes, "removed the label that announces it")
        read = Read(bare, "cleaned", fixes)
    if bare and len(bare) > 2 and (bare[0], bare[-1]) in _PAIRS and bare[0] not in bare[1:-1]:
        fixes = (*read.fixes, "removed the quotation marks around it")
        return Read(bare[1:-1].strip(), "cleaned", fixes)
    return read


def read_number(text: str, allowed: range) -> Read[int]:
    """Return the number of the sentence that a reply names, even if it is not allowed. `text` is
    the usable text of the reply."""
    found = commitment(text, SentenceNumbers())
    if found.value is None:
        return Read(None, "failed", problem=f"no sentence that is read: {found.form}")
    number = int(found.value)
    problem = None if number in allowed else f"{number} is not in {allowed[0]}–{allowed[-1]}"
    fixes = () if text.strip() == found.value else (found.form,)
    return Read(number, "coerced" if fixes else "strict", fixes, problem)


def read_quoted_sentence(text: str, sentences: Sequence[str]) -> Read[int]:
    """Return the 1-based number of the sentence that a reply repeats."""
    said = _plain(text[:_LONGEST_READ_CHARS])
    if not said:
        return Read(None, "failed", problem="an empty reply")
    plain = [_plain(sentence) for sentence in sentences]
    if said in plain:
        return Read(plain.index(said) + 1, "strict")
    within = [number for number, one in enumerate(plain, 1) if one and one in said]
    if len(within) == 1:
        return Read(within[0], "coerced", ("found the sentence within the reply",))
    number, ratio = _most_alike(said, plain)
    if ratio >= ENOUGH_ALIKE and len(within) < 2:
        return Read(number, "coerced", (f"took it for the sentence {ratio:.2f} alike",))
    return Read(None, "failed", problem="no sentence of the story, or several")


def _most_alike(said: str, sentences: Sequence[str]) -> tuple[int, float]:
    matchers = [
        (number, SequenceMatcher(None, said[:COMPARED_CHARS], one[:COMPARED_CHARS], autojunk=False))
        for number, one in enumerate(sentences, 1)
    ]
    matchers.sort(key=lambda one: one[1].quick_ratio(), reverse=True)
    ratios = [(number, matcher.ratio()) for number, matcher in matchers[:COMPARED_SENTENCES]]
    return max(ratios, key=lambda one: one[1])


_PAIRS = {('"', '"'), ("“", "”"), ("'", "'")}


def _distinct(texts: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(text.strip() for text in texts if text.strip()))


def _plain(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.casefold()))
