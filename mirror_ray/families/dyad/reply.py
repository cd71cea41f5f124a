"""Reads dyad's replies: a JSON object, or lines that name an action.

Only an action has to be readable. Which colour an identification names is read when the record is
analysed. What one robot tells the other is a colour of the palette or nothing, so that no free text
of one model reaches another."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field

from mirror_ray.contract.family import Structured
from mirror_ray.core.types import Facts, Reply
from mirror_ray.core.untrusted import one_printable_line
from mirror_ray.reading.key_names import folded
from mirror_ray.reading.languages.color_claims import in_english
from mirror_ray.reading.parsing import ANY_OBJECT, Parsed, parse_object, strict_schema
from mirror_ray.reading.walking.coercion import (
    NOTHING,
    broken_off_within,
    coerced_cube_reply,
    selected,
)
from mirror_ray.reading.walking.labelled import labelled_fields

DyadAction = Literal["w", "a", "s", "d", "done"]

UNKNOWN_COLOR = "unknown"
_MOST_WORDS_CHARS = 200
_TELL = "tell"
_DECISIVE = ("action", "selected_cube", "identification")


class SilentReply(BaseModel):
    """The form of a valid reply if the two do not talk."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    view_description: str = Field(alias="view-description")
    reasoning: str
    action: DyadAction
    summary: str
    selected_cube: str
    identification: str | None


class TalkingReply(SilentReply):
    """The form of a valid reply if they talk."""

    tell: str | None


@dataclass(frozen=True, slots=True)
class DyadDecision:
    """What a model decided in one step.

    Args:
        selected_cube: a colour of the palette, "none", or what else was written.
        identification: as written, on one line; None if nothing was.
        tell: like `selected_cube`; None if nothing was told, or if they do not talk.
    """

    view_description: str
    reasoning: str
    action: DyadAction
    summary: str
    selected_cube: str
    identification: str | None
    tell: str | None = None


def reply_schema(structured: Structured, *, talks: bool) -> Facts | None:
    """Return the schema that a provider is asked to enforce, if any."""
    if structured == "none":
        return None
    if structured == "json":
        return ANY_OBJECT
    return strict_schema(TalkingReply if talks else SilentReply, get_args(DyadAction))


def read_reply(reply: Reply, *, talks: bool) -> tuple[Parsed[Any], DyadDecision | None]:
    """Return how a reply was read, and the decision in it; None if it could not be read."""
    model: type[SilentReply] = TalkingReply if talks else SilentReply

    def coerce(found: Mapping[str, Any]) -> tuple[dict[str, Any], tuple[str, ...]]:
        told = [key for key in found if folded(key) == _TELL]
        adapted, fixes = coerced_cube_reply({k: v for k, v in found.items() if k not in told})
        if talks:
            said = found[told[0]] if len(told) == 1 else None
            adapted[_TELL] = said if isinstance(said, str) else None
            fixes = fixes if adapted[_TELL] == said and told else (*fixes, "no readable 'tell'")
        return adapted, fixes

    parsed: Parsed[Any] = parse_object(
        reply.text, model, coerce, decisive=_DECISIVE, finish_reason=reply.finish_reason
    )
    is_done = parsed.value is not None and parsed.value.action == "done"
    if cut := broken_off_within(reply.text, parsed, {}, is_done=is_done):
        return Parsed(None, "failed", parsed.fixes, f"it ends within {cut!r}"), None
    if parsed.value is None and not reply.is_cut:
        fields = labelled_fields(reply.text, also={_TELL: _TELL} if talks else {})
        if fields is not None:
            adapted, fixes = coerce(fields)
            parsed = Parsed(
                model.model_validate(adapted), "repaired", ("read labelled words", *fixes)
            )
    if parsed.value is None:
        return parsed, None
    said = dict(parsed.value)
    # A cube named before done, against the rules, has no effect.
    chosen = said["selected_cube"] if said["action"] == "done" else NOTHING
    identification = said["identification"]
    told = said.get(_TELL)
    return parsed, DyadDecision(
        said["view_description"],
        said["reasoning"],
        said["action"],
        said["summary"],
        _color_or_words(chosen),
        None
        if identification is None
        else in_english(identification, "en")
        or one_printable_line(identification, _MOST_WORDS_CHARS),
        None if told is None else _color_or_words(told),
    )


def color_named(words: str | None) -> str | None:
    """Return the one colour of the palette that the words name, if they name nothing else;
    otherwise None."""
    color = None if words is None else selected(words)
    return None if color == NOTHING else color


def _color_or_words(words: str) -> str:
    return selected(words) or one_printable_line(words, _MOST_WORDS_CHARS)
