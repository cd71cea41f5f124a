"""The statements of a reply that count: not taken back, and not a menu, a contrast or an excuse."""

import re
from collections.abc import Sequence

from mirror_ray.reading.grammar import ASIDE, CONTRAST, DECLINES_BUT, REFUSED, TAKEN_BACK
from mirror_ray.reading.kinds.kind import Kind, value_at
from mirror_ray.reading.kinds.options import Options
from mirror_ray.reading.kinds.yes_no import YesNo
from mirror_ray.reading.replies.statements import Statement, part_of, statements

_LETTER_ENDS = re.compile(
    r"((?:\b(?:is|be|option|choice|answer|pick|choose|say|with)\b)[ ][*_(]{0,4}[A-H][*_)]{0,4})"
    r"\.[*_]{0,3}[ ](?=(?-i:[\"“'A-Z(*]))",
    re.IGNORECASE,
)
"""A letter that ends its sentence, unlike an initial of a name."""
_LETTER_LEADS = re.compile(r"(^|[:;,(=>→][ ]{0,2})([*_(]{0,3})([A-Z])\.[ ](?=\S)", re.MULTILINE)
"""A letter before its option does not end a sentence."""
_OPTION_MARK = re.compile(r"\(?([A-Z])[).:](?=[ ])")


def standing_statements(text: str, kind: Kind) -> list[Statement]:
    """Return the statements of a text that count, in order."""
    if not isinstance(kind, Options):
        return _standing(statements(text), kind)
    text = _LETTER_LEADS.sub(r"\1\2\3) ", _LETTER_ENDS.sub(r"\1.\n", text))
    return _without_menu(_standing(statements(text), kind), kind)


def is_aside(said: Statement) -> bool:
    """Return whether a statement only surrounds the answer: a greeting or an introduction."""
    return (
        said.heading
        or ASIDE.match(said.text) is not None
        or (said.text.endswith(":") and not said.bold)
    )


def _standing(said: Sequence[Statement], kind: Kind) -> list[Statement]:
    standing: list[Statement] = []
    for each in map(_to_the_point, said):
        turns = list(TAKEN_BACK.finditer(each.text))
        if turns and (turns[-1].start() > 0 or _answers(standing, kind)):
            standing.clear()
            rest = each.text[turns[-1].end() :].lstrip(" ,.:;!…–—-")
            if rest:
                standing.append(part_of(each, rest))
            continue
        standing.append(each)
    return standing


def _answers(said: Sequence[Statement], kind: Kind) -> bool:
    if isinstance(kind, YesNo):
        return any(value_at(each.text, kind) for each in said)
    return any(not is_aside(each) for each in said)


def _without_menu(said: Sequence[Statement], kind: Options) -> list[Statement]:
    marks = [_OPTION_MARK.match(each.text) for each in said]
    letters = {mark[1] for mark in marks if mark and mark[1] in kind.letters}
    is_menu = len(letters) >= min(3, len(kind.letters))
    return [each for each, mark in zip(said, marks, strict=True) if not (is_menu and mark)]


def _to_the_point(said: Statement) -> Statement:
    text = CONTRAST.sub("", said.text)
    declines = DECLINES_BUT.match(text)
    if declines and REFUSED.search(declines[0]):
        text = text[declines.end() :]
    return said if text == said.text else part_of(said, text)
