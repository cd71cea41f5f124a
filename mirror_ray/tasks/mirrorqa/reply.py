"""Reading the chosen option out of a reply, however it is put.

Knows letters, the six answers and their synonyms; never raises on a reply. An option counts only
where one alone is named: a letter and words that disagree, or several options in the sentence that
should decide, are no answer.

The policy, in order; the first that yields one option wins:

1. A reply cut off by the length limit fails.
2. The whole text is a letter or an option as written: ``strict``.
3. Thinking, emphasis and fences are taken off; what follows the last "answer", else the last line
   that names an option, is read: ``cleaned``, or ``coerced`` where a synonym was read.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from mirror_ray.providers.parsing import without_thinking
from mirror_ray.tasks.mirrorqa.item import LETTERS, written
from mirror_ray.types import ParseStatus

_MAX_CHARS = 20_000
"""Only the end of a longer text is read: an answer comes last."""
_MARKS = re.compile(r"\\(?:boxed|textbf|text)\b|[*_`\"“”‘’'\\{}$]+")
_ANSWER = re.compile(r"\b(?:final\s+)?(?:answer|choice|option|output)\s*(?:is|:|=)\s*:?", re.I)
_LIMB = r"(?:most)?(?=\b|leg|limb|paw|foot|hoof)"
_SYNONYMS = (
    (re.compile(rf"\b(hind|back|rear|posterior){_LIMB}"), "rear"),
    (re.compile(rf"\b(fore|front|anterior){_LIMB}"), "front"),
)
_SIDE = r"(left|right)"
_END = r"(front|rear)"
_FOUR = re.compile(rf"\b(?:{_SIDE}[\s,-]*{_END}|{_END}[\s,-]*{_SIDE})\b")
_TWO = re.compile(rf"\b{_SIDE}\b")
_LEADING_LETTER = re.compile(r"^\W*\(?([a-d])\s*(?:[.):\]]|$)", re.I)
_LONE_LETTER = re.compile(r"(?<![\w'])\(?\b([A-D])\b(?=[.):,;]|\)|\s*$)")


@dataclass(frozen=True, slots=True)
class Choice:
    """What a reply chose: `option` is None when `status` is ``failed``."""

    option: str | None
    status: ParseStatus
    fixes: tuple[str, ...] = ()


def read_choice(text: str, options: Sequence[str], finish_reason: str | None = None) -> Choice:
    """The option that a reply names.

    Args:
        options: answers in the order in which this ask offered them.
        finish_reason: the provider's; "length" always fails.
    """
    if finish_reason == "length":
        return Choice(None, "failed", ("cut off by the length limit",))
    whole = text.strip()
    for letter, offered, line in zip(LETTERS, options, written(options), strict=False):
        if whole in (letter, f"{letter}.", line, line.removeprefix(f"{letter}. ")):
            return Choice(offered, "strict")
    body, fixes = _cleaned(whole)
    candidates = _deciding(body)
    for where, part in candidates:
        option, reading = _named(part, options)
        if option is not None:
            notes = (*fixes, *where, *reading)
            return Choice(option, "coerced" if reading else "cleaned", notes)
        if reading:
            return Choice(None, "failed", (*fixes, *where, *reading))
    return Choice(None, "failed", (*fixes, "names no option"))


def _cleaned(text: str) -> tuple[str, tuple[str, ...]]:
    fixes: list[str] = []
    if len(text) > _MAX_CHARS:
        text = text[-_MAX_CHARS:]
        fixes.append(f"kept the last {_MAX_CHARS} characters")
    without = without_thinking(text)
    if without != text:
        fixes.append("removed thinking")
    plain = _MARKS.sub("", without).strip()
    if plain != without.strip():
        fixes.append("removed emphasis")
    return plain, tuple(fixes)


def _deciding(body: str) -> list[tuple[tuple[str, ...], str]]:
    """The parts of a text that may decide, the likeliest first, and what was taken out."""
    parts: list[tuple[tuple[str, ...], str]] = []
    announced = list(_ANSWER.finditer(body))
    if announced:
        rest = body[announced[-1].end() :].strip()
        parts.append((("took what follows the announced answer",), rest.split("\n", 1)[0]))
    lines = [line for line in body.splitlines() if line.strip()]
    if len(lines) == 1:
        parts.append(((), lines[0]))
    else:
        parts += [(("took a line of several",), line) for line in reversed(lines)]
    return parts


def _named(part: str, options: Sequence[str]) -> tuple[str | None, tuple[str, ...]]:
    """The one option named, and which liberties that took; no option but a reason: ambiguous."""
    by_letter = _by_letter(part, options)
    words, liberties = _in_our_words(part)
    by_words = _by_words(words, options)
    if len(by_words) > 1:
        return None, ("names several options",)
    if by_letter and by_words and by_words != {by_letter}:
        return None, ("its letter and its words disagree",)
    if by_words:
        return by_words.pop(), liberties
    return by_letter, ()


def _by_letter(part: str, options: Sequence[str]) -> str | None:
    found = _LEADING_LETTER.match(part)
    letters = {found[1].upper()} if found else set(_LONE_LETTER.findall(part))
    if len(letters) != 1:
        return None
    index = LETTERS.index(letters.pop())
    return options[index] if index < len(options) else None


def _by_words(words: str, options: Sequence[str]) -> set[str]:
    if len(options) == len(LETTERS):
        pairs = (match.groups() for match in _FOUR.finditer(words))
        return {f"{a or d} {b or c}" for a, b, c, d in pairs} & set(options)
    return set(_TWO.findall(words)) & set(options)


def _in_our_words(part: str) -> tuple[str, tuple[str, ...]]:
    """The part in lower case with synonyms replaced, and which were."""
    words = part.lower()
    liberties: list[str] = []
    for pattern, ours in _SYNONYMS:
        others = sorted(set(pattern.findall(words)) - {ours})
        liberties += [f"{other!r} read as {ours!r}" for other in others]
        words = pattern.sub(f"{ours} ", words)
    return words, tuple(liberties)
