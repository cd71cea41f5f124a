"""The part of a reply that can be read as the model's own answer.

Removed are thinking, an imagined next turn, text that repeats the prompt, placeholders of the
prompt's format ("[your answer]") and, in a reply that was cut off, its last, unfinished line."""

import re
from dataclasses import dataclass

from mirror_ray.reading.replies.template_tokens import without_template_tokens
from mirror_ray.reading.thinking import without_thinking

_NEXT_QUESTION = re.compile(
    r"^[^\S\n]{0,4}(?:[*#_]{0,3}(?:q|question|human|user|input|next[ ]question)[ ]?\d{0,3}[*_]{0,3}"
    r"[ ]?[:：]|<\|(?:im_start|start_header_id|user|human|eot_id|endoftext)\|>|\[INST\])",
    re.IGNORECASE | re.MULTILINE,
)
_LONGEST_READ_CHARS = 20_000
"""Only the end of a longer reply is read, because an answer comes last."""

ECHOED_WORDS = 8
"""So many words of the prompt in a row count as its repetition, not as the model's own."""

_SHORT_LINE_WORDS = 4
_SHORTEST_BEGINNING_CHARS = 12
_LONGEST_PROMPT_CHARS = 100_000
_WORD = re.compile(r"\w+")
_WIDE = {chr(wide): chr(wide - 0xFEE0) for wide in range(0xFF01, 0xFF5F)}
_SIGNS = str.maketrans(
    _WIDE | {"。": ". ", "、": ", ", "’": "'", "‘": "'", "\u00a0": " ", "\u202f": " "}
)
PLACEHOLDER = re.compile(
    r"(?!<[\w -]{1,20}>[^<>\n]{1,500}</)[\[<({][ ]?(?:(?:your|insert|the|my|a|final"
    r"|correct)[ ][^\[\]<>(){}\n]{0,60}"
    r"|(?:final[ ])?(?:answer|number|option|letter|choice|response|value|sentence|word|text)s?"
    r"(?:[ ][^\[\]<>(){}\n]{0,40})?|expression|query|question|reason|[A-H](?:[ ]or[ ]|/|,[ ]?)[A-H]"
    r"|yes(?:[ ]or[ ]|/)no|\d{1,3}[ ]?(?:-|–|to)[ ]?\d{1,3}|x{1,3}|[.…_]{1,10})?[ ]?[\]>)}]",
    re.IGNORECASE,
)
"""Placeholders of a prompt's format, or empty brackets."""


def own_turn(text: str) -> str:
    """Return the text before the first question that a reply asks itself; all of it without one.

    A reply that begins by repeating the question keeps it.

    Args:
        text: without thinking.
    """
    for question in _NEXT_QUESTION.finditer(text):
        if text[: question.start()].strip():
            return text[: question.start()]
    return text


@dataclass(frozen=True, slots=True)
class Usable:
    """The text of a reply that may contain its answer. `fixes` name, as in the records, what was
    removed. `is_echo` says that the reply only repeats its prompt."""

    text: str
    fixes: tuple[str, ...] = ()
    is_echo: bool = False


def usable_text(text: str, prompt: str = "", *, is_cut: bool = False) -> Usable:
    """Return the text of a reply that may contain its answer.

    Args:
        prompt: what the model was asked; "" where the text cannot repeat it.
        is_cut: the reply did not end by itself.
    """
    fixes = []
    kept = text[-_LONGEST_READ_CHARS:]
    if kept != text:
        fixes.append(f"kept the last {_LONGEST_READ_CHARS} characters")
    bare = without_template_tokens(kept)
    if bare != kept:
        fixes.append("removed template tokens")
    said = without_thinking(bare)
    if said != bare:
        fixes.append("removed thinking")
    own = own_turn(said)
    if own != said:
        fixes.append("removed an imagined next turn")
    own = own.translate(_SIGNS)
    if is_cut:
        own = own[: own.rfind("\n") + 1]
    masked = without_echo(own, prompt.translate(_SIGNS))
    if masked != own:
        fixes.append("removed what repeats the prompt")
    is_echo = masked != own and not _WORD.search(masked)
    left = PLACEHOLDER.sub("", masked)
    if left != masked:
        fixes.append("removed placeholders")
    return Usable(left, tuple(fixes), is_echo)


def without_echo(text: str, prompt: str) -> str:
    """Return a text without the lines and the long runs of words that are also in its prompt.

    A reply of one line is kept, because it may be the chosen option. So are short lines of the
    prompt, such as “PART 1”, if the reply has other lines."""
    prompt = prompt[:_LONGEST_PROMPT_CHARS]
    asked = _words(prompt)
    if not asked or not text.strip():
        return text
    said = " ".join(text.split()).casefold()
    if len(said) >= _SHORTEST_BEGINNING_CHARS and " ".join(prompt.split()).casefold().startswith(
        said
    ):
        return ""
    lines = {tuple(words) for line in prompt.splitlines() if (words := _words(line))}
    found = text.splitlines(keepends=True)
    said_by_line = [tuple(_words(line)) for line in found]
    if sum(map(bool, said_by_line)) == 1:
        return text
    is_echo = all(each in lines for each in said_by_line if each)
    kept = (
        "\n" if each in lines and (is_echo or len(each) >= _SHORT_LINE_WORDS) else line
        for line, each in zip(found, said_by_line, strict=True)
    )
    return _without_runs("".join(kept), asked)


def _without_runs(text: str, asked: list[str]) -> str:
    runs = {tuple(asked[at : at + ECHOED_WORDS]) for at in range(len(asked) - ECHOED_WORDS + 1)}
    return "".join(_without_run(line, runs) for line in text.splitlines(keepends=True))


def _without_run(line: str, runs: set[tuple[str, ...]]) -> str:
    """Return a line without runs of the prompt; unchanged if the model adds more than a word.

    “The sum of the angles of a triangle in the plane is 180°” repeats the question and answers it.
    """
    words = list(_WORD.finditer(line))
    said = [word[0].casefold() for word in words]
    echoed: set[int] = set()
    for at in range(len(said) - ECHOED_WORDS + 1):
        if tuple(said[at : at + ECHOED_WORDS]) in runs:
            echoed.update(range(at, at + ECHOED_WORDS))
    if not echoed or len(words) - len(echoed) > 1:
        return line
    kept = [word[0] for at, word in enumerate(words) if at not in echoed]
    return " ".join(kept) + "\n"


def _words(text: str) -> list[str]:
    return [word.casefold() for word in _WORD.findall(text)]
