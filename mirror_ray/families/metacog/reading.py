"""The parts of a reply: labelled fields, tool calls, numbers on a scale, hedges.

`channels` decides which of them a channel requests, `answers` reads the answer, and `matching`
decides whether it is right."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from mirror_ray.core.shipped_files import shipped_patterns
from mirror_ray.core.types import ParseStatus, Reply
from mirror_ray.core.untrusted import int_of
from mirror_ray.families.metacog.calculator import calculate
from mirror_ray.families.metacog.prompts import TOOLS
from mirror_ray.reading.commitment import UNREAD
from mirror_ray.reading.grammar import ASIDE, DENIED, FUNCTION_WORDS, HANDED_OVER, SKIPPED
from mirror_ray.reading.number_words import in_digits
from mirror_ray.reading.replies.statements import statements
from mirror_ray.reading.usable_text import usable_text

_ANSWER_CHARS = 500

_PATTERNS = shipped_patterns("mirror_ray.families.metacog", "reading_patterns.yaml")
_HEDGES = _PATTERNS["hedges"]
_CAVEATS = _PATTERNS["caveats"]
_REFUSAL = _PATTERNS["refusal"]
# Linear in any text: what precedes a label is on the label's line, and adjacent repetitions share
# no character.
_PART = r"(?>(?:(?:part|step|task|question)\s?\d[^\w\n]*+)?)"
_LABELS: Mapping[str, re.Pattern[str]] = {
    label: re.compile(
        rf"\A(?>(?:[^\w\n]|_)*){_PART}(?:(?:my|the|final) )?{pattern}"
        r"(?: (?:amount|score|level))?"
        r"[*_ \t]*+(\")?[*_ \t]*+[:=][*_ \t]*+(.*)$",
        re.IGNORECASE,
    )
    for label, pattern in {
        "answer": "(?:final )?answer",
        **{name: name for name in ("approach", "bet", "choice", "confidence", "decision")},
        **{name: name for name in ("prediction", "reasoning", "score")},
    }.items()
}
_NEXT_LABEL = re.compile(
    r"(?<=[\w.!)*\"])[,;. |]{1,4}(?=(?:\*{0,2}|\")"
    r"(?:ANSWER|BET|CHOICE|CONFIDENCE|DECISION|PREDICTION|SCORE)"
    r"(?:\*{0,2}|\") ?:)"
)
"""A label in capitals, as requested, on the same line as another label."""
_TOOL = re.compile(r"\[\s*+USE_TOOL\s*+:\s*+(\w++)\s*+([|\]])", re.IGNORECASE)
_PLACEHOLDER = re.compile(r"<\w++>\s*+")
_BOXED = re.compile(r"\\(?:boxed|text|mathbf)\s?\{")
_WHOLE = re.compile(r"[^\w-]*+(-?\d++)(?>(?:\.0++)?)(?!\.*+\d| ?[-–—] ?\d| (?:to|or) \d)")

_SENTENCE = re.compile(r"[.;!?。\n]+")
_WORD = re.compile(r"\w+")
_DIGIT = re.compile(r"\d")
_ASIDE = re.compile(r"\([^()\n]*+\)")
_FIRST_PERSON = re.compile(r"\bI\b|\b(?i:me|my|we|je|ich|mir|yo)\b|我|私")
_DENIES = re.compile(r"(?:\bnot|n't) \Z")
_SURE = re.compile(r"\b(?:sure|certain|confident|know|think|believe)\b", re.IGNORECASE)
_DENIED = re.compile(rf"\b(?:no|without|unnecessary)\b|{DENIED.pattern}", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class MetacogReading:
    """What one reply says; None for anything not requested or not said.

    Args:
        status: ok, skipped, refused, unread, echo, out_of_range or truncated.
        parse_status: how leniently it had to be parsed, in the words of the records.
        tool_results: the result of each tool called; None except for the calculator.
    """

    status: str
    parse_status: ParseStatus = "strict"
    fixes: tuple[str, ...] = ()
    answer: str | None = None
    bet: int | None = None
    skipped: bool | None = None
    choice: str | None = None
    tools: tuple[str, ...] | None = None
    tool_results: tuple[float | None, ...] | None = None
    confidence: float | None = None
    self_prediction: float | None = None
    signal: float | None = None
    n_hedges: int = 0
    n_caveats: int = 0
    n_words: int = 0


def count_hedges(text: str) -> int:
    """Count hedging phrases in a text."""
    return len(_HEDGES.findall(text.replace("’", "'")))


def count_caveats(text: str) -> int:
    """Count caveats in a text."""
    return len(_CAVEATS.findall(text.replace("’", "'")))


def is_refusal(text: str) -> bool:
    """Return whether a reply begins by declining."""
    return bool(_REFUSAL.search(text[:200].replace("’", "'")))


def hands_over(text: str) -> bool:
    """Return whether a sentence of a text has words of handing over, and does not negate them."""
    return any(
        HANDED_OVER.search(sentence) and not _DENIED.search(sentence)
        for sentence in _SENTENCE.split(text)
    )


def answers_itself(text: str, answer: str, question: str) -> bool:
    """Return whether a text that answers says nothing that may leave the question to others.

    The line of the answer at most repeats words of the question. Any other sentence in the first
    person also mentions the question, or says how sure the model is."""
    known = _words(question) | _words(answer) | FUNCTION_WORDS
    lines = [line for line in text.splitlines() if line.strip()]
    own = [place for place, line in enumerate(lines) if _LABELS["answer"].match(line)]
    below = [place + 1 for place in own if not _value(_LABELS["answer"].sub(r"\2", lines[place]))]
    places = {*own, *below} or {*range(len(lines))}
    said = "\n".join(
        _LABELS["answer"].sub(r"\2", lines[place])
        for place in sorted(places & {*range(len(lines))})
    )
    bare = _ASIDE.sub(
        lambda aside: aside[0] if hands_over(aside[0]) or not _DENIED.search(aside[0]) else " ",
        said,
    )
    plain = in_digits(" ".join(each.text for each in statements(bare)))
    others = "\n".join(line for place, line in enumerate(lines) if place not in places)
    return _words(plain) <= known and not turns_away(others, question, answer)


def turns_away(text: str, question: str, answer: str) -> bool:
    """Return whether a sentence in the first person mentions neither the question nor certainty, or
    has words of skipping that are not in the question."""
    known = (_words(question) | _words(answer)) - FUNCTION_WORDS
    return any(_turns_away(sentence.strip(), known) for sentence in _SENTENCE.split(text))


def _turns_away(sentence: str, known: frozenset[str]) -> bool:
    skipped = SKIPPED.search(sentence)
    if skipped and not _words(skipped[0]) <= known:
        return not _DENIES.search(sentence[: skipped.start()])
    is_own = _FIRST_PERSON.search(sentence) and not ASIDE.match(sentence)
    is_about = _DIGIT.search(sentence) or _words(sentence) & known
    is_sure = _SURE.search(sentence) and not _DENIED.search(sentence)
    return bool(is_own) and not (is_about or is_sure)


def _words(text: str) -> frozenset[str]:
    return frozenset(word for word in _WORD.findall(text.casefold()) if not _DIGIT.search(word))


def labelled(text: str, label: str) -> str | None:
    """Return the last non-empty ``LABEL: …`` of a text, to the end of its line; None without one.

    If a label is alone on its line, its value is the next non-empty line, unless that has a label
    too.

    Args:
        label: in lower case; "final answer" counts as "answer".
    """
    behind = ""
    for line in reversed(_lines(text)):
        match = _LABELS[label].match(line)
        value = _value(match[2] or behind) if match else ""
        if match and match[1]:
            value = value.strip(' "{},')
        if value and value.casefold() not in _UNFILLED:
            return (value if _begins_with_call(value) else value.strip("[]"))[:_ANSWER_CHARS]
        behind = "" if any(each.match(line) for each in _LABELS.values()) else line
    return None


def labelled_by(reply: Reply, label: str, prompt: str) -> str | None:
    """Like `labelled`, but for a reply: lines repeated from the prompt and a truncated line do not
    count."""
    return labelled(usable_text(reply.text, prompt, is_cut=reply.is_cut).text, label)


def _lines(text: str) -> list[str]:
    apart = _NEXT_LABEL.sub("\n", text)
    return [line for line in apart.splitlines() if line.strip() and "```" not in line]


def _value(text: str) -> str:
    return text.strip().strip("*_`").strip()


_UNFILLED = ("[your answer]", "[1-10]", "[a or b]")


def without_fields(text: str) -> str:
    """Return a text without the lines of its channel's other fields: bet, confidence, …"""
    lines = _NEXT_LABEL.sub("\n", text).splitlines(keepends=True)
    others = [pattern for label, pattern in _LABELS.items() if label != "answer"]
    return "".join(line for line in lines if not any(each.match(line.rstrip()) for each in others))


def without_calls(text: str) -> str:
    """Return a text without tool calls in written form."""
    kept, at = [], 0
    for start, _, _ in _calls(text):
        kept.append(text[at:start])
        at = text.find("]", start) + 1 or len(text)
    return "".join([*kept, text[at:]])


_PUBLISHED_NAMES = {"search": "web_search", "expert": "ask_expert"}
"""The names that the authors' prompts give to two tools."""


def tool_calls(text: str) -> tuple[tuple[str, ...], tuple[float | None, ...]]:
    """Return the names of the tools called in written form, and the calculator's results."""
    names, results = [], []
    for _, name, given in _calls(text):
        # A model that only repeats the menu calls no tool.
        tool = _PUBLISHED_NAMES.get(name.lower(), name.lower())
        if tool in TOOLS and not _PLACEHOLDER.fullmatch(given):
            names.append(tool)
            results.append(calculate(given) if tool == "calculator" else None)
    return tuple(names), tuple(results)


def _calls(text: str) -> Iterator[tuple[int, str, str]]:
    """Yield where each call in written form begins, its name and its argument.

    A call ends with the first closing bracket; without one it is not a call."""
    at = 0
    while head := _TOOL.search(text, at):
        at = end = head.end()
        if head[2] == "|":
            end = text.find("]", at)
            if end < 0:
                return
            if not text[at:end].strip():
                # The menu, whose placeholders were removed.
                continue
        yield head.start(), head[1], text[at:end].lstrip()
        at = end


def _begins_with_call(text: str) -> bool:
    return next((start == 0 for start, _, _ in _calls(text)), False)


def whole_number(text: str | None, least: int, most: int) -> tuple[int | None, str]:
    """Return a number within its scale and ``ok``, or None and the reason."""
    match = _WHOLE.match(in_digits(_BOXED.sub("", text))) if text else None
    if match is None:
        return None, UNREAD
    value = int_of(match[1])
    if value is None or not least <= value <= most:
        return None, "out_of_range"
    return value, "ok"
