"""Reads a sweep file: its text, overrides, shared keys, defaults and interpolations. Errors of its
schema are in plain words, with a working example."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

from mirror_ray.core.bounded_files import MOST_CONFIG_BYTES, read_bounded, text_of
from mirror_ray.core.errors import SeveralErrors, SweepError, UnfitError
from mirror_ray.core.plain_yaml import dotted, read_yaml
from mirror_ray.core.shipped_files import shipped_yaml
from mirror_ray.sweep.file import SweepKeys
from mirror_ray.sweep.interpolation import interpolated
from mirror_ray.sweep.names import check_names
from mirror_ray.sweep.overrides import overridden
from mirror_ray.sweep.problems import SweepText
from mirror_ray.sweep.shared_keys import SharedKeys, key_meant, shared_in

_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9._-]+")


@dataclass(frozen=True, slots=True)
class SweepFile:
    """A validated sweep file. Problems found later are located in its `text`; `applied` has
    readable lines on top-level keys that were applied to stages."""

    keys: SweepKeys
    text: SweepText
    applied: tuple[str, ...]


def read_sweep_file(path: Path, overrides: Sequence[str]) -> SweepFile:
    """Return the validated file, with overrides and interpolations resolved.

    ``name`` defaults to the file's stem, ``out`` to ``runs/${name}``.

    Args:
        path: the YAML file, of at most `MOST_CONFIG_BYTES`.
        overrides: ``key=value`` over the file, the value in YAML and the key a path, e.g.
            ``["models=openai/gpt-5.1", "stages.0.runs=7"]``.

    Raises:
        SweepError: all problems, each with its line of the file or its override.
    """
    source = str(path)
    try:
        written = text_of(read_bounded(path, MOST_CONFIG_BYTES))
    except UnfitError as error:
        raise error.at(source) from error
    text, shared = SweepText(source, written, overrides), SharedKeys()
    try:
        data = read_yaml(written)
        data = overridden(_shared(data, shared, source, ()), overrides, path.parent)
        data = _shared(data, shared, source, overrides)
        text = SweepText(source, written, overrides, shared.taken_from)
        data = interpolated(_with_defaults(data, path))
    except UnfitError as error:
        raise text.unreadable(error) from error
    except SweepError as error:
        raise text.located(error) from error
    if isinstance(data, dict) and isinstance(data.get("stages"), list):
        # By now these keys have been copied into the stages.
        data = {key: value for key, value in data.items() if key not in shared_in(data)}
    try:
        keys = SweepKeys.model_validate(data)
    except ValidationError as error:
        problems = [*shared.problems, *_refused(error, source)]
        stages = data.get("stages") if isinstance(data, dict) else None
        names = check_names(stages, source) if isinstance(stages, list) else []
        there = {one.where for one in problems}
        problems += [one for one in names if one.where not in there]
        raise text.located(SeveralErrors(problems)) from error
    if shared.problems:
        names = check_names(keys.model_dump()["stages"], source)
        raise text.located(SeveralErrors([*shared.problems, *names]))
    return SweepFile(keys, text, tuple(dict.fromkeys(shared.words)))


def _shared(data: object, shared: SharedKeys, source: str, overrides: Sequence[str]) -> object:
    if isinstance(data, dict):
        shared.apply(data, source, overrides)
    return {} if data is None else data


def _with_defaults(data: object, path: Path) -> object:
    if not isinstance(data, dict):
        return data
    defaults: dict[str, Any] = {
        "name": _NOT_IN_NAMES.sub("-", path.stem).lstrip("._-")[:200] or "sweep",
        "out": "runs/${name}",
    }
    return {**defaults, **data}


_NUMBER = re.compile(r" {0,3}(0 ?(?:-|–|:|to|\.\.\.?) ?)?([0-9]{1,6}) {0,3}")
_TYPE_NAMES = ("constrained-", "list[", "function-", "nullable", "union", "literal")
"""How pydantic names the members of a union within a location."""


def _refused(error: ValidationError, source: str) -> Iterator[SweepError]:
    """Yield every problem, each once."""
    problems: dict[tuple[str, ...], ErrorDetails] = {}
    for problem in error.errors(include_url=False):
        parts = (str(part) for part in problem["loc"])
        path = tuple(part for part in parts if not part.startswith(_TYPE_NAMES))
        problems.setdefault(path, problem)
    for path, problem in problems.items():
        # Of a union's members, the one that validated furthest is assumed to be meant.
        if not any(other[: len(path)] == path and other != path for other in problems):
            yield _in_words(problem, path, source)


def _in_words(problem: ErrorDetails, path: Sequence[str], source: str) -> SweepError:
    where = f"{source}: {dotted(tuple(path)) or '(whole file)'}"
    if not path:
        return SweepError(
            where,
            _shape_of(problem["input"]),
            "keys with values, of which models and stages are required",
            "models: scripted/observer, then stages: with a list below it",
        )
    # The schema that has the path's last known key, and the schema below that key.
    holder: type[BaseModel] = SweepKeys
    owner, name = holder, ""
    for step in path:
        if step in owner.model_fields:
            holder, name = owner, step
            owner = _model_in(owner.model_fields[step]) or owner
        elif not step.isdecimal():
            break
    if problem["type"] == "extra_forbidden":
        keys = list(owner.model_fields)
        fix = key_meant(path[-1], keys) or f"remove {path[-1]!r}"
        return SweepError(where, repr(path[-1]), f"one of {', '.join(keys)}", fix)
    words = shipped_yaml("mirror_ray.sweep", "keys.yaml")[holder.__name__]
    allowed, example = words.get(name, (problem["msg"], "a key of the sweep"))
    if problem["type"] == "missing":
        return SweepError(where, "nothing", f"required: {allowed}", f"add {name}: {example}")
    meant = _number_in(problem["input"]) if name in ("seeds", "runs", "limit") else None
    return SweepError(where, _got(problem), allowed, f"e.g. {name}: {meant or example}")


def _number_in(value: object) -> int | None:
    """Return the number in quotation marks, or the number of seeds in a range that begins at 0."""
    found = _NUMBER.fullmatch(value) if isinstance(value, str) else None
    if found is None:
        return None
    return int(found[2]) or None if found[1] is None else int(found[2]) + 1


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
