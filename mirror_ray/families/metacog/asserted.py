"""What one statement asserts, by the kind of answer that its question asks for.

A statement that asserts several things asserts none.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from mirror_ray.families.metacog.asserted_letters import letter_of
from mirror_ray.families.metacog.asserted_numbers import (
    ASIDE,
    number_of,
    same_number,
    without_asides,
)
from mirror_ray.families.metacog.asserted_orders import order_of, sequence_of
from mirror_ray.families.metacog.matching import asserted_part, chosen, plain
from mirror_ray.families.metacog.option_forms import in_option_words, without_related
from mirror_ray.families.metacog.question_facts import Asked
from mirror_ray.families.metacog.yes_no import UNDECIDED, by_whole_clause, yes_or_no
from mirror_ray.reading.function_words import FUNCTION_WORDS
from mirror_ray.reading.quantity import clock_times
from mirror_ray.reading.replies.statements import Statement
from mirror_ray.reading.spoken_times import in_clock_times

_MAIN_CLAUSE = re.compile(
    r";|—|\s[–-]\s|,? because\b|,? since\b|, as\b|, (?:which|with)\b|, and (?:only )?then\b"
    r"|, (?:followed by|ahead of|before)\b"
    r"|, an? (?:\w+ ){1,4}(?:of|to|by|from|like)\b",
    re.IGNORECASE,
)
_NAME_FIRST = re.compile(
    r"([A-Z][\w.'-]{1,30}(?: (?:[A-Z][\w.'-]{0,30}|d[aeo]l?|of|the|v[ao]n|la)){0,4}), "
    r"([a-z\d].{3,200})"
)
_SUBORDINATE = re.compile(r"\b(?:while|when|where|who|whose|which|because|since|as|that)\b")
_FINITE = re.compile(
    r"\b(?:is|are|was|were|be|has|have|had|i|we|you|it|he|she|they|wrote|painted|won|and|or|but|so)\b"
)
"""A clause of its own."""
_NOW = re.compile(
    r"[;,] (?:but |and )?(?:today|now|nowadays|currently|since then|since \d{4}),? "
    r"|[;,] (?=(?:it|this|that)(?:'s| is) [^.;,]{1,40} (?:now|today|nowadays|currently)\b)",
    re.IGNORECASE,
)
"""What was so once stands before it."""
_CONTRAST = re.compile(r",? (?:but|while|though|although|whereas)\b", re.IGNORECASE)
_CLOCK = re.compile(r"(?<![\d:])\d{1,2}(?:[:.h][0-5]\d)?[ ]?(?:[ap]\.?[ ]?m\b\.?)?", re.IGNORECASE)


_EITHER = re.compile(
    r"\b(?:could|might|may|can)(?: also)? be (?:either )?[^.,;\n]{1,40}? or \w"
    r"|(?:\A|\b(?:is|are|it's|that's) )[Ee]ither [^.,;\n]{1,40}? or \w"
    r"|\A[A-Z][\w' -]{0,40} or [A-Z][\w' -]{0,40}\.?\Z"
)
"""Two answers, of which none is chosen."""
_UNKNOWN = re.compile(
    r"\b(?:can(?:not|'t| not)|could(?: not|n't)) be (?:determined|known|told|answered)\b"
    r"|\b(?:cannot|can't|can not|couldn't) (?:tell|know|determine|infer|conclude) (?:if|whether)\b"
    r"|\b(?:not enough|insufficient|missing) (?:information|data|context)\b"
    r"|\A(?:it's |it is )?(?:hard|difficult|impossible) to (?:say|tell|know)\b"
    r"|\bleft something out\b",
    re.IGNORECASE,
)
"""No answer, unless it is among the options."""


_FEW_WORDS = 4
_LAST_PART = re.compile(r":\s|=|⇒")
_THAN = re.compile(
    r"(?:so,? |thus,? |therefore,? )?([A-Z][a-z]+) (?:is|was|has|had) [^.;,]{0,40}?(\w+) than\b",
    re.IGNORECASE,
)
_IS_THE = re.compile(r"[\"“'](?![st]\b)([^\"“”'\n]{1,60})[\"”'] (?:is|was) (?:the|an?) (\w+)")
_RESULT = re.compile(r"[^=\n]{1,80}=[ ]?([^\s=]{1,60}?)[.!]?")
_NEITHER_NOR = re.compile(
    r"(?:(?:it|he|she|that)(?:'s| is| was) )?neither [^.,;]{1,60} nor [^.,;]{1,60}\.?",
    re.IGNORECASE,
)
_SUPPOSED = re.compile(r"(?:if|since|as|because|given|when)\b", re.IGNORECASE)
_PARTS = re.compile(r"; |, (?:(?:and|but|while|whereas|then) )?| and ")
_WORDS = re.compile(r"[^\W_]+")
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
        return same_number(one, other)
    if asked.kind == "time":
        return clock_times(one)[-1:] == clock_times(other)[-1:]
    if asked.kind == "text" and asked.options:
        return chosen(one, asked.options) == chosen(other, asked.options)
    if asked.kind == "boolean" and UNDECIDED in (one, other):
        return "yes" not in (one, other)
    # Free words may say the same in many ways.
    return one == other or asked.kind not in ("boolean", "letter")


def _time(said: Statement, asked: Asked) -> str | None:
    for part in (*reversed(said.bold), without_asides(asserted_part(said.text))):
        text = in_clock_times(part)
        found = [each[0].strip() for each in _CLOCK.finditer(text) if clock_times(each[0])]
        own = [each for each in found if clock_times(each)[0] not in asked.times]
        if found:
            return (own or found)[-1]
    return None


def _boolean(said: Statement, asked: Asked) -> str | None:
    return yes_or_no(said.text, said.bold, asked)


def _text(said: Statement, asked: Asked) -> str | None:
    if not asked.options:
        called = _compared(said.text, asked) or _called_by_name(said.text, asked)
        return _own_words(said, _main_part(said, asked), asked) if called is None else called
    forms = [in_option_words(each, asked.options) for each in (said.text, *said.bold)]
    text = without_related(_part_on_the_subject(forms[0], asked), asked.options)
    if _named(forms[0], asked.options) and not _named(text, asked.options):
        return None
    said = replace(said, text=text, bold=tuple(one for one in forms[1:] if one in text))
    one = _one_option(said, asked)
    return _of_options(said, asked) if one is None else one


def _part_on_the_subject(text: str, asked: Asked) -> str:
    """The only clause that speaks of whom, or of the place in the order, that is asked for."""
    parts = _PARTS.split(text)
    for wanted in (asked.subject, asked.ordinals):
        of_it = [part for part in parts if wanted & set(_WORDS.findall(part))]
        if len(parts) > 1 and len(of_it) == 1 and _named(of_it[0], asked.options):
            return of_it[0]
    main = [part for part in parts if not _SUPPOSED.match(part) and _named(part, asked.options)]
    main.sort(key=asked.coverage, reverse=True)
    is_one = len(parts) > 1 and main and asked.coverage(main[0]) > 0
    is_one = is_one and all(asked.coverage(part) < asked.coverage(main[0]) for part in main[1:])
    return main[0] if is_one and _SUPPOSED.match(parts[0]) else text


def _main_part(said: Statement, asked: Asked) -> str:
    """What is left without asides, reasons and what once was so."""
    whole = asserted_part(_NOW.split(said.text)[-1])
    if not asked.options and (name := _name_first(whole)):
        return name
    whole = next((part for part in _MAIN_CLAUSE.split(whole) if part.strip(" .,")), whole)
    # "Sydney is larger, but the capital is Canberra": the side that takes up the question.
    sides = [part for part in _CONTRAST.split(whole) if part.strip(" .,")]
    return without_asides(max(sides, key=asked.coverage) if sides else whole)


def _name_first(text: str) -> str | None:
    """The name that a text begins with, where an apposition follows: “Toronto, not far from …”."""
    found = _NAME_FIRST.fullmatch(text)
    if found is None or found[1].endswith("ly") or found[1].casefold() in FUNCTION_WORDS:
        return None
    apposition = _SUBORDINATE.split(found[2], maxsplit=1)[0]
    return None if _FINITE.search(apposition) else found[1]


def _of_options(said: Statement, asked: Asked) -> str | None:
    whole = _main_part(said, asked)
    for text in (*said.bold, whole):
        if chosen(text, asked.options) is not None:
            return _core(text, asked) if text in said.bold else chosen(text, asked.options)
    by_form = {_base(one): one for one in asked.options if one.endswith("ly")}
    if (base := chosen(whole, tuple(by_form))) and not _DENIES_IT.search(whole):
        return by_form[base]
    if len(asked.options) > 1 and any(plain(o) in plain(whole) for o in asked.options):
        return None
    if {"yes", "no"} <= set(asked.options):
        return by_whole_clause(said.text, asked)
    return _own_words(said, whole, asked)


def _own_words(said: Statement, whole: str, asked: Asked) -> str | None:
    if _NEITHER_NOR.fullmatch(whole):
        return None
    # "**Author:** Austen": a label is no answer.
    bold = [span for span in said.bold if not span.endswith(":")]
    own = [span for span in bold if span in whole and not asked.echoes(span)]
    span = next(iter(own or bold or _at_the_end(said, whole, asked)), None)
    if span is None or len(span) >= len(whole.strip(" .")) - 2:
        span = None
    elif (behind := ASIDE.match(whole.partition(span)[2].strip())) and not _DENIES_IT.search(
        behind[0]
    ):
        span = f"{span} {behind[0]}"
    parts = order_of(span or whole)
    if parts and parts.count(", ") > 1:
        return None
    return span or _core(whole, asked)


def _one_option(said: Statement, asked: Asked) -> str | None:
    """The option behind a last colon or equals sign, or the only one that is not the question's."""
    last = _LAST_PART.split(said.text)[-1]
    at_the_end = _named(last, asked.options)
    if last != said.text and len(at_the_end) == 1 and not _DENIES_IT.search(last):
        return at_the_end.pop() if len(last.split()) <= _FEW_WORDS else None
    for span in said.bold:
        if len(in_bold := _named(span, asked.options)) == 1:
            return in_bold.pop()
    named = _named(said.text, asked.options)
    new = named - set(asked.given)
    is_told_from_given = (
        (len(named), len(new)) == (2, 1)
        and "→" not in said.text
        and not _DENIES_IT.search(said.text)
    )
    return new.pop() if is_told_from_given else None


def _named(text: str, options: Sequence[str]) -> set[str]:
    said = f" {plain(text)} "
    return {option for option in options if f" {plain(option)} " in said}


def _compared(text: str, asked: Asked) -> str | None:
    """“Kit is three years older than Sam”, to who is older."""
    found = _THAN.match(text)
    is_asked = found and found[1] in asked.subject and asked.repeats(found[2])
    return found[1] if found and is_asked and not _DENIES_IT.search(found[0]) else None


def _called_by_name(text: str, asked: Asked) -> str | None:
    """“"Barked" is the verb and "loudly" is the adverb”, “Cu + Na = CuNa”."""
    named = [name for name, what in _IS_THE.findall(text) if asked.repeats(what)]
    if len(named) == 1:
        return str(named[0])
    result = _RESULT.fullmatch(text)
    return None if result is None else result[1]


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
        "number": number_of,
        "time": _time,
        "letter": letter_of,
        "boolean": _boolean,
        "sequence": sequence_of,
        "text": _text,
        "open": _text,
    }
)
