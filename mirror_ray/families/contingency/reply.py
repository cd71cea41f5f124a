"""Reads contingency's replies: a JSON object, or lines that name a move and an answer.

The answer is required. A missing or unclear move counts as `stay` if the answer ends the task. If
the task continues, the whole reply is unreadable."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

from pydantic import BaseModel, ConfigDict

from mirror_ray.core.types import Reply
from mirror_ray.core.untrusted import printable
from mirror_ray.families.contingency.moving import HAND_MOVES, HandMove
from mirror_ray.reading.parsing import Parsed, parse_object
from mirror_ray.reading.replies.object_or_lines import lines_alone, under_their_keys

_Answer = Literal["left", "middle", "right", "none", "unsure"]

_MOST_WORDS_CHARS = 4_000
_LONGEST_NAMED = 80
_KEYS = ("view", "reasoning", "move", "answer")
_OF_SCREEN = r"(?:(?:i am |i m |it is |it s )?(?:on |in |shown on )?(?:the )?)"
_SCREEN = r"(?: (?:hand )?(?:screen|image|picture|one|person|side|panel))?"
_NAMED: Mapping[_Answer, re.Pattern[str]] = {
    "left": re.compile(rf"{_OF_SCREEN}(?:left|leftmost|screen left){_SCREEN}"),
    "middle": re.compile(rf"{_OF_SCREEN}(?:middle|cent(?:er|re)|central|screen middle){_SCREEN}"),
    "right": re.compile(rf"{_OF_SCREEN}(?:right|rightmost|screen right){_SCREEN}"),
    "none": re.compile(
        r"(?:none|neither|no screen|not any)(?: of (?:them|the (?:three )?screens))?"
    ),
    "unsure": re.compile(
        r"(?:i am |i m )?(?:unsure|not (?:yet )?sure|uncertain|undecided|unknown|unclear|not yet)"
        r"(?: yet)?"
    ),
}
_MOVED: Mapping[HandMove, re.Pattern[str]] = {
    **{
        way: re.compile(
            rf"(?:move |go )?(?:(?:my |the )?(?:right )?hand )?(?:to the )?{way}(?:ward|wards)?"
        )
        for way in HAND_MOVES
    },
    "stay": re.compile(r"(?:stay|none|no move|wait|still|keep(?: it)?(?: there| still)?|hold)"),
}
_LINE = re.compile(
    r"^[^\w\n]*+(?:final |my |next )?(?P<key>move|answer)[*_` ]*+:[^\w\n]*+"
    r"(?P<said>[a-z][a-z ]*+)[^\w\n]*+$",
    re.IGNORECASE | re.MULTILINE,
)


class _StrictReply(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    view: str
    reasoning: str
    move: HandMove
    answer: _Answer


@dataclass(frozen=True, slots=True)
class HandDecision:
    """What a model decided and said in one step."""

    view: str
    reasoning: str
    move: HandMove
    answer: _Answer


def read_reply(reply: Reply) -> tuple[Parsed[Any], HandDecision | None]:
    """Return how a reply was read, and the decision in it; None if it could not be read."""
    parsed: Parsed[_StrictReply] = parse_object(
        reply.text,
        _StrictReply,
        _coerced,
        decisive=("answer", "move"),
        finish_reason=reply.finish_reason,
    )
    if parsed.value is None and not reply.is_cut:
        said = _labelled(reply.text)
        if said is not None:
            parsed = Parsed(said, "repaired", ("read a labelled answer",))
    value = parsed.value
    if value is None:
        return parsed, None
    return parsed, HandDecision(
        printable(value.view, _MOST_WORDS_CHARS),
        printable(value.reasoning, _MOST_WORDS_CHARS),
        value.move,
        value.answer,
    )


def _answer_of(written: object) -> _Answer | None:
    words = _words(written)
    for name in get_args(_Answer):
        if words is not None and _NAMED[name].fullmatch(words):
            named: _Answer = name
            return named
    return None


def move_of(written: object) -> HandMove | None:
    """Return the one move that is named, if nothing else is; None if it is not clear."""
    words = _words(written)
    for move in HAND_MOVES:
        if words is not None and _MOVED[move].fullmatch(words):
            return move
    return None


def _words(written: object) -> str | None:
    if isinstance(written, list) and len(written) == 1:
        written = written[0]
    if not isinstance(written, str) or len(written) > _LONGEST_NAMED:
        return None
    return " ".join(re.findall(r"[^\W_]+", written.lower()))


def _coerced(found: Mapping[str, Any]) -> tuple[dict[str, Any], tuple[str, ...]]:
    adapted, fixes = under_their_keys(found, _KEYS, ("view", "reasoning"))
    answer = _answer_of(adapted.get("answer"))
    if answer is not None and answer != adapted["answer"]:
        adapted["answer"] = answer
        fixes.append(f"answer read as {answer!r}")
    move = move_of(adapted.get("move"))
    # An unreadable move matters only if the task continues.
    is_unread = move is None and answer == "unsure"
    if not is_unread and (adapted.get("move") != move or move is None):
        adapted["move"] = move or "stay"
        fixes.append(f"move read as {adapted['move']!r}")
    return adapted, tuple(fixes)


def _labelled(text: str) -> _StrictReply | None:
    prose = lines_alone(text)
    if prose is None:
        return None
    answers: set[_Answer | None] = set()
    moves: set[HandMove | None] = set()
    for line in _LINE.finditer(prose):
        if line["key"].lower() == "answer":
            answers.add(_answer_of(line["said"]))
        else:
            moves.add(move_of(line["said"]))
    if not answers and move_of(prose) is None:
        answers = {_answer_of(prose)}
    answer = answers.pop() if len(answers) == 1 else None
    move = moves.pop() if len(moves) == 1 else None
    if answer is None or (move is None and answer == "unsure"):
        return None
    return _StrictReply(view="", reasoning="", move=move or "stay", answer=answer)
