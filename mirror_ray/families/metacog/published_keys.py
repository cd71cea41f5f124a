"""The answers of the published item banks, and the kind of each.

[Our decision] The kind is inferred from the text, because the files' ``short_text`` covers numbers,
yes and no, lists and whole paragraphs. A decimal is a number; a time of day has a colon or am or
pm. An answer of more than eight words is ``open``, because no key can decide it, unless it begins
with yes or no or lists numbered steps."""

import re

from mirror_ray.families.metacog.bank.question import AnswerKind, Key
from mirror_ray.families.metacog.steps import numbered_steps
from mirror_ray.reading.quantity import clock_times, quantities

LONGEST_KEY_WORDS = 8
_LONGEST_SHORT_CHARS = 500
"""Longer answers count as words without further analysis."""

_WORDY = re.compile(r"^(?:about|approximately|approx\.?|around|~|≈)\s*", re.IGNORECASE)
_SAYS_YES_OR_NO = re.compile(r"(?:yes|no|true|false)(?:$|[.,;:])", re.IGNORECASE)
_TIME = re.compile(
    r"(?:\d{1,2}:\d{2}(?:\s?[ap]\.?m\.?)?|\d{1,2}(?:\.\d{2})?\s?[ap]\.?m\.?)"
    r"(?: \([\w ]++\)| (?:the )?(?:next|previous|same) day| on [A-Z]\w++)?",
    re.IGNORECASE,
)
_STARTS_WITH_NUMBER = re.compile(r"[-−$€£(]?\s?[\d.]")
_UNIT_OF = re.compile(r"[\d.,/ ]++[\w-]++ (?:of|per) [\w -]++")
_DURATION = re.compile(r"\d++ [a-z]++(?>(?:,? (?:and )?\d++ [a-z]++)+)")


def key_of(answer: object) -> Key:
    """Return a key; its text determines the kind."""
    text = _WORDY.sub("", str(answer).strip()).strip().rstrip(".")
    short = _kind_of_short(text) if len(text) <= _LONGEST_SHORT_CHARS else None
    return Key(text, short or ("open" if len(text.split()) > LONGEST_KEY_WORDS else "text"))


def _kind_of_short(text: str) -> AnswerKind | None:
    """Return the kind of an answer that is more specific than words; None for words."""
    if _SAYS_YES_OR_NO.match(text):
        return "boolean"
    if re.fullmatch(r"[A-H]\)?", text):
        return "letter"
    if _TIME.fullmatch(text):
        return "time" if clock_times(text) else "text"
    if _is_sequence(text) or numbered_steps(text):
        return "sequence"
    if _STARTS_WITH_NUMBER.match(text) and _is_quantity(text):
        return "number"
    return None


def _is_quantity(text: str) -> bool:
    values = {each.value for each in quantities(text)}
    short = len(text.split()) <= 3 or _UNIT_OF.fullmatch(text) or _DURATION.fullmatch(text)
    return len(values) == 1 and bool(short)


def _is_sequence(text: str) -> bool:
    """Return whether the text has parts of at most 12 characters, between commas with a space after
    each; brackets are allowed."""
    first, *others = text.split(",")
    if not others or not first or len(first) > 12 + (first[0] in "[("):
        return False
    last = others[-1]
    others[-1] = last[:-1] if last[2:] and last[-1] in "])" else last
    return all(
        len(part) >= 2 and len(part) - len(part.lstrip()) >= max(1, len(part) - 12)
        for part in others
    )
