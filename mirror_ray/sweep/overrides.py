"""Overrides of a sweep on the command line: OmegaConf's dot-list, ``key=value``, values in YAML.

Texts pass through OmegaConf unchanged: nothing is resolved here."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from mirror_ray.contract.packages import FAMILY_NAMES
from mirror_ray.contract.prompt_texts import PROMPTS
from mirror_ray.contract.registry import FAMILIES
from mirror_ray.core.errors import Quoted, SweepError, UnfitError
from mirror_ray.core.plain_yaml import MOST_KEY_CHARS, MOST_LEVELS, Keys, read_yaml
from mirror_ray.core.untrusted import printable
from mirror_ray.sweep.file import StageKeys, SweepKeys
from mirror_ray.sweep.interpolation import steps_of

if TYPE_CHECKING:
    from omegaconf import Container

MOST_OVERRIDES = 1_000
_DASHES = "-\N{EN DASH}\N{EM DASH}"
MOST_OVERRIDE_CHARS = 128 * 1024
"""Linux's limit for one argument of a command."""


def overridden(data: object, overrides: Sequence[str], folder: Path) -> object:
    """Return the data with the overrides applied, later ones over earlier ones.

    Missing maps on the path are created; list items are counted from 0. ``models=+a,b`` appends to
    the list. Paths are relative to the current folder, as everywhere on a command line.

    Args:
        folder: of the sweep file; a path that exists only relative to it stays so.

    Raises:
        SweepError: an override is not ``key=value``, its value is not plain YAML, or its key goes
            through something other than a map or past a list's end; names the override.
    """
    if len(overrides) > MOST_OVERRIDES:
        raise SweepError(
            "command line",
            f"{len(overrides):,} overrides",
            f"at most {MOST_OVERRIDES:,}",
            "write them into a sweep file",
        )
    if not overrides or not isinstance(data, (dict, list)):
        return data
    # Imported late, because most commands override nothing.
    from omegaconf import OmegaConf  # noqa: PLC0415 - as above

    config: Container = OmegaConf.create(data)
    for before, override in zip(("", *overrides), overrides, strict=False):
        key, separator, value = override.partition("=")
        if not separator or not key or len(override) > MOST_OVERRIDE_CHARS:
            raise SweepError(
                f"command line: {override}",
                repr(override[:200]),
                f"key=value, of at most {MOST_OVERRIDE_CHARS:,} characters",
                _fix_of(override, before) if not separator else "e.g. runs=7",
                Quoted("command line", override, 0, len(override)),
            )
        try:
            _check(steps_of(key))
            _put(config, key, _meant(key, read_yaml(value), data, folder))
            data = OmegaConf.to_container(config, resolve=False)
        except UnfitError as error:
            raise SweepError(
                f"command line: {override}",
                f"{error.key}: {error.got}" if error.key else error.got,
                f"the path of a key in the sweep file, and a YAML value: {error.allowed}",
                "write lists as '[a,b]', in quotes, and index stages from 0: stages.0.runs=7",
                Quoted(f"command line: {key}", override, 0, len(override)),
            ) from error
    return data


def _fix_of(word: str, before: str) -> str:
    """Return what to write instead of a word without =, after the override `before`."""
    if (option := word.lstrip(_DASHES)) != word:
        return f"options begin with two hyphens: --{option[:40]}"
    if word.endswith((".yaml", ".yml")):
        return "play one sweep at a time, or list the stages of both in one file"
    if word in SweepKeys.model_fields or word in StageKeys.model_fields:
        return f"{word}=VALUE, without spaces around ="
    key, separator, value = before.partition("=")
    if separator and value:
        return f"separate values with commas, without spaces: {key}={value[:60]},{word[:60]}"
    return "e.g. runs=7 or models=openai/gpt-5.1"


def _meant(key: str, value: object, data: object, folder: Path) -> object:
    if key == "models" and isinstance(value, str) and value.startswith("+"):
        given = data.get(key, []) if isinstance(data, dict) else []
        before = given if isinstance(given, list) else str(given).split(",")
        return [*before, *(name.strip() for name in value[1:].split(","))]
    names = [step for step in steps_of(key) if not step.isdecimal()]
    if not names or not (names[-1] == PROMPTS or _is_path(names[-1], data)):
        return value
    # Some prompt sets are named without a file.
    always = names[-1] != PROMPTS
    if isinstance(value, list):
        return [_from_here(one, folder, always=always) for one in value]
    return _from_here(value, folder, always=always)


def _is_path(name: str, data: object) -> bool:
    if name in {*SweepKeys.model_fields, *StageKeys.model_fields}:
        return name == "catalogue"
    stages = data.get("stages") if isinstance(data, dict) else None
    listed = stages if isinstance(stages, list) else []
    named = [one.get("family") for one in listed if isinstance(one, dict)]
    # Plug-ins that the sweep does not name are not imported.
    families = map(FAMILIES.get, dict.fromkeys([*FAMILY_NAMES, *map(str, named)]))
    options = [family.options.get(name) for family in families if family is not None]
    return any(option is not None and option.is_path for option in options)


def _from_here(value: object, folder: Path, *, always: bool) -> object:
    if not isinstance(value, str) or not value or "\0" in value:
        return value
    here = Path.cwd() / value
    is_here = os.path.lexists(here) or (always and not os.path.lexists(folder / value))
    return str(here) if is_here else value


def _check(steps: Keys) -> None:
    for step in steps:
        if not step or len(step) > MOST_KEY_CHARS or step != printable(step) or "${" in step:
            raise _no_path(f"{step[:60]!r} as a key")
        if step[0] == "-" and step[1:].isdecimal():
            raise _no_path(f"{step!r}: lists are counted from 0")
    if len(steps) > MOST_LEVELS:
        raise _no_path(f"a path of {len(steps):,} keys")


def _put(config: "Container", key: str, value: object) -> None:
    from omegaconf import OmegaConf  # noqa: PLC0415 - as above
    from omegaconf.errors import OmegaConfBaseException  # noqa: PLC0415

    try:
        OmegaConf.update(config, key, value, merge=False, force_add=True)
    except (OmegaConfBaseException, LookupError, TypeError, ValueError, AttributeError) as error:
        raise _no_path(f"{key!r}, which leads to no place") from error


def _no_path(got: str) -> UnfitError:
    return UnfitError(got, "names of keys joined by dots, and indices of lists", "")
