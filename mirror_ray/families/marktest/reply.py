"""Reads marktest's replies: a JSON object, or lines that name an action.

The action is required. Other missing keys count as empty and never invalidate the action."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

from pydantic import BaseModel, ConfigDict

from mirror_ray.core.types import Reply
from mirror_ray.core.untrusted import one_printable_line, printable
from mirror_ray.families.marktest.reaching import Move
from mirror_ray.reading.parsing import Parsed, parse_object
from mirror_ray.reading.replies.object_or_lines import lines_alone, under_their_keys

_Action = Literal["left", "right", "up", "down", "forward", "back", "touch", "end"]
_MOVES: tuple[Move, ...] = get_args(Move)

MOST_NOTICED_CHARS = 300
"""Longer descriptions are cut."""
_MOST_WORDS_CHARS = 4_000
_LONGEST_ACTION = 60
_KEYS = ("view", "reasoning", "noticed", "action")
_ACTIONS: Mapping[str, re.Pattern[str]] = {
    **{
        way: re.compile(
            rf"(?:move |go |reach )?(?:(?:the|my) )?(?:right )?(?:hand )?{also}"
            r"(?: by)?(?: 6)?(?: cm)?"
        )
        for way, also in {
            "left": "(?:to the )?left(?:wards?)?",
            "right": "(?:to the )?right(?:wards?)?",
            "up": "up(?:wards?)?",
            "down": "down(?:wards?)?",
            "forward": "forwards?",
            "back": "back(?:wards?)?",
        }.items()
    },
    "touch": re.compile(r"touch(?: (?:it|the mark|mark|whatever the hand is at))?"),
    "end": re.compile(r"(?:end|done|finish(?:ed)?|stop)(?: (?:the )?task)?"),
}
_LABELLED = re.compile(
    r"^[^\w\n]*+(?:(?:final|next) )?action[*_` ]*+:[^\w\n]*+"
    r"(?P<action>[a-z][a-z ]*+)[^\w\n]*+$",
    re.IGNORECASE | re.MULTILINE,
)


class _StrictReply(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    view: str
    reasoning: str
    noticed: str
    action: _Action


@dataclass(frozen=True, slots=True)
class ReachDecision:
    """What a model decided and said in one step."""

    view: str
    reasoning: str
    noticed: str
    action: _Action


def read_reply(reply: Reply) -> tuple[Parsed[Any], ReachDecision | None]:
    """Return how a reply was read, and the decision in it; None if it could not be read."""
    parsed: Parsed[_StrictReply] = parse_object(
        reply.text, _StrictReply, _coerced, decisive=("action",), finish_reason=reply.finish_reason
    )
    if parsed.value is None and not reply.is_cut:
        action = _labelled(reply.text)
        if action is not None:
            value = _StrictReply(view="", reasoning="", noticed="", action=action)
            parsed = Parsed(value, "repaired", ("read a labelled action",))
    said = parsed.value
    if said is None:
        return parsed, None
    return parsed, ReachDecision(
        printable(said.view, _MOST_WORDS_CHARS),
        printable(said.reasoning, _MOST_WORDS_CHARS),
        one_printable_line(said.noticed, MOST_NOTICED_CHARS),
        said.action,
    )


def _action_of(written: object) -> _Action | None:
    """Return the one action that is named, if nothing else is; None if it is not clear."""
    if isinstance(written, list) and len(written) == 1:
        written = written[0]
    if not isinstance(written, str) or len(written) > _LONGEST_ACTION:
        return None
    words = " ".join(re.findall(r"\w+", written.lower()))
    for action in get_args(_Action):
        if _ACTIONS[action].fullmatch(words):
            named: _Action = action
            return named
    return None


def _coerced(found: Mapping[str, Any]) -> tuple[dict[str, Any], tuple[str, ...]]:
    adapted, fixes = under_their_keys(found, _KEYS, _KEYS[:-1])
    action = _action_of(adapted.get("action"))
    if action is not None and action != adapted["action"]:
        adapted["action"] = action
        fixes.append(f"action read as {action!r}")
    return adapted, tuple(fixes)


def _labelled(text: str) -> _Action | None:
    prose = lines_alone(text)
    if prose is None:
        return None
    alone = _action_of(prose)
    if alone is not None:
        return alone
    named = {_action_of(one["action"]) for one in _LABELLED.finditer(prose)}
    return named.pop() if len(named) == 1 else None
