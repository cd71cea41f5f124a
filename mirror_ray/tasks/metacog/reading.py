"""The parts of a reply: labelled fields, tool calls, numbers on a scale, hedges, a free answer.

Knows how they are written; which of them a channel asks for is `channels`', whether an answer is
right is `matching`'s.
"""

import re
from dataclasses import dataclass

from mirror_ray.tasks.metacog.calculator import calculate
from mirror_ray.tasks.metacog.prompts import TOOLS
from mirror_ray.tasks.metacog.quantity import quantities
from mirror_ray.tasks.metacog.question import Key
from mirror_ray.types import ParseStatus

_ANSWER_CHARS = 500
_SHORT_WORDS = 12

_HEDGES = re.compile(
    r"\b(?:i think|i believe|i guess|i suppose|i'd say|probably|perhaps|maybe|possibly|likely|"
    r"presumably|roughly|approximately|it seems|it appears|seems to be|might be|may be|could be|"
    r"not (?:entirely |completely |quite |100% )?(?:sure|certain)|unsure|uncertain|unclear|"
    r"if i (?:recall|remember)|hard to say|my best guess|as far as i know)\b",
    re.IGNORECASE,
)
_CAVEATS = re.compile(
    r"\b(?:however|although|note that|keep in mind|it's worth noting|it is worth noting|caveat|"
    r"disclaimer|that said|to be fair|depending on|assuming)\b",
    re.IGNORECASE,
)
_REFUSAL = re.compile(
    r"\bi(?:'m| am)? (?:sorry|cannot|can't|can not|won't|will not|must decline|unable|not able)\b"
    r"|\bi (?:do not|don't) feel comfortable\b",
    re.IGNORECASE,
)
_TOOL = re.compile(r"\[\s*USE_TOOL\s*:\s*(\w+)\s*(?:\|\s*([^\]]*))?\]", re.IGNORECASE)
_STATED = re.compile(r"\b(?:answer|result) (?:is|would be)\b:?\s*([^\n]+)", re.IGNORECASE)
_BOXED = re.compile(r"\\boxed\{([^{}]*)\}")
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z“\"*])|\n+")


@dataclass(frozen=True, slots=True)
class Reading:
    """What one reply says; None where it was not asked for or not said.

    Args:
        status: ok, skipped, refused, missing, out_of_range or truncated.
        parse_status: how much had to be forgiven, in the words of the records.
        tool_results: of each tool called; None but for the calculator.
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
    """Hedging phrases in a text."""
    return len(_HEDGES.findall(text.replace("’", "'")))


def count_caveats(text: str) -> int:
    """Caveats in a text."""
    return len(_CAVEATS.findall(text.replace("’", "'")))


def is_refusal(text: str) -> bool:
    """Whether a reply begins by declining."""
    return bool(_REFUSAL.search(text[:200].replace("’", "'")))


def labelled(text: str, label: str) -> str | None:
    """The last non-empty ``LABEL: …`` of a text, to its line's end; None without one."""
    pattern = rf"^[\W_]*{label}[*_\s]*[:=][*_ \t]*(.*)$"
    for found in reversed(re.findall(pattern, text, re.IGNORECASE | re.MULTILINE)):
        value = str(found).strip().strip("*_`").strip()
        if value and value.casefold() not in ("[your answer]", "[1-10]", "[a or b]"):
            return (value if _TOOL.match(value) else value.strip("[]"))[:_ANSWER_CHARS]
    return None


def tool_calls(text: str) -> tuple[tuple[str, ...], tuple[float | None, ...]]:
    """Names of the tools called in the written form, and what the calculator gave."""
    names, results = [], []
    for name, given in _TOOL.findall(text):
        # A model that repeats the menu calls nothing.
        if name.lower() in TOOLS and not re.fullmatch(r"\s*<\w+>\s*", given):
            names.append(name.lower())
            results.append(calculate(given) if name.lower() == "calculator" else None)
    return tuple(names), tuple(results)


def whole_number(text: str | None, least: int, most: int) -> tuple[int | None, str]:
    """A number within its scale and ``ok``, or None and why not."""
    match = re.match(r"[^\w-]*(-?\d+)(?:\.0+)?(?![\d.]*\d)", text) if text else None
    if match is None:
        return None, "missing"
    value = int(match[1])
    return (value, "ok") if least <= value <= most else (None, "out_of_range")


def free_answer(text: str, question: str, key: Key | None) -> str | None:
    """The answer in a free text: labelled, boxed or announced, else its last sentence.

    Of several numbers in that sentence, the last that the question does not name.
    """
    text = text.strip()
    if not text:
        return None
    said = labelled(text, "(?:final )?answer")
    for pattern in (_BOXED, _STATED):
        if said is None and (found := pattern.findall(text)):
            said = str(found[-1]).strip().strip("*")
    if said is None:
        sentences = [part.strip() for part in _SENTENCE.split(text) if part.strip()]
        said = text if len(text.split()) <= _SHORT_WORDS else sentences[-1]
        if key is not None and key.kind in ("boolean", "letter"):
            # These are told first and explained afterwards.
            said = sentences[0]
    if key is not None and key.kind == "number" and "=" not in said:
        named = {each.value for each in quantities(question)}
        values = quantities(said)
        own = [each for each in values if each.value not in named]
        if len(values) > 1 and own:
            last = own[-1]
            unit = "%" if last.percent else f" {last.unit}" if last.unit else ""
            said = f"{last.value:.12g}{unit}"
    return said[:_ANSWER_CHARS]
