"""The names that a stage uses: its family, conditions, variants, axes and options."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from mirror_ray.contract.family import Family
from mirror_ray.contract.prompt_texts import PROMPTS
from mirror_ray.contract.registry import FAMILIES
from mirror_ray.core.errors import SweepError
from mirror_ray.core.spelling import did_you_mean
from mirror_ray.sweep.file import StageKeys, SweepKeys
from mirror_ray.sweep.problems import Problems
from mirror_ray.sweep.prompt_sets import SETS
from mirror_ray.sweep.shared_keys import key_meant, keys_of_stage


def check_names(stages: Sequence[object], source: str) -> list[SweepError]:
    """Return every unknown name, and every value of an axis or option that is not allowed. `stages`
    are as written; values that the schema refuses are skipped."""
    problems = Problems()
    for position, stage in enumerate(stages):
        if isinstance(stage, Mapping) and isinstance(stage.get("family"), str):
            _check_stage(stage, f"{source}: stages.{position}", problems)
    return problems.found


def hash_key(option: str) -> str:
    """Return the key for the content hash of an option's file in the resolved sweep."""
    return f"{option}_sha256"


def data_files(family: Family, options: Mapping[str, object]) -> dict[str, str]:
    """Return the path of each option that names a data file or folder."""
    paths = {name: options.get(name) for name, one in family.options.items() if one.is_path}
    return {name: path for name, path in paths.items() if isinstance(path, str) and path}


def _check_stage(stage: Mapping[str, Any], where: str, problems: Problems) -> None:
    with problems.collected():
        FAMILIES.require_one(stage["family"])
        _require_known(stage["family"], FAMILIES, f"{where}.family")
        _check_keys(stage, FAMILIES[stage["family"]], where, problems)


def _check_keys(stage: Mapping[str, Any], family: Family, where: str, problems: Problems) -> None:
    for key, allowed in (("conditions", family.conditions), ("variant", family.variants)):
        for place, name in _named(stage.get(key), f"{where}.{key}"):
            with problems.collected():
                _require_known(name, allowed, place)
    for name, given in stage.items():
        if name not in StageKeys.model_fields:
            with problems.collected():
                _check_further(name, given, family, f"{where}.{name}")


def _named(value: object, where: str) -> list[tuple[str, str]]:
    if isinstance(value, str):
        return [(where, one.strip()) for one in value.split(",")]
    names = value if isinstance(value, list) else []
    return [(f"{where}.{i}", name) for i, name in enumerate(names) if isinstance(name, str)]


def _check_further(name: str, given: object, family: Family, where: str) -> None:
    if name in family.options:
        family.options[name].checked(given, where)
        return
    is_hash = any(one.is_path and name == hash_key(key) for key, one in family.options.items())
    if is_hash or name in family.roles or name in family.beside:
        return
    allowed = keys_of_stage(family)
    if PROMPTS in allowed and name in (PROMPTS, SETS):
        # Read and checked where the paths are known.
        return
    if name in SweepKeys.model_fields:
        top = f"a key of the whole sweep; a stage has {', '.join(allowed)}"
        raise SweepError(where, repr(name), top, f"move {name!r} to the top of the file")
    if name not in family.axes:
        fix = key_meant(name, allowed) or f"remove {name!r}"
        raise SweepError(where, repr(name), f"one of {', '.join(allowed)}", fix)
    values = given if isinstance(given, list) else [given]
    if not values:
        raise SweepError(where, "[]", family.axes[name].meaning, "give at least one value")
    for i, value in enumerate(values):
        family.axes[name].checked(value, f"{where}.{i}" if isinstance(given, list) else where)


def _require_known(name: str, allowed: Collection[str], where: str) -> None:
    if name not in allowed:
        names = list(allowed)
        listed = ", ".join(names)
        raise SweepError(
            where, repr(name), f"one of {listed}", did_you_mean(name, names) or f"e.g. {names[0]}"
        )
