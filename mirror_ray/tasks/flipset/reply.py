"""Reading the chosen option out of a reply.

Knows labels, option texts and how models wrap them; does not know which option is right. It never
raises, and reads only what is beyond doubt: a letter alone, marked as the answer, or beside its own
option's text; or that text alone. Case tells the label D from the option "d". A letter beside
another option's text, a negation, or a reply that was cut off are no answer: a Fail
(arXiv 2602.15892), which is not asked for again.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from mirror_ray.providers.parsing import MAX_CHARS, without_thinking
from mirror_ray.tasks.flipset.settings import Prompting
from mirror_ray.tasks.flipset.trials import LABELS
from mirror_ray.types import ParseStatus, Reply

_AS_ASKED = re.compile(r"Answer: ([A-D])")
_MARKER = re.compile(
    r"\b(?:answer|option|choice)\b[\"'*_]*\s*(?:is|[:=])[\s*_\"'`]*", re.IGNORECASE
)
_CONCLUSION = re.compile(r"\b(?:is|be|sees?|reads?|says?|shows?|choose|chose|pick|select)\b[:\s]+")
_LABEL = re.compile(r"(?:(?:[Tt]he\s+)?[Oo]ption\s+|[Ll]etter\s+)?[(\[]?([A-Da-d])(?![A-Za-z0-9'])")
_REASON = re.compile(r"(?:because|since|as|for|which|where|given|due)\b", re.IGNORECASE)
_DENIAL = re.compile(
    r"\b(?:not|no|nor|never|wrong|incorrect|false|neither|or|unless)\b|n't\b|n’t\b", re.IGNORECASE
)
_BARE_LABEL = re.compile(r"(?<![A-Za-z0-9'])[A-D](?![A-Za-z0-9'])")
_BOXED = re.compile(r"\\(?:boxed|text|mathrm|textbf|mathbf)\s*\{([^{}]*)\}")
_WRAPPING = " \t\r\n*_`\"'“”‘’{}[]()$.,;:!"
_SEPARATORS = " \t)].:-–—=*_,"


@dataclass(frozen=True, slots=True)
class Answer:
    """How a reply was read; `label` is None where the status is "failed"."""

    label: str | None
    status: ParseStatus
    fixes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Reading:
    label: str
    fixes: tuple[str, ...] = ()


def read_answer(reply: Reply, options: Sequence[str], prompting: Prompting) -> Answer:
    """The label, A onwards, of the option that the reply chose.

    Args:
        options: their texts, in the order of their labels.
        prompting: what was asked for: the letter alone, or a last line that has it.
    """
    if reply.finish_reason == "length":
        return Answer(None, "failed", ("the reply was cut off by the length limit",))
    text = reply.text[-MAX_CHARS:].strip()
    body = without_thinking(text).strip()
    lines = [line.strip() for line in body.splitlines() if line.strip(_WRAPPING)]
    if not lines:
        return Answer(None, "failed", ("it is empty",))
    exact = _AS_ASKED.fullmatch(lines[-1]) if prompting == "cot" else None
    as_asked = exact[1] if exact else text if prompting == "direct" else ""
    if len(as_asked) == 1 and as_asked in LABELS[: len(options)]:
        return Answer(as_asked, "strict")
    thinking = ("removed thinking",) if body != text else ()
    for piece, fix in _pieces(_BOXED.sub(r"\1", body), lines[-1]):
        reading = _read(piece, options)
        if reading is not None:
            by_text = bool(reading.fixes)
            status: ParseStatus = "coerced" if by_text else "cleaned"
            return Answer(reading.label, status, (*thinking, *fix, *reading.fixes))
        if fix == _MARKED:
            break
    return Answer(None, "failed", (*thinking, "it names no one option beyond doubt"))


_MARKED = ("took what is marked as the answer",)


def _pieces(body: str, last_line: str) -> list[tuple[str, tuple[str, ...]]]:
    """What may be the answer, the surest first."""
    marked = list(_MARKER.finditer(body))
    if marked:
        return [(body[marked[-1].end() :].split("\n", 1)[0], _MARKED)]
    pieces: list[tuple[str, tuple[str, ...]]] = [
        (body, ("took off the wrapping",)),
        (last_line, ("took the last line",)),
    ]
    concluded = list(_CONCLUSION.finditer(last_line))
    if concluded and not _DENIAL.search(last_line):
        pieces.append((last_line[concluded[-1].end() :], ("took the end of the last line",)))
    return pieces


def _read(piece: str, options: Sequence[str]) -> _Reading | None:
    """What a piece that is nothing but an answer says; None where it is more, or contradictory."""
    bare = piece.strip(_WRAPPING)
    by_text = _option_with(bare, options) or _opening_with(bare, options)
    if by_text is not None:
        return _Reading(by_text, ("took the option's text for its letter",))
    found = _LABEL.match(bare)
    if found is None:
        return None
    label, rest = found[1].upper(), bare[found.end() :]
    if LABELS.index(label) >= len(options):
        return None
    said = rest.strip(_WRAPPING + _SEPARATORS)
    if not said or _option_with(said, options) == label:
        return _Reading(label)
    is_comment = rest.lstrip()[:1] in set(").:,-–—]") or _REASON.match(said)
    return _Reading(label) if is_comment and _is_harmless(said, label, options) else None


def _is_harmless(comment: str, label: str, options: Sequence[str]) -> bool:
    """Whether a comment denies nothing and names no other option."""
    return not (
        _DENIAL.search(comment)
        or _BARE_LABEL.search(comment)
        or _names_another(comment, label, options)
    )


def _names_another(said: str, label: str, options: Sequence[str]) -> bool:
    """Whether a comment has another option's text in it as a word."""
    words = {*re.findall(r"[A-Za-z0-9]+", said), *(word.strip(_WRAPPING) for word in said.split())}
    others = (option for name, option in zip(LABELS, options, strict=False) if name != label)
    return any(option in words for option in others)


def _opening_with(text: str, options: Sequence[str]) -> str | None:
    """The label of the option that a comment follows, as in "Yes, it can."."""
    opening, comma, comment = text.partition(",")
    if not comma or len(opening) < 2 or _DENIAL.search(comment):
        return None
    label = _option_with(opening, options)
    return None if label is None or _names_another(comment, label, options) else label


def _option_with(text: str, options: Sequence[str]) -> str | None:
    """The label of the option with this very text, or with it but for case and punctuation."""
    plain = [option.strip(_WRAPPING) for option in options]
    if text in plain:
        return LABELS[plain.index(text)]
    folded = [option.casefold() for option in plain]
    # One character in another case is a letter of the options rather than a text.
    if len(text) > 1 and folded.count(text.casefold()) == 1:
        return LABELS[folded.index(text.casefold())]
    return None
