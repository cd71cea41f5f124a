"""The answer that a reply commits itself to, by the grammar of `mirror_ray.reading.grammar`.

An answer explicitly called the answer counts first; then one that opens or closes the reply; then
one that the first or the last sentence names alone. Differing answers are unread, unless the
earlier one is taken back. So are forms that the grammar does not cover."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mirror_ray.reading.grammar import (
    ATTRIBUTED,
    CONCLUDES,
    CONDITION,
    DENIED,
    FINAL,
    IS_THE_ANSWER,
    LABEL,
    NOT_OWN,
    OUTRIGHT,
    REFUSED,
    SO,
)
from mirror_ray.reading.kinds.kind import Kind, value_at
from mirror_ray.reading.kinds.options import Options
from mirror_ray.reading.kinds.orders import Orders
from mirror_ray.reading.kinds.words import OwnWords
from mirror_ray.reading.kinds.yes_no import YesNo
from mirror_ray.reading.replies.objects import answers_named
from mirror_ray.reading.replies.statements import Statement, part_of
from mirror_ray.reading.standing import is_aside, standing_statements

UNREAD, REFUSAL = "unread", "refused"


@dataclass(frozen=True, slots=True)
class Commitment:
    """How a reply was read.

    Args:
        value: None where the reply commits itself to no answer that the grammar covers.
        form: the form of the grammar, e.g. "a labelled line"; otherwise why it is unread.
    """

    value: str | None
    form: str


@dataclass(frozen=True, slots=True)
class _Claim:
    value: str | None
    form: str
    is_final: bool = False


def commitment(text: str, kind: Kind, *, only_labelled: bool = False) -> Commitment:
    """Return the answer that a reply commits itself to. `only_labelled` accepts only labelled lines
    with another line below them, as in a reply that was cut off."""
    said = standing_statements(answers_named(text), kind)
    labelled = list(_labelled(said, kind, followed=only_labelled))
    if labelled or only_labelled:
        return _agreed(labelled, kind, said)
    outright = [claim for each in said for claim in _outright(each, kind)]
    if outright:
        return _agreed(outright, kind, said)
    if isinstance(kind, Orders):
        orders = [
            _Claim(order, "an order")
            for each in said
            if _is_own(each.text) and (order := _only(each.bold, kind) or value_at(each.text, kind))
        ]
        order = kind.listed(said)
        return _agreed(
            [*orders, *([_Claim(order, "a list, one item a line")] if order else [])], kind
        )
    first, last = _opening(said, kind), _closing(said, kind)
    if first is None and last is None and any(REFUSED.search(each.text) for each in said):
        return Commitment(None, REFUSAL)
    return _agreed([claim for claim in (first, last) if claim is not None], kind, said)


def _agreed(claims: Sequence[_Claim], kind: Kind, said: Sequence[Statement] = ()) -> Commitment:
    """Return the one value of all claims, or the last claim's if it is called final."""
    if not claims:
        return Commitment(None, UNREAD)
    last = claims[-1]
    ends = (_opening(said, kind), _closing(said, kind)) if isinstance(kind, Options | YesNo) else ()
    rest = [*claims[:-1], *(one for one in ends if one and one.form in (_BARE_FIRST, _BARE_LAST))]
    if last.value is None:
        return Commitment(None, "an answer of another kind")
    for each in rest:
        is_another = each.value is None or not kind.same(each.value, last.value)
        if is_another and (not last.is_final or each.is_final):
            return Commitment(None, "several answers")
    if isinstance(kind, Options) and kind.is_contradicted((each.text for each in said), last.value):
        return Commitment(None, "a letter, and another option's words")
    return Commitment(last.value, last.form)


def _labelled(said: Sequence[Statement], kind: Kind, *, followed: bool) -> Iterator[_Claim]:
    for place, each in enumerate(said):
        label = LABEL.match(each.text, _lead(each.text))
        if label is None or each.text.endswith("?"):
            continue
        rest = each.text[label.end() :].strip()
        below = place + 1
        if not rest:
            if below >= len(said) or LABEL.match(said[below].text, _lead(said[below].text)):
                continue
            rest, below = said[below].text, below + 1
        if followed and (below >= len(said) or said[below].line == each.line):
            continue
        value = _called_answer(rest, each.bold, kind)
        if value is None and "answer" not in label[0].casefold():
            continue
        yield _Claim(value, "a labelled line", FINAL.search(label[0]) is not None)


def _called_answer(text: str, bold: Sequence[str], kind: Kind) -> str | None:
    value = value_at(text, kind, called=True)
    if value is None:
        value = _only([span for span in bold if not span.endswith(":")], kind)
    if value is None and (turns := list(SO.finditer(text))):
        value = value_at(text[turns[-1].end() :], kind, called=True)
    is_own = not isinstance(kind, Options) and _is_own(text)
    return kind.within(text) if value is None and is_own else value


def _outright(said: Statement, kind: Kind) -> Iterator[_Claim]:
    text = said.text
    if _is_void(text):
        return
    leads, follows = [*OUTRIGHT.finditer(text)], [*IS_THE_ANSWER.finditer(text)]
    if isinstance(kind, Options):
        leads += kind.leads.finditer(text)
        follows += kind.follows.finditer(text)
    for found in leads:
        if not _is_own(text[: found.start()]):
            continue
        value = value_at(text[found.end() :], kind, called=True)
        if _letters(kind, text[: found.start()]) - {value}:
            value = None
        if value is not None or _letters(kind, text):
            form = "a sentence that names its answer"
            yield _Claim(value, form, FINAL.search(found[0]) is not None)
    for found in follows:
        before = CONCLUDES.sub("", _last_clause(text[: found.start()]), count=1)
        value = kind.stated(before) if _is_own(before) else None
        if value is not None:
            yield _Claim(value, "an answer that is called one")


_BARE_FIRST, _BARE_LAST = "the answer first", "the answer last"


def _opening(said: Sequence[Statement], kind: Kind) -> _Claim | None:
    first = next((each for each in said if not is_aside(each)), None)
    if first is None or first.row or (first.item and sum(each.item for each in said) > 1):
        return None
    if _is_void(first.text):
        return None
    is_only = all(each is first or is_aside(each) for each in said)
    value = (
        value_at(first.text, kind)
        if is_only or not (kind.is_computed and "=" in first.text)
        else None
    )
    in_bold = _only(first.bold, kind)
    is_one = in_bold is None or (value is not None and kind.same(value, in_bold))
    if value is not None and is_one and not NOT_OWN.match(first.text):
        return _Claim(value, "the answer and nothing else" if is_only else _BARE_FIRST)
    return _sentence(first, kind, "the first sentence")


def _closing(said: Sequence[Statement], kind: Kind) -> _Claim | None:
    own = [each for each in said if not is_aside(each)]
    for each in reversed(own):
        concludes = CONCLUDES.match(each.text)
        if concludes is None and (turns := list(SO.finditer(each.text))):
            concludes = turns[-1]
        if each is own[0] and concludes is None:
            continue
        if each is not own[-1] and concludes is None:
            continue
        if each.item or each.row or _is_void(each.text):
            continue
        rest = each.text[concludes.end() :] if concludes else each.text
        is_short = len(rest.split()) <= _SHORT and not isinstance(kind, OwnWords)
        is_bare = is_short or each.stands_alone or concludes
        value = value_at(rest, kind) if is_bare else None
        if value is not None and _is_own(rest):
            return _Claim(value, _BARE_LAST)
        found = _sentence(
            part_of(each, rest), kind, "the last sentence", concludes=concludes is not None
        )
        if found is not None:
            return found
    return None


_SHORT = 6


def _sentence(said: Statement, kind: Kind, form: str, *, concludes: bool = False) -> _Claim | None:
    text = CONDITION.sub("", said.text, count=1) if CONDITION.match(said.text) else said.text
    if text.endswith(("?", ":")) and not said.bold:
        return None
    bold = [span for span in said.bold if not span.endswith(":") and span in text]
    if bold and _is_own(text.partition(bold[0])[0]) and not NOT_OWN.search(text):
        value = _only(bold, kind)
        if value is not None and not _letters(kind, text) - {value}:
            return _Claim(value, f"in bold in {form}")
    if bold or not _is_own(text) or not (concludes or kind.takes_up(text)):
        return None
    value = kind.within(text)
    return None if value is None else _Claim(value, form)


def _only(spans: Sequence[str], kind: Kind) -> str | None:
    values = [value for span in spans if (value := kind.stated(span)) is not None]
    return values[-1] if values and all(kind.same(one, values[-1]) for one in values) else None


def _is_own(text: str) -> bool:
    return not (NOT_OWN.search(text) or DENIED.search(text) or _is_attributed(text))


def _is_void(text: str) -> bool:
    return text.endswith("?") or REFUSED.search(text) is not None or _is_attributed(text)


_BECAUSE = re.compile(r"\b(?:because|since)\b", re.IGNORECASE)


def _is_attributed(text: str) -> bool:
    return ATTRIBUTED.search(_BECAUSE.split(SO.split(text)[-1], maxsplit=1)[0]) is not None


def _letters(kind: Kind, text: str) -> set[str | None]:
    return {*kind.letters_named(text)} if isinstance(kind, Options) else set()


def _last_clause(text: str) -> str:
    for mark in (", ", "; ", ": ", " — ", " – "):
        text = text.rpartition(mark)[2]
    return text


def _lead(text: str) -> int:
    return len(text) - len(text.lstrip("([\"'“ "))
