"""selfid's reply: what counts as valid, the decision it contains, and the schema that may be sent.

Only the action has to be readable. An identification is kept in the model's own words and
interpreted when the record is analysed."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal, Self, get_args

from pydantic import BaseModel, ConfigDict, Field, model_validator

from mirror_ray.core.types import Facts, Reply
from mirror_ray.core.untrusted import one_printable_line
from mirror_ray.families.selfid.actions import Action
from mirror_ray.families.selfid.conditions import Condition
from mirror_ray.families.selfid.settings import Settings
from mirror_ray.reading.languages import Language
from mirror_ray.reading.languages.color_claims import cube_in
from mirror_ray.reading.languages.corrections import CORRECTIONS
from mirror_ray.reading.parsing import ANY_OBJECT, Parsed, parse_object, strict_schema
from mirror_ray.reading.walking.coercion import (
    broken_off_within,
    coerced_cube_reply,
    coerced_glance_reply,
    coerced_open_reply,
    selected,
)
from mirror_ray.reading.walking.labelled import labelled_fields
from mirror_ray.reading.walking.reply_words import REPLY_WORDS
from sim_assets.colors import COLOR_NAMES

_Move = Literal["w", "s", "a", "d"]

UNKNOWN_IDENTIFICATION = "unknown"
_NOTHING = "none"
MOST_WORDS_CHARS = 200
"""A longer identification or selection is cut."""

_DECISIVE = ("action", "selected_cube", "identification")


class _StrictReply(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class CubeReply(_StrictReply):
    """A valid reply if a cube has to be selected (E1–E4)."""

    view_description: str = Field(alias="view-description")
    reasoning: str
    action: Action
    summary: str
    selected_cube: str
    identification: str | None

    @model_validator(mode="after")
    def _selects_only_when_done(self) -> Self:
        if self.action != "done" and self.selected_cube != _NOTHING:
            raise ValueError('selected_cube must be "none" unless action is "done"')
        return self


class OpenReply(_StrictReply):
    """A valid reply in the open-ended condition (E5), without a cube to select."""

    view_description: str = Field(alias="view-description")
    reasoning: str
    action: Action
    summary: str
    identification: str | None


class GlanceReply(_StrictReply):
    """A valid reply to a glance, in which the only task is to identify oneself."""

    view_description: str = Field(alias="view-description")
    reasoning: str
    identification: str


@dataclass(frozen=True, slots=True)
class Decision:
    """What a model decided in one step.

    Args:
        selected_cube: a colour, "none", or what else was written; None if no cube can be selected.
        identification: as written, on one line; None if nothing was.
    """

    view_description: str
    reasoning: str
    action: Action
    summary: str
    selected_cube: str | None
    identification: str | None


def reply_schema(condition: Condition, settings: Settings) -> Facts | None:
    """Return the schema that a provider is asked to enforce, or None. It is strict: every key is
    required, and no other is allowed. It names no colour."""
    if settings.structured == "none":
        return None
    if settings.structured == "json":
        return ANY_OBJECT
    return strict_schema(_form(condition)[0], get_args(Action))


def read_reply(
    reply: Reply, condition: Condition, language: Language = "en"
) -> tuple[Parsed[Any], Decision | None]:
    """Return how a reply was read, and the decision in it; None if it could not be read. `language`
    is that of the prompt; English is also read."""
    model, coercion = _form(condition)
    coerce = partial(coercion, language=language)
    aliases = REPLY_WORDS[language].keys if language != "en" else {}
    parsed: Parsed[Any] = parse_object(
        reply.text,
        model,
        coerce,
        decisive=_DECISIVE,
        finish_reason=reply.finish_reason,
        aliases=aliases,
        corrections=CORRECTIONS[language],
    )
    is_done = not condition.glance and parsed.value is not None and parsed.value.action == "done"
    if cut := broken_off_within(reply.text, parsed, aliases, is_done=is_done):
        return Parsed(None, "failed", parsed.fixes, f"it ends within {cut!r}"), None
    if parsed.value is None and not reply.is_cut:
        fields = (
            _glanced(reply.text, language)
            if condition.glance
            else labelled_fields(reply.text, language)
        )
        if fields is not None:
            adapted, fixes = coerce(fields)
            parsed = Parsed(
                model.model_validate(adapted), "repaired", ("read labelled words", *fixes)
            )
    if parsed.value is None:
        return parsed, None
    said = dict(parsed.value)
    cube = said.pop("selected_cube", None)
    read = (
        None
        if cube is None
        else selected(cube, language) or one_printable_line(cube, MOST_WORDS_CHARS)
    )
    if read != cube:
        parsed = replace(
            parsed,
            status="coerced" if parsed.status in ("strict", "cleaned") else parsed.status,
            fixes=(*parsed.fixes, f"selected_cube {cube[:40]!r} read as {read!r}"),
        )
    identification = said.pop("identification")
    if identification is not None:
        identification = one_printable_line(identification, MOST_WORDS_CHARS)
    if condition.glance:
        said |= {"action": "done", "summary": ""}
    return parsed, Decision(**said, selected_cube=read, identification=identification)


def _form(
    condition: Condition,
) -> tuple[type[_StrictReply], Callable[..., tuple[dict[str, Any], tuple[str, ...]]]]:
    if condition.glance:
        return GlanceReply, coerced_glance_reply
    if condition.cubes:
        return CubeReply, coerced_cube_reply
    return OpenReply, coerced_open_reply


def _glanced(text: str, language: Language) -> dict[str, str] | None:
    color = selected(text) if len(text) <= MOST_WORDS_CHARS else None
    if color is not None and color != _NOTHING:
        return {"identification": color}
    if len(text) <= MOST_WORDS_CHARS and cube_in(text, language) in COLOR_NAMES:
        return {"identification": text}
    fields = labelled_fields(f"{text}\naction: done", language)
    return fields if fields and "identification" in fields else None
