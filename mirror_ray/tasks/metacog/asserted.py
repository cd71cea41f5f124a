"""What one statement asserts, by the kind of answer that its question asks for.

A statement that asserts several things asserts none.
"""

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType

from mirror_ray.tasks.metacog.asked import Asked
from mirror_ray.tasks.metacog.asserted_letters import letter_of
from mirror_ray.tasks.metacog.asserted_orders import order_of, sequence_of
from mirror_ray.tasks.metacog.matching import asserted_part, chosen, plain
from mirror_ray.tasks.metacog.number_words import in_digits
from mirror_ray.tasks.metacog.yes_no import UNDECIDED, yes_or_no
from mirror_ray.tasks.metacog_bank.quantity import Quantity, clock_times, quantities
from mirror_ray.tasks.replies.statements import Statement

_ASIDE = re.compile(r"\([^()\n]*+\)")
_CLAUSES = re.compile(r"; |, (?:and|but|while|after which) ", re.IGNORECASE)
_MAIN_CLAUSE = re.compile(
    r";|—|\s[–-]\s|,? because\b|,? since\b|, as\b|, (?:which|with)\b|, and (?:only )?then\b"
    r"|, (?:followed by|ahead of|before)\b|, an? (?:\w+ ){1,4}(?:of|to|by|from|like)\b",
    re.IGNORECASE,
)
_NOW = re.compile(
    r"[;,] (?:but |and )?(?:today|now|nowadays|currently|since then|since \d{4}),? ", re.IGNORECASE
)
"""What was so once stands before it."""
_CONTRAST = re.compile(r",? (?:but|while|though|although|whereas)\b", re.IGNORECASE)
_FEW_WORDS, _LARGEST_IN_PASSING = 6, 12
_DIGIT = re.compile(r"\d")
_SAME = re.compile(r"\((?:also|or|aka|a\.k\.a|i\.e|=|known|spelled|formerly)\b", re.IGNORECASE)
_LEAVES = re.compile(
    r"(?<!\d )(?<!after )(?<!before )(?<!by )\bleav(?:es|ing)"
    r"(?=[ ](?:(?:us|him|her|them|you|it|with|only|just|exactly)[ ]){0,3}\$?\d)",
    re.IGNORECASE,
)
"""Not "40 leaves on 5 branches", nor "after leaving 3 behind"."""
_EQUALS = re.compile(
    rf"(?<![<>!])=|≈|⇒|\bwhich (?:gives|makes)\b"
    rf"|\bgives (?:you|us)\b|, giving\b|\bfor a total of\b|{_LEAVES.pattern}",
    re.IGNORECASE,
)
_OF_THE = re.compile(
    r"(?<![\d.,])(\d[\d.,]*+(?: [a-z]{1,20})?) (?:out )?of (?:the |all |those |its )"
    r"(?:\w{1,20} )?\d[\d.,]*+"
)
_BETWEEN = re.compile(
    r"\bbetween\b[^\d\n]{0,12}\d[\d.,]*+[^\d\n]{0,12}\band\b[^\d\n]{0,12}\d[\d.,]*+", re.IGNORECASE
)
_REASON = re.compile(r"[:—]\s|\s–\s|,? because\b|, (?:since|as|which|with)\b", re.IGNORECASE)
_CLOCK = re.compile(r"(?<![\d:])\d{1,2}(?:[:.h][0-5]\d)?[ ]?(?:[ap]\.?[ ]?m\b\.?)?", re.IGNORECASE)


_EITHER = re.compile(
    r"\b(?:could|might|may|can)(?: also)? be (?:either )?[^.,;\n]{1,40}? or \w"
    r"|(?:\A|\b(?:is|are|it's|that's) )[Ee]ither [^.,;\n]{1,40}? or \w"
    r"|\A[A-Z][\w' -]{0,40} or [A-Z][\w' -]{0,40}\.?\Z"
)
"""Two answers, of which none is chosen."""
_UNKNOWN = re.compile(
    r"\b(?:can(?:not|'t| not)|could(?: not|n't)) be (?:determined|known|told|answered)\b"
    r"|\b(?:not enough|insufficient|missing) (?:information|data|context)\b"
    r"|\A(?:it's |it is )?(?:hard|difficult|impossible) to (?:say|tell|know)\b"
    r"|\bleft something out\b",
    re.IGNORECASE,
)
"""No answer, unless it is among the options."""


_DENIES_IT = re.compile(r"\b(?:not|never|hardly)\b|n't\b", re.IGNORECASE)


def value_of(said: Statement, asked: Asked) -> str | None:
    """What a statement answers; None where it answers nothing of the kind.

    The string says the answer alone, as far as it can be told from what surrounds it.
    """
    if asked.kind not in ("boolean", "sequence") and _EITHER.search(said.text):
        return None
    if asked.kind in ("number", "time", "text") and _UNKNOWN.search(said.text):
        return next((one for one in asked.options if _UNKNOWN.search(one)), None)
    return _VALUES[asked.kind](said, asked)


def same(one: str, other: str, asked: Asked) -> bool:
    """Two values say the same."""
    if asked.kind == "number":
        return _same_number(one, other)
    if asked.kind == "time":
        return clock_times(one)[-1:] == clock_times(other)[-1:]
    if asked.kind == "text" and asked.options:
        return chosen(one, asked.options) == chosen(other, asked.options)
    if asked.kind == "boolean" and UNDECIDED in (one, other):
        return "yes" not in (one, other)
    # Free words may say the same in many ways.
    return one == other or asked.kind not in ("boolean", "letter")


def _same_number(one: str, other: str) -> bool:
    first, second = quantities(one)[-1:], quantities(other)[-1:]
    if not first or not second:
        return False
    a, b = first[0], second[0]
    if a.dimension is not None and a.dimension == b.dimension:
        return abs(a.base_value - b.base_value) <= 0.01 * abs(a.base_value)
    return abs(a.value - b.value) <= 0.01 * max(abs(a.value), abs(b.value))


def _number(said: Statement, asked: Asked) -> str | None:
    if said.text.endswith("="):
        return None
    spans = [span for span in said.bold if _quantities(span)]
    whole = _without_asides(asserted_part(said.text))
    whole = _OF_THE.sub(r"\1", whole)
    if _BETWEEN.search(whole) and not _quantities(_BETWEEN.sub(" ", whole)):
        return None
    if spans and len(spans[-1]) < len(said.text):
        found = _own(_result_of(spans[-1]), asked)
        return _written(found, asked) if found else None
    main, *_ = _REASON.split(whole, maxsplit=1)
    if main != whole and any(_is_own(each, asked) for each in _quantities(main)):
        whole = main
    clauses = [part for part in _CLAUSES.split(whole) if _quantities(part)]
    if len(clauses) > 1:
        concludes = _LEAVES.search(clauses[-1]) or all("=" in clause for clause in clauses)
        whole = clauses[-1] if concludes else max(reversed(clauses), key=asked.coverage)
    found = _own(_result_of(whole), asked)
    if found and not _DIGIT.search(whole) and len(whole.split()) > _FEW_WORDS:
        # Words of numbers are as often no answer: "its three sides".
        is_counted = found.unit is not None and asked.counts(found.unit)
        found = found if is_counted or found.value > _LARGEST_IN_PASSING else None
    return _written(found, asked) if found else None


def _own(text: str, asked: Asked) -> Quantity | None:
    """Of the numbers of a text the last that is counted in what was asked for, or not given."""
    found = _quantities(text)
    own = [each for each in found if _is_own(each, asked)]
    counted = [each for each in own or found if each.unit and asked.counts(each.unit)]
    if not own and len({each.value for each in found}) > 1 and not counted:
        # All are the question's: the subject comes first.
        return found[0]
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
    wanted = asked.unit
    if wanted and found.dimension == wanted.dimension and found.unit != wanted.unit:
        return f"{found.base_value / wanted.base_value:.12g} {wanted.unit}"
    unit = "%" if found.percent else f" {found.unit}" if found.unit else ""
    return f"{found.value:.12g}{unit}"


def _without_asides(text: str) -> str:
    """A text without brackets, but those that say the same in another way."""
    bare = _ASIDE.sub(lambda aside: aside[0] if _SAME.match(aside[0]) else " ", text)
    says_number_aside = bool(quantities(text)) and not _quantities(bare)
    return bare if bare.strip(" .") and not says_number_aside else text


def _time(said: Statement, asked: Asked) -> str | None:
    for text in (*reversed(said.bold), _without_asides(asserted_part(said.text))):
        found = [each[0].strip() for each in _CLOCK.finditer(text) if clock_times(each[0])]
        own = [each for each in found if clock_times(each)[0] not in asked.times]
        if found:
            return (own or found)[-1]
    return None


def _boolean(said: Statement, asked: Asked) -> str | None:
    return yes_or_no(said.text, said.bold, asked)


def _text(said: Statement, asked: Asked) -> str | None:
    whole = asserted_part(_NOW.split(said.text)[-1])
    whole = next((part for part in _MAIN_CLAUSE.split(whole) if part.strip(" .,")), whole)
    # "Sydney is larger, but the capital is Canberra": the side that takes up the question.
    sides = [part for part in _CONTRAST.split(whole) if part.strip(" .,")]
    whole = _without_asides(max(sides, key=asked.coverage) if sides else whole)
    if asked.options:
        for text in (*said.bold, whole):
            if chosen(text, asked.options) is not None:
                return _core(text, asked) if text in said.bold else chosen(text, asked.options)
        by_form = {_base(one): one for one in asked.options if one.endswith("ly")}
        if (base := chosen(whole, tuple(by_form))) and not _DENIES_IT.search(whole):
            return by_form[base]
        if len(asked.options) > 1 and any(plain(o) in plain(whole) for o in asked.options):
            return None
    own = [span for span in said.bold if span in whole and not asked.echoes(span)]
    span = next(iter(own or said.bold or _at_the_end(said, whole, asked)), None)
    if span is None or len(span) >= len(whole.strip(" .")) - 2:
        span = None
    elif (behind := _ASIDE.match(whole.partition(span)[2].strip())) is not None:
        span = f"{span} {behind[0]}"
    parts = order_of(span or whole)
    if parts and parts.count(", ") > 1:
        return None
    return span or _core(whole, asked)


def _base(adverb: str) -> str:
    """“sarcastic” of “sarcastically”, “literal” of “literally”."""
    return (
        adverb.removesuffix("ly").removesuffix("al")
        if adverb.endswith("ically")
        else (adverb.removesuffix("ly"))
    )


def _at_the_end(said: Statement, whole: str, asked: Asked) -> list[str]:
    """What is in italics or quotation marks, if the statement ends with it."""
    bare = whole.strip(" .!\"”'")
    last = [span for span in said.marked[-1:] if bare.endswith(span) and "," not in bare]
    return [span for span in last if not asked.echoes(span)]


def _core(text: str, asked: Asked) -> str | None:
    """A statement without what it repeats of the question at its begin and end."""
    words = text.split()
    start = at = 0
    while at < len(words) and asked.repeats(words[at]):
        at += 1
        if not asked.leads(words[at - 1]):
            start = at
    end = len(words)
    while end > start and asked.repeats(words[end - 1]):
        end -= 1
    return " ".join(words[start:end]).strip(" .,;:!") or text.strip(" .") or None


_VALUES: Mapping[str, Callable[[Statement, Asked], str | None]] = MappingProxyType(
    {
        "number": _number,
        "time": _time,
        "letter": letter_of,
        "boolean": _boolean,
        "sequence": sequence_of,
        "text": _text,
        "open": _text,
    }
)
