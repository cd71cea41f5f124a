"""selfid's reply: its JSON schema, what counts as valid, and the decision it holds.

Knows the vocabulary of actions and colours. Wrapping and broken JSON are `providers.parsing`'s,
forgiven misspellings `coercion`'s; what a decision does is `play`'s.
"""

from dataclasses import dataclass
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from mirror_ray.providers.parsing import Parsed, parse_object
from mirror_ray.tasks.selfid.coercion import coerced_cube_reply, coerced_open_reply
from mirror_ray.tasks.selfid.conditions import Condition
from mirror_ray.types import Facts, Reply

Move = Literal["w", "s", "a", "d"]
Action = Literal["w", "a", "s", "d", "done"]
Color = Literal[
    "red", "green", "blue", "yellow", "orange", "purple", "pink", "cyan", "brown", "white"
]
Identification = Literal[Color, "unknown"]
Selection = Literal[Color, "none"]

UNKNOWN: Identification = "unknown"
NOTHING: Selection = "none"


def _without_annotations(schema: dict[str, Any]) -> None:
    """Titles and docstrings would reach the model as extra instructions."""
    for part in (schema, *schema["properties"].values()):
        part.pop("title", None)
        part.pop("description", None)


class _StrictReply(BaseModel):
    model_config = ConfigDict(
        strict=True, extra="forbid", frozen=True, json_schema_extra=_without_annotations
    )


class CubeReply(_StrictReply):
    """A valid reply where a cube has to be selected (E1–E4)."""

    view_description: str = Field(alias="view-description")
    reasoning: str
    action: Action
    summary: str
    selected_cube: Selection
    identification: Identification

    @model_validator(mode="after")
    def _selects_only_when_done(self) -> Self:
        if self.action != "done" and self.selected_cube != NOTHING:
            raise ValueError('selected_cube must be "none" unless action is "done"')
        return self


class OpenReply(_StrictReply):
    """A valid reply of the open-ended condition (E5): no cube to select."""

    view_description: str = Field(alias="view-description")
    reasoning: str
    action: Action
    summary: str
    identification: Identification


_CUBE_SCHEMA = CubeReply.model_json_schema()
_OPEN_SCHEMA = OpenReply.model_json_schema()


@dataclass(frozen=True, slots=True)
class Decision:
    """What a model decided in one step; `selected_cube` is None where there is none to select."""

    view_description: str
    reasoning: str
    action: Action
    summary: str
    selected_cube: Selection | None
    identification: Identification


def reply_schema(condition: Condition) -> Facts:
    """The JSON schema of a reply: strict, every key required, none besides."""
    return _CUBE_SCHEMA if condition.cubes else _OPEN_SCHEMA


def read_reply(reply: Reply, condition: Condition) -> tuple[Parsed[Any], Decision | None]:
    """How a reply was read, and the decision it holds; None when it could not be read."""
    if condition.cubes:
        cube = parse_object(
            reply.text, CubeReply, coerced_cube_reply, finish_reason=reply.finish_reason
        )
        return cube, None if cube.value is None else Decision(**dict(cube.value))
    free = parse_object(
        reply.text, OpenReply, coerced_open_reply, finish_reason=reply.finish_reason
    )
    return free, None if free.value is None else Decision(selected_cube=None, **dict(free.value))
