"""Schema errors of a sweep in plain words, with a working example."""

from collections.abc import Iterator, Sequence

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

from mirror_ray.core.errors import SweepError
from mirror_ray.core.plain_yaml import dotted
from mirror_ray.core.spelling import did_you_mean

_TYPE_NAMES = ("constrained-", "list[", "function-", "nullable", "union", "literal")
"""How pydantic names the members of a union within a location."""


def refused(error: ValidationError, schema: type[BaseModel], source: str) -> Iterator[SweepError]:
    """Yield every problem, each once.

    Args:
        schema: of the whole file; its fields have descriptions and examples.
    """
    problems: dict[tuple[str, ...], ErrorDetails] = {}
    for problem in error.errors(include_url=False):
        parts = (str(part) for part in problem["loc"])
        path = tuple(part for part in parts if not part.startswith(_TYPE_NAMES))
        problems.setdefault(path, problem)
    for path, problem in problems.items():
        # Of the members of a union, the one that validated furthest is the one that was meant.
        if not any(other[: len(path)] == path and other != path for other in problems):
            yield _in_words(problem, path, schema, source)


def _in_words(
    problem: ErrorDetails, path: Sequence[str], schema: type[BaseModel], source: str
) -> SweepError:
    where = f"{source}: {dotted(tuple(path)) or '(whole file)'}"
    owner, field, name = _field_of(path, schema)
    if not path:
        return SweepError(
            where,
            _shape_of(problem["input"]),
            "keys with values, of which models and stages are required",
            "models: scripted/observer, then stages: with a list below it",
        )
    if problem["type"] == "extra_forbidden":
        keys = list(owner.model_fields)
        fix = did_you_mean(path[-1], keys) or f"remove {path[-1]!r}"
        return SweepError(where, repr(path[-1]), f"one of {', '.join(keys)}", fix)
    allowed = (field.description if field else None) or problem["msg"]
    example = f"{name}: {field.examples[0]}" if field and field.examples else "see the sweep's keys"
    if problem["type"] == "missing":
        return SweepError(where, "nothing", f"required: {allowed}", f"add {example}")
    return SweepError(where, _got(problem), allowed, f"e.g. {example}")


def _field_of(
    path: Sequence[str], schema: type[BaseModel]
) -> tuple[type[BaseModel], FieldInfo | None, str]:
    """Return the model that a path ends in, the field it belongs to, and the field's name."""
    owner, field, name = schema, None, ""
    for step in path:
        if step in owner.model_fields:
            field, name = owner.model_fields[step], step
            owner = _model_in(field) or owner
        elif not step.isdecimal():
            break
    if field is not None and (inner := _model_in(field)) is not None and name == path[-1]:
        # A problem of a whole nested map is reported for the field itself.
        owner = inner
    return owner, field, name


def _model_in(field: FieldInfo) -> type[BaseModel] | None:
    parts = [field.annotation, *getattr(field.annotation, "__args__", ())]
    return next(
        (one for one in parts if isinstance(one, type) and issubclass(one, BaseModel)), None
    )


def _got(problem: ErrorDetails) -> str:
    value, kind = problem["input"], problem["type"]
    if kind == "list_type" and isinstance(value, dict):
        return f"{_shape_of(value)} where a list belongs: the dash before its first key is missing"
    if kind in ("list_type", "dict_type", "model_type") and not isinstance(value, dict):
        belongs = "a list belongs" if kind == "list_type" else "keys with values belong"
        return f"{_shape_of(value)} where {belongs}"
    if isinstance(value, (dict, list)):
        return _shape_of(value)
    return "nothing" if value is None else repr(value)


def _shape_of(value: object) -> str:
    if value is None:
        return "nothing"
    if isinstance(value, dict):
        keys = ", ".join(map(str, list(value)[:3]))
        return f"a map with {keys}" if keys else "an empty map"
    if isinstance(value, list):
        return f"a list of {len(value):,}" if value else "an empty list"
    return f"the single value {value!r}"
