"""Which lettered option one statement asserts: by its letter, its text or its place."""

import re
from collections.abc import Sequence

from mirror_ray.families.metacog.matching import asserted_part, chosen, plain
from mirror_ray.families.metacog.question_facts import Asked
from mirror_ray.reading.replies.answer_phrases import RULED_OUT
from mirror_ray.reading.replies.statements import Statement

_REASON = re.compile(r"[:—]\s|\s–\s|,? because\b|, (?:since|as|which|with)\b", re.IGNORECASE)
_LETTER = re.compile(r"(?<![\w'-])\(?([A-Ha-h])\)?(?![\w'’-])")
_NOT_THIS = re.compile(r"\Anot \(?[A-H]\)?[.,;] ", re.IGNORECASE)
_AFFIRMED = re.compile(
    r"\b([A-H])\)? (?:is|must be) (?:the )?(?:correct|right|true|best)\b"
    r"|\bonly (?:option )?\(?([A-H])\)? (?:is|are|can|has|fits|works|matches)\b"
    r"|\bleav(?:es|ing)(?: us with| only| just)? (?:option )?\(?([A-H])\b(?! (?:and|or)\b)"
    r"|\A(?:so )?([A-H]) it is\b"
)
_PLACE = re.compile(
    r"(?:the )?(?:(first)|(second)|(third)|(fourth))(?: (?:one|option|choice|answer))?\.?",
    re.IGNORECASE,
)
_ALONE = re.compile(r"\(?([a-h])\)?\.")
_ARTICLE = re.compile(
    r"\bA (?!(?:and|or|is|are|was|seems|looks|fits|because|since|as|must|would|could|may)\b)[a-z]"
)
_CALLED_LETTER = re.compile(
    r"\b(?:option|answer|choice|letter|statement)s?[ ]\(?([A-H])\b", re.IGNORECASE
)


def letter_of(said: Statement, asked: Asked) -> str | None:
    """The letter that a statement asserts, or that of the text that it names.

    None where it asserts none, or several.
    """
    whole = _NOT_THIS.sub("", asserted_part(said.text), count=1)
    if (place := _PLACE.fullmatch(whole)) and asked.options:
        number = next(n for n in range(4) if place[n + 1])
        return asked.options[number] if number < len(asked.options) else None
    affirmed = {each[1] or each[2] or each[3] for each in _AFFIRMED.finditer(whole)} & set(
        asked.options
    )
    if len(affirmed) == 1 and not whole.startswith(("If ", "if ")):
        return str(affirmed.pop())
    if RULED_OUT.search(_REASON.split(whole, maxsplit=1)[0].partition(",")[0]):
        return None
    for text in (*said.bold, whole):
        found = _letters(text, asked)
        if len(found) == 1:
            return found.pop()
    texts = dict(zip(map(plain, asked.texts), asked.options, strict=False))
    named = chosen(whole, asked.texts) if asked.texts else None
    return texts.get(named or "")


def ruled_out(said: Sequence[Statement], asked: Asked) -> set[str]:
    """The letters that statements rule out: “I'd rule out A.”"""
    return {
        letter
        for each in said
        if (out := _RULES_OUT.search(each.text))
        for letter in set(_LETTER.findall(each.text[out.end() :])) & set(asked.options)
    }


def _letters(text: str, asked: Asked) -> set[str]:
    if called := {each.upper() for each in _CALLED_LETTER.findall(text)} & set(asked.options):
        return called
    if ends := _LEADS_TO.search(text):
        return {ends[1]} & set(asked.options)
    if len(set(_GONE_THROUGH.findall(text)) & set(asked.options)) > 1:
        return set()
    first = _LETTER.match(text)
    if first and (first.end() == len(text) or text[first.end() - 1 :][:2].strip(") ") in _STOPS):
        return {first[1].upper()} & set(asked.options)
    if alone := _ALONE.fullmatch(text):
        return {alone[1].upper()} & set(asked.options)
    letters = {each for each in _LETTER.findall(text) if each.isupper()}
    if len(text) > 1 and "A" in letters and _ARTICLE.search(text):
        letters.discard("A")
    return letters & set(asked.options)


_LEADS_TO = re.compile(r"(?:→|=>|⇒) ?\(?([A-H])\)?[.!]?\Z")
_GONE_THROUGH = re.compile(r"(?<![\w'-])\(?([A-H])(?:\) |:? ?= ?\d|: ?\d)")
"""Options one after the other: “A) gets 1 point, B) gets 4”."""
_RULES_OUT = re.compile(
    r"\b(?:rule[ds]? out|eliminat(?:e|es|ed|ing)|exclude[sd]?)\b", re.IGNORECASE
)
_STOPS = frozenset({"", ".", ":", ",", "-", "–", "—"})
