"""The form of a request for a JSON object, from the reply's schema, for families of other packages.

If only one key lists its values, these become buttons; everything else is written."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from mirror_ray.core.plain_json import parse_json
from mirror_ray.core.types import Request
from mirror_ray.forms.form import Field, Form, FormChoice, Said

_KEYS = "123456789abcdefghijklmnopqrstuvwxyz"


def form_of_schema(ask: Request) -> Form | None:
    """Return the form, or None without a schema that lists an object's keys."""
    properties = (ask.reply_schema or {}).get("properties")
    if not isinstance(properties, Mapping) or not properties:
        return None
    listed = [name for name, its in properties.items() if its.get("enum")]
    pressed = listed[0] if len(listed) == 1 else None
    values = list(properties[pressed]["enum"]) if pressed else []
    if len(values) > len(_KEYS):
        pressed, values = None, []
    choices = tuple(
        FormChoice(key, str(value), {str(pressed): str(value)})
        for key, value in zip(_KEYS, values, strict=False)
    )
    fields = tuple(Field(name, name) for name in properties if name != pressed)
    return Form(choices, fields, _typed(properties))


def _typed(properties: Mapping[str, Any]) -> Callable[[Said], str]:
    """Write each value in the type of its key if possible, otherwise as text."""

    def write(said: Said) -> str:
        return json.dumps(
            {name: _value(said.get(name, ""), its) for name, its in properties.items()},
            ensure_ascii=False,
        )

    return write


def _value(text: str, of: Mapping[str, Any]) -> object:
    if of.get("type") == "string":
        return text
    for value in of.get("enum") or ():
        if str(value) == text:
            return value
    try:
        return parse_json(text)
    except ValueError:
        return text
