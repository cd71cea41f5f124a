"""The models that a stage calls: the sweep's, or those that the stage names in another role; and
their co-players in the same episodes."""

from collections.abc import Mapping, Sequence

from mirror_ray.contract.listing import SUBJECT
from mirror_ray.contract.registry import FAMILIES
from mirror_ray.core.errors import SweepError
from mirror_ray.providers.persons import is_person
from mirror_ray.sweep.file import MOST_NAMES, StageKeys, SweepKeys

OWN, EACH = "own", "each"
"""Used instead of a co-player's name: the model itself, or each model in turn."""


def role_of(stage: StageKeys, models: Sequence[str], where: str) -> tuple[str, tuple[str, ...]]:
    """Return the role of the models that a stage calls, and the models, by default the sweep's.
    Raise SweepError for several roles in one stage, a role without a model, or a model without its
    role."""
    family = FAMILIES.get(stage.family)
    given = stage.model_extra or {}
    for role, conditions in (family.roles if family else {}).items():
        asked = [one for one in stage.conditions if one in conditions]
        if asked and len(asked) < len(stage.conditions):
            others = [one for one in stage.conditions if one not in conditions]
            raise SweepError(
                f"{where}.conditions",
                f"{', '.join(asked)} together with {', '.join(others)}, which other models play",
                f"{', '.join(conditions)} in a separate stage",
                "split it into two stages",
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


def beside_of(
    stage: StageKeys, models: Sequence[str], where: str
) -> dict[str, Mapping[str, tuple[str, ...]]]:
    """Return, by condition and role, the co-players that the stage names.

    `OWN`, the default, means the model itself; `EACH` means every model of the sweep except
    persons. The result keeps `OWN` unchanged.

    Args:
        models: that the stage asks.

    Raises:
        SweepError: a name is invalid or a person's, or a condition's episodes lack the role.
    """
    family = FAMILIES.get(stage.family)
    given = stage.model_extra or {}
    found: dict[str, dict[str, tuple[str, ...]]] = {name: {} for name in stage.conditions}
    for role, conditions in (family.beside if family else {}).items():
        names = _names(given.get(role, OWN), role, where)
        persons = [name for name in names if is_person(name)]
        if persons:
            raise SweepError(
                f"{where}.{role}",
                f"{', '.join(persons)}: a person, whom no run asks",
                f"models, {OWN!r} or {EACH!r}: persons play only where they have no co-player",
                f"remove it; mirror-ray people has persons play the stages without a {role}",
            )
        without = [one for one in stage.conditions if one not in conditions]
        if role in given and without:
            raise SweepError(
                f"{where}.{role}",
                f"{role} in {', '.join(without)}, whose episodes have none",
                f"{role} in {', '.join(conditions)}",
                f"give {', '.join(without)} a stage without it",
            )
        each = dict.fromkeys(one for name in names for one in (models if name == EACH else (name,)))
        for condition in stage.conditions:
            if condition in conditions:
                found[condition][role] = tuple(each)
    return {**found}


def all_models(keys: SweepKeys) -> tuple[str, ...]:
    """Return every model of a sweep: its own, then those that stages name in other roles."""
    found = dict.fromkeys(keys.models)
    for stage in keys.stages:
        family = FAMILIES.get(stage.family)
        for role in (*family.roles, *family.beside) if family else ():
            named = (stage.model_extra or {}).get(role, [])
            names = [named] if isinstance(named, str) else named
            found |= dict.fromkeys(name for name in names if name not in (OWN, EACH))
    return tuple(found)


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
