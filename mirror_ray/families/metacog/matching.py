"""Decides whether an answer is right, and whether two are equal: strictly, and as the authors' code
does.

Keys and answers are compared as text. [Our decision] Numbers agree within 0.01, or within 1 if
the truth is a whole number of 10,000 or more. Units of one dimension are converted; ``0.12``
answers ``12%``. Short texts agree if they are equal apart from case, accents, articles and
punctuation, or if an alias is. If the options are known, an answer chooses the only option that it
names. A second mode has the authors' leniency: either text contains the other."""

import re
from collections.abc import Callable, Mapping

from mirror_ray.families.metacog.bank.question import Key
from mirror_ray.families.metacog.steps import (
    LONGEST_STEPS_CHARS,
    are_taken_in_order,
    numbered_steps,
)
from mirror_ray.reading.plain_words import plain
from mirror_ray.reading.quantity import Quantity, clock_times, quantities

_TOLERANCE = 0.01
LARGE, LARGE_TOLERANCE = 10_000, 1.0
LONGEST_ANSWER_CHARS = 500

_YES = frozenset({"yes", "true", "correct", "valid"})
_NO = frozenset({"no", "false", "incorrect", "invalid"})
_LETTER = re.compile(
    r"^\W*(?:option |answer |choice )?\(?([a-h])(?:\)|\.|:|,|$|\s+[-–—]|\b(?!'))"
    r"(?!\W{0,3}(?:or|and|/)\W{1,3}(?:option )?\(?[a-h]\b)",
    re.I,
)
_BETWEEN = re.compile(r"[,;<>→\n]|->|\s\+\s|\band\b|\bthen\b")
_LIST = re.compile(r"\[[^\[\]]*+\]")
_CONTRASTED = re.compile(
    r"\bnot [^.,;:!?\n]{0,60}?,? but (?:rather )?|\Anot [^.,;:!?\n]{1,40}[:;,–—] "
    r"|\A(?:it|that|this|he|she)(?:'s| is| was) (?:not|neither) [^.;:!?\n]{1,80}[:–—] ?"
    r"|\b(?:it|that|this|he|she)(?:'s| is| was) not [^.;:!?\n]{1,80}?[,;–—] ?"
    r"(?=(?:it|that|this|he|she)(?:'s| is| was)\b)"
    r"|(?:[,(–—-] ?|\band |\bbut )(?:\bnot\b|\bnever\b|\bneither\b)[^.,;:!?()\n–—]*+"
    r"|\b(?:rather than|instead of|as opposed to|other than|unlike|different from|no longer)\b"
    r"[^.,;:!?()\n–—]*+",
    re.IGNORECASE,
)
_PLACE = re.compile(r"(?:in|on|at|under|behind|inside|beside|into|to) ")
_PLACES = re.compile(
    r"\b(?:in|on|at|under|behind|inside|beside|into|below|above|near|outside|from|not|never)\b|n't\b"
)
_PRONOUNS = frozenset({"it", "them", "him", "her"})
_CLAUSE = re.compile(r"[,.;:(—–]| because | since | as ")
_INVERTED = re.compile(r"([\w'-]{1,40}), ([\w'. -]{1,40})")
"""“Shelley, Mary”."""


def is_right(answer: str, key: Key) -> bool | None:
    """Return whether an answer is strictly right; None if no key can decide (kind ``open``)."""
    if key.kind == "open":
        return None
    longest = LONGEST_STEPS_CHARS if key.kind == "sequence" else LONGEST_ANSWER_CHARS
    return _RULES[key.kind](answer[:longest], key)


def is_right_leniently(answer: str, key: Key) -> bool:
    """Return whether an answer is strictly right, or one normalised text contains the other."""
    if is_right(answer, key):
        return True
    answer = asserted_part(answer[:LONGEST_ANSWER_CHARS])
    if key.kind == "number":
        return any(_number_agrees(each, key) for each in quantities(answer))
    said = plain(answer)
    if not said:
        return False
    rights = [plain(right) for right in (key.answer, *key.aliases)]
    return any(_contains(said, right) or _is_at(said, right) for right in rights)


def _is_at(said: str, right: str) -> bool:
    """Return whether an answer names the place: “check the drawer” is “in the drawer”, not “on”."""
    place = _PLACE.match(right)
    if place is None or (rest := right[place.end() :]) in _PRONOUNS:
        return False
    before, found, behind = f" {said} ".partition(f" {rest} ")
    if not found or f" {rest} " in behind:
        return False
    return _PLACES.search(before) is None


def asserted_part(text: str) -> str:
    """Return a text without its contrast: “west, not east” without “not east”."""
    return " ".join(_CONTRASTED.sub(" ", text).split()) or text


def sequence_parts(key: Key) -> list[str]:
    """Return the things that a sequence's key puts in order, in plain form."""
    return [f"{part:g}" if isinstance(part, float) else part for part in _parts(key.answer, key)]


def in_one_spelling(answer: str, key: Key) -> str:
    """Return the answer in a form that is equal for two answers with the same meaning.

    This is so for right and wrong answers alike, because only the key's kind, options and unit are
    used. Numbers are rounded to their tolerance."""
    answer = answer[:LONGEST_ANSWER_CHARS]
    spelled = _SPELLINGS[key.kind](answer, key) if key.kind in _SPELLINGS else None
    return spelled or plain(answer) or " ".join(answer.casefold().split())


def chosen(answer: str, options: tuple[str, ...]) -> str | None:
    """Return the one option that is named, in plain form; None if none or several are.

    Of several, the one named in the first clause alone counts: “west, not east”."""
    for part in (answer, _CLAUSE.split(answer, maxsplit=1)[0]):
        said = f" {plain(part)} "
        named = {option for option in map(plain, options) if f" {option} " in said}
        # "cannot be determined" does not name "determined", nor does "new york" name "york".
        named = {o for o in named if not any(o != other and o in other for other in named)}
        if len(named) == 1:
            return named.pop()
    return None


def _text_is_right(answer: str, key: Key) -> bool:
    if key.options and chosen(answer, key.options) == plain(key.answer):
        return True
    inverted = _INVERTED.fullmatch(answer.strip(" ."))
    if inverted and not key.options and _equals(f"{inverted[2]} {inverted[1]}", key):
        return True
    return _equals(answer, key)


def _equals(answer: str, key: Key) -> bool:
    right = {plain(text) for text in (key.answer, *key.aliases)}
    said = {plain(answer), plain(_CLAUSE.split(answer, maxsplit=1)[0])}
    return bool(right & (said - {""}))


def _contains(one: str, other: str) -> bool:
    """Return whether either text has the other's words in order, with gaps of at most one word."""
    said, right = one.split(), other.split()
    return bool(said and right) and (_has(said, right) or _has(right, said))


def _has(words: list[str], wanted: list[str]) -> bool:
    ends = {place for place, word in enumerate(words) if word == wanted[0]}
    for word in wanted[1:]:
        ends = {
            place
            for end in ends
            for place in (end + 1, end + 2)
            if place < len(words) and words[place] == word
        }
    return bool(ends)


def _boolean(text: str) -> bool | None:
    """Return yes or no, by the first word that says so; “not true” means no."""
    words = re.findall(r"[a-z']+", text.casefold())
    for i, word in enumerate(words):
        if word in _YES | _NO:
            negated = i > 0 and words[i - 1] == "not"
            return (word in _YES) != negated
    return None


def _letter(answer: str, key: Key) -> str | None:
    return _named_letter(answer, key) or (key.answer if _equals(answer, key) else None)


def _named_letter(answer: str, key: Key) -> str | None:
    found = _LETTER.match(answer.strip().strip("*").strip())
    return found[1].upper() if found and found[1].upper() in key.options else None


def _parts(text: str, key: Key) -> list[str] | list[float]:
    parts = [part.strip() for part in key.answer.split(",")]
    if key.answer.count("[") > 1:
        return ["".join(each.split()) for each in _LIST.findall(text)]
    if all(re.fullmatch(r"-?\d+(?:\.\d+)?", part) for part in parts):
        return [float(n) for n in re.findall(r"-?\d+(?:\.\d+)?", text.replace("−", "-"))]
    apart = map(str.strip, _BETWEEN.split(text.strip().strip("[]().*")))
    # A lone letter A is not an article.
    return [plain(part) or part.casefold() for part in apart if part]


def _in_order(answer: str, key: Key) -> bool:
    steps = numbered_steps(key.answer)
    return (
        are_taken_in_order(steps, answer.splitlines())
        if steps
        else _parts(answer, key) == _parts(key.answer, key)
    )


def _final_quantity(answer: str) -> Quantity | None:
    """Return the number that an answer concludes with: alone, after the last ``=``, or the last
    one."""
    found = quantities(answer.rpartition("=")[2]) or quantities(answer)
    return found[-1] if found else None


def _number_agrees(said: Quantity | None, key: Key) -> bool:
    return said is not None and any(
        _agree(said, right[-1])
        for text in (key.answer, *key.aliases)
        if (right := quantities(text))
    )


def _agree(said: Quantity, right: Quantity) -> bool:
    if said.dimension is not None and said.dimension == right.dimension:
        return _close(_in_unit_of(right, said), right.value)
    if said.percent != right.percent:
        points = said.value if said.percent else right.value
        bare = right.value if said.percent else said.value
        # A bare key may be answered in percent, rounded to a tenth.
        near = _TOLERANCE / (100 if right.percent else 20)
        return _close(bare, points) or abs(bare - points / 100) <= near + 1e-9
    return _close(said.value, right.value)


def _in_unit_of(right: Quantity, said: Quantity) -> float:
    scale = right.base_value / right.value if right.value else 1.0
    return said.base_value / scale


def _spelled_number(answer: str, key: Key) -> str | None:
    said = _final_quantity(answer)
    if said is None:
        return None
    right = (quantities(key.answer) or [said])[-1]
    same_dimension = said.dimension is not None and said.dimension == right.dimension
    value = _in_unit_of(right, said) if same_dimension else said.value
    return f"{value:.{0 if abs(value) >= LARGE else 2}f}"


def _spelled_text(answer: str, key: Key) -> str:
    return chosen(answer, key.options) or plain(_CLAUSE.split(answer, maxsplit=1)[0])


def _spelled_boolean(answer: str, _key: Key) -> str | None:
    said = _boolean(answer)
    return None if said is None else "yes" if said else "no"


def _close(said: float, right: float) -> bool:
    large = right == int(right) and abs(right) >= LARGE
    return abs(said - right) <= (LARGE_TOLERANCE if large else _TOLERANCE) + 1e-9


_RULES: Mapping[str, Callable[[str, Key], bool]] = {
    "number": lambda answer, key: _number_agrees(_final_quantity(answer), key),
    "time": lambda answer, key: clock_times(answer)[-1:] == clock_times(key.answer)[-1:],
    "sequence": _in_order,
    "letter": lambda answer, key: _letter(answer, key) == key.answer,
    "boolean": lambda answer, key: _boolean(answer) == _boolean(key.answer),
    "text": _text_is_right,
}
_SPELLINGS: Mapping[str, Callable[[str, Key], str | None]] = {
    "number": _spelled_number,
    "time": lambda answer, _key: ", ".join(map(str, clock_times(answer)[-1:])),
    "sequence": lambda answer, key: ", ".join(map(str, _parts(answer, key))),
    "letter": _named_letter,
    "boolean": _spelled_boolean,
    "text": _spelled_text,
}
"""For each kind, a function that returns an answer in normal form; None if it is not of that
kind."""
