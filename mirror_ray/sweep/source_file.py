"""Reads a sweep file: its text, overrides, shared keys, defaults and interpolations."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from mirror_ray.core.bounded_files import MOST_CONFIG_BYTES, read_bounded, text_of
from mirror_ray.core.errors import SeveralErrors, SweepError, UnfitError
from mirror_ray.core.plain_yaml import read_yaml
from mirror_ray.sweep.file import SweepKeys
from mirror_ray.sweep.interpolation import interpolated
from mirror_ray.sweep.key_words import refused
from mirror_ray.sweep.names import check_names
from mirror_ray.sweep.overrides import overridden
from mirror_ray.sweep.problems import SweepText
from mirror_ray.sweep.shared_keys import SharedKeys, shared_in

_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9._-]+")


@dataclass(frozen=True, slots=True)
class SweepFile:
    """A validated sweep file.

    Args:
        text: the file's text, in which later problems are located.
        applied: lines for a person on top-level keys that were applied to stages.
    """

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
        problems = [*shared.problems, *refused(error, SweepKeys, source)]
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
