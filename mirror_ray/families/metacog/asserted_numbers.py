"""The number that one statement asserts, in the unit that its question asks for."""

import re
from dataclasses import replace

from mirror_ray.families.metacog.matching import asserted_part
from mirror_ray.families.metacog.question_facts import Asked
from mirror_ray.reading.number_words import in_digits
from mirror_ray.reading.quantity import Quantity, quantities
from mirror_ray.reading.replies.statements import Statement

ASIDE = re.compile(r"\([^()\n]*+\)")
_CLAUSES = re.compile(r"; |, (?:and|but|while|after which) ", re.IGNORECASE)
_FEW_WORDS, _LARGEST_IN_PASSING = 6, 12
_DIGIT = re.compile(r"\d")
_SAME = re.compile(r"\((?:also|or|aka|a\.k\.a|i\.e|=|known|spelled|formerly)\b", re.IGNORECASE)
_LEAVES = re.compile(
    r"(?<!\d )(?<!after )(?<!before )(?<!by )\bleav(?:es|ing)"
    r"(?=[ ](?:(?:us|him|her|them|you|it|with|only|just|exactly)[ ]){0,3}\$?\d)",
    re.IGNORECASE,
)
"""Not "40 leaves on 5 branches", nor "after leaving 3 behind"."""
_IS_NUMBER = r"is (?=[$€£]?\d[\d.,/]{0,20} ?(?!squared|cubed)[a-z%/²³°]{0,12}(?:[.!,;)]|\Z))"
_EQUALS = re.compile(
    rf"(?<![<>!])=|≈|⇒|\bwhich (?:gives|makes)\b|\bwhich {_IS_NUMBER}"
    rf"|\bgives (?:you|us)\b|, giving\b|\bfor a total of\b|{_LEAVES.pattern}",
    re.IGNORECASE,
)
_OF_THE = re.compile(
    r"(?<![\d.,])(\d[\d.,]*+(?: [a-z]{1,20})?) (?:out )?of (?:the |all |those |its )"
    r"(?:\w{1,20} )?\d[\d.,]*+"
)
_BETWEEN = re.compile(
    r"\bbetween\b[^\d\n]{0,12}\d[\d.,]*+[^\d\n]{0,12}\band\b[^\d\n]{0,12}\d[\d.,]*+"
    r"|\b(?:about|around|roughly|approximately|somewhere|ballpark\w{0,3}|probably)\b[^\d\n]{0,16}"
    r"\d[\d.,]*+[ ]?(?:–|-|to\b|or\b)[ ]?[$€£]?\d[\d.,]*+",
    re.IGNORECASE,
)
_REASON = re.compile(
    r"[:—]\s|\s–\s|,? because\b|, (?:since|as|with)\b"
    rf"|, which\b(?! {_IS_NUMBER})"
    r"(?! (?:gives|makes|means|equals|leaves|comes|works|simplifies|is equal)\b)",
    re.IGNORECASE,
)
_COMPARED = re.compile(r"(?<![\d.,])-?\d[\d.,]*+(?: ?[<>≤≥] ?-?\d[\d.,]*+){1,20}")
_ONLY_ONE = re.compile(
    r"\b(only|exactly|just) one\b(?! (?:who|that|which|way|answer|solution)\b)", re.I
)
_RATE = re.compile(r"(?:each|every|per|a single)\b", re.IGNORECASE)
_FACTORS = ("times", "fold")
_LISTED = re.compile(
    r"(?<![\d.,$€£/])-?\d{1,4}(?:, ?(?:and )?-?\d{1,4}(?![\d/]|\.\d)){2,40}+"
    r"(?:,? (?:and|&) \d{1,4})?"
)
"""Things that a reply counts, three at least."""
_IN = re.compile(
    r"(?<![\w.,/])(?:(\d{1,9})|one) (?:chances? )?(?:in|out of) (?:every )?(\d{1,9})\b",
    re.IGNORECASE,
)
_OF_CHANCE = frozenset({"proba", "chanc", "odds"})
_YEAR = re.compile(r"(?<![\d.,])(?:1\d|20)\d\d(?!\d|[.,]\d)")
_IS_LAST = re.compile(
    r"\b(?:is|be|are|equals) (?:only |just |exactly |again )?-?[$€£]?[\d.,/]+\W*\Z"
)


_SCALES = ("thousand", "million", "billion")
_SCALE = re.compile(rf"(?<=\d) ?(?:{'|'.join(_SCALES)})\b", re.IGNORECASE)


def number_of(said: Statement, asked: Asked) -> str | None:
    """The number, with its unit; None where a statement names none, several or a range."""
    if said.text.endswith("="):
        return None
    if any(map(asked.counts, _SCALES)):
        # "How many millions": what is counted in is no part of the number.
        text, *bold = (_SCALE.sub("", each) for each in (said.text, *said.bold))
        said = replace(said, text=text, bold=tuple(bold))
    years = set[str](_YEAR.findall(said.text) if "year" in asked.words else ())
    if len(years) == 1 and float(year := years.pop()) not in asked.numbers:
        return year
    spans = [span for span in said.bold if _quantities(span)]
    whole = _in_asked_unit(said.text, asked) or without_asides(asserted_part(said.text))
    whole = _COMPARED.sub(" ", _OF_THE.sub(r"\1", whole))
    if asked.counted:
        whole = _ONLY_ONE.sub(r"\1 1", whole)
    if asked.counted and (counted := _LISTED.sub(" ", whole)) != whole:
        if not _quantities(counted):
            return None
        whole = counted
    if asked.words & _OF_CHANCE:
        whole = _IN.sub(lambda found: f"{found[1] or 1}/{found[2]}", in_digits(whole))
    if _BETWEEN.search(whole) and not _quantities(_BETWEEN.sub(" ", whole)):
        return None
    if spans and len(spans[-1]) < len(said.text):
        found = _own(_result_of(spans[-1]), asked)
        return _written(found, asked) if found else None
    main, *_ = _REASON.split(whole, maxsplit=1)
    of_main = [each for each in _quantities(main) if each.unit not in _FACTORS]
    if main != whole and any(_is_own(each, asked) for each in of_main):
        whole = main
    clauses = [part for part in _CLAUSES.split(whole) if _quantities(part)]
    # "Each costs 1.50; 14 of them are 21": a rate is a step on the way.
    clauses = [part for part in clauses if not _RATE.match(part)] or clauses
    whole = clauses[0] if len(clauses) == 1 else whole
    if len(clauses) > 1:
        concludes = _LEAVES.search(clauses[-1]) or all("=" in clause for clause in clauses)
        whole = clauses[-1] if concludes else max(reversed(clauses), key=asked.coverage)
    found = _own(_result_of(whole), asked)
    if found and not _DIGIT.search(whole) and len(whole.split()) > _FEW_WORDS:
        # Words of numbers are as often no answer: "its three sides".
        is_counted = found.unit is not None and asked.counts(found.unit)
        is_measure = found.dimension is not None
        found = found if is_counted or is_measure or found.value > _LARGEST_IN_PASSING else None
    return _written(found, asked) if found else None


def _own(text: str, asked: Asked) -> Quantity | None:
    """Of the numbers of a text the last that is counted in what was asked for, or not given."""
    found = _quantities(text)
    own = [each for each in found if _is_own(each, asked)]
    counted = [each for each in own or found if each.unit and asked.counts(each.unit)]
    if not own and len({each.value for each in found}) > 1 and not counted:
        # All are the question's: the subject comes first, if what it is does not come last.
        return found[-1] if _IS_LAST.search(text) else found[0]
    return next(reversed(counted or own or found), None)


def _is_own(found: Quantity, asked: Asked) -> bool:
    return found.value not in asked.numbers


def _quantities(text: str) -> list[Quantity]:
    return quantities(in_digits(text))


def _result_of(text: str) -> str:
    """What follows the last sign of equality, if there is a number in it."""
    result = _EQUALS.split(text)[-1]
    return result if _quantities(result) else text


def _written(found: Quantity, asked: Asked) -> str:
    """In the unit that the question asks for, where the reply has another of its dimension."""
    wanted = asked.unit or _given_unit(found, asked)
    if wanted and found.dimension == wanted.dimension and found.unit != wanted.unit:
        return f"{found.base_value / wanted.base_value:.12g} {wanted.unit}"
    unit = "%" if found.percent else f" {found.unit}" if found.unit else ""
    return f"{found.value:.12g}{unit}"


def _given_unit(found: Quantity, asked: Asked) -> Quantity | None:
    """The one unit of its dimension that the question has, where it has not the reply's."""
    if found.unit is None or found.dimension is None or asked.repeats(found.unit):
        return None
    given = {
        unit.base_value: unit
        for unit in (Quantity(1.0, unit=name) for name in asked.units)
        if unit.dimension == found.dimension
    }
    return next(iter(given.values())) if len(given) == 1 and found.unit not in asked.units else None


def _in_asked_unit(text: str, asked: Asked) -> str | None:
    """What an aside says in the question's unit: “186 miles (300 km)”."""
    asides = ASIDE.findall(text)
    inside = _quantities(asides[0]) if len(asides) == 1 else []
    outside = _quantities(ASIDE.sub(" ", text))
    if len(inside) != 1 or len(outside) != 1 or outside[0].unit is None:
        return None
    units = inside[0].unit in asked.units, outside[0].unit in asked.units
    return asides[0] if units == (True, False) else None


def without_asides(text: str) -> str:
    """A text without brackets, but those that say the same in another way."""
    bare = ASIDE.sub(lambda aside: aside[0] if _SAME.match(aside[0]) else " ", text)
    says_number_aside = bool(quantities(text)) and not _quantities(bare)
    return bare if bare.strip(" .") and not says_number_aside else text


def same_number(one: str, other: str) -> bool:
    """Two answers are within 1 % of each other."""
    first, second = quantities(one)[-1:], quantities(other)[-1:]
    if not first or not second:
        return False
    a, b = first[0], second[0]
    if a.dimension is not None and a.dimension == b.dimension:
        return abs(a.base_value - b.base_value) <= 0.01 * abs(a.base_value)
    return abs(a.value - b.value) <= 0.01 * max(abs(a.value), abs(b.value))
