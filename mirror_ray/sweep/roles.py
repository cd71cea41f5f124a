"""Whom a stage asks: the sweep's models, or those that it names itself in another role."""

from collections.abc import Iterable, Sequence

from mirror_ray.errors import SweepError
from mirror_ray.sweep.file import MOST_NAMES, StageKeys, SweepKeys
from mirror_ray.tasks import FAMILIES
from mirror_ray.tasks.family import SUBJECT


def role_of(stage: StageKeys, models: Sequence[str], where: str) -> tuple[str, tuple[str, ...]]:
    """The role of the models that a stage asks, and the models.

    Args:
        models: the sweep's.

    Raises:
        SweepError: conditions of several roles in one stage; a role without a model, or a model
            without its role.
    """
    family = FAMILIES.get(stage.family)
    given = stage.model_extra or {}
    for role, conditions in (family.roles if family else {}).items():
        asked = [one for one in stage.conditions if one in conditions]
        if asked and len(asked) < len(stage.conditions):
            others = [one for one in stage.conditions if one not in conditions]
            raise SweepError(
                f"{where}.conditions",
                f"{', '.join(asked)} beside {', '.join(others)}, which other models play",
                f"{', '.join(conditions)} in a stage of its own",
                "make two stages of it",
            )
        if asked:
            return role, _names(given.get(role), role, where)
        if role in given:
            raise SweepError(
                f"{where}.{role}",
                repr(given[role]),
                f"only with conditions: [{conditions[0]}]",
                f"remove it, or add a stage with conditions: [{conditions[0]}]",
            )
    return SUBJECT, tuple(models)


def all_models(keys: SweepKeys) -> tuple[str, ...]:
    """Every model of a sweep: its own, then those that stages name in other roles."""
    return tuple(dict.fromkeys([*keys.models, *_in_roles(keys.stages)]))


def _in_roles(stages: Iterable[StageKeys]) -> Iterable[str]:
    for stage in stages:
        for role in FAMILIES[stage.family].roles if stage.family in FAMILIES else ():
            named = (stage.model_extra or {}).get(role, [])
            yield from [named] if isinstance(named, str) else named


def _names(given: object, role: str, where: str) -> tuple[str, ...]:
    names = given if isinstance(given, list) else [given]
    if (
        not names
        or len(names) > MOST_NAMES
        or not all(isinstance(name, str) and 0 < len(name) <= _LONGEST_NAME for name in names)
        or len(set(names)) < len(names)
    ):
        raise SweepError(
            f"{where}.{role}",
            "nothing" if given is None else repr(given),
            "the name of a model, or a list of different ones",
            f"e.g. {role}: openai/gpt-5.1",
        )
    return tuple(names)


_LONGEST_NAME = 200
