"""Which order one statement asserts: in brackets, between arrows or commas, or in prose."""

import re

from mirror_ray.families.metacog.matching import plain
from mirror_ray.families.metacog.question_facts import Asked
from mirror_ray.reading.replies.statements import Statement

_BRACKETS = re.compile(r"[\[(]([^\[\]()\n]*+)[\])]")
_SQUARE = re.compile(r"\[([^\[\]\n]*+)\]")
_SEPARATOR = re.compile(r"→|⟶|➔|->|=>|>|<|,(?: and| then)?+(?= )|;| \+ | then ")
_ADDED = re.compile(r" \([^()\n]*+\)\Z")
_LEAD = re.compile(
    r": | (?:is|are|was|were|be|gives|yields|leaves|becomes|makes|get|produces|results in) "
)
_REMARK = re.compile(r" \((?=[^()\n]* [^()\n]* [^()\n]* )[^(),;\n]*+\)[.]?\Z")
_SPACED = re.compile(r"(?:[A-J]|-?\d{1,4})(?: (?:[A-J]|-?\d{1,4})){2,20}")
_CONCLUSION = re.compile(r"\A(?:so|therefore|thus|hence|finally),? ", re.IGNORECASE)
PICTURES = re.compile("[\U0001f000-\U0001faff\u2600-\u27bf\ufe0f]")
_DASH = re.compile(r" [–—-] ")
_EXPLAINS = re.compile(r":| [–—-] |\(")
_VERBS = frozenset(
    ("is", "are", "was", "were", "be", "comes", "came", "by", "because", "so", "it", "has", "have")
)


def sequence_of(said: Statement, asked: Asked) -> str | None:
    """An order that is stated whole: in brackets, between arrows or commas."""
    text = _REMARK.sub("", _CONCLUSION.sub("", said.text.strip(" ."), count=1))
    if said.item:
        return None
    for span in (*reversed(said.bold), *reversed(said.marked), text):
        inside = [each for each in _BRACKETS.findall(span) if "," in each or ";" in each]
        if inside and ("[" in span or len(inside) == 1 or "→" in span):
            return ", ".join(part.strip() for part in re.split("[,;]", inside[-1]))
        parts = order_of(_behind_lead(span))
        if parts:
            return _order_in_prose(span, asked) or parts
    return _order_in_prose(said.text, asked)


def lists_in(text: str) -> list[str]:
    """What is in square brackets, with them."""
    return [f"[{inside}]" for inside in _SQUARE.findall(text)]


def _behind_lead(text: str) -> str:
    """What follows “the order is” or a colon."""
    return next(filter(None, reversed(_LEAD.split(text))), text)


def order_of(text: str) -> str | None:
    """Short parts between separators; None for prose."""
    text = PICTURES.sub("", text).strip(" .")
    if len(between := _DASH.findall(text)) > 1 and len(set(between)) == 1:
        text = _DASH.sub(", ", text)
    if _SPACED.fullmatch(text):
        return text.replace(" ", ", ")
    parts = [_ADDED.sub("", part.strip()) for part in _SEPARATOR.split(text)]
    if len(parts) < 2 or not all(part and len(part.split()) <= 4 for part in parts):
        return None
    if any(_VERBS & set(part.casefold().split()) for part in parts):
        return None
    return ", ".join(parts)


def _order_in_prose(text: str, asked: Asked) -> str | None:
    """The order in which the things to be put in order are named, each of them once."""
    said = f" {plain(text)} "
    places = sorted((said.find(f" {part} "), part) for part in asked.parts)
    if len(places) < 2 or places[0][0] < 0:
        return None
    if any(said.count(f" {part} ") != 1 for part in asked.parts):
        return None
    return ", ".join(part for _, part in places)


def item_part(said: Statement) -> str | None:
    """The thing that an item of a list names; None where the item is prose."""
    name = said.bold[0] if said.bold and said.text.startswith(said.bold[0]) else said.text
    name = PICTURES.sub("", _EXPLAINS.split(name, maxsplit=1)[0]).strip(" .,")
    return name if name and len(name.split()) <= 4 else None
