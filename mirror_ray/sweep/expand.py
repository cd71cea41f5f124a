"""From validated keys to stages and cells; checks every name a sweep uses.

Knows families, their axes and the model catalogue; does not read files and costs nothing.
"""

from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from fnmatch import fnmatchcase
from itertools import product
from typing import Any, TypeVar, cast

from mirror_ray.errors import SweepError
from mirror_ray.identity import Cell, Scalar
from mirror_ray.providers.catalogue import Catalogue
from mirror_ray.sweep.file import StageKeys
from mirror_ray.sweep.plan import Stage
from mirror_ray.tasks import FAMILIES
from mirror_ray.tasks.family import Axis, Family, Shape

_T = TypeVar("_T")
_GLOB = frozenset("*?[")


def expand_models(names: Sequence[str], catalogue: Catalogue, source: str) -> tuple[str, ...]:
    """Model names with globs replaced by what they match, each once, in the order written.

    Raises:
        SweepError: an unknown name, or a pattern that matches nothing.
    """
    found: dict[str, None] = {}
    for position, name in enumerate(names):
        where = f"{source}: models.{position}"
        matches = catalogue.match(name) if _GLOB & set(name) else (name,)
        if not matches:
            raise SweepError(
                where,
                repr(name),
                "a pattern that matches a name of the catalogue",
                "list the names: mirror-ray models",
            )
        for match in matches:
            catalogue.resolve(match, where=where)
            found.setdefault(match)
    return tuple(found)


def expand_stages(
    stages: Sequence[StageKeys], models: Sequence[str], source: str
) -> tuple[Stage, ...]:
    """The cells of every stage, and what tells how their episodes are listed.

    Raises:
        SweepError: an unknown family, condition, variant, axis or option, a value out of its
            bounds, a value given twice, or a condition whose episodes follow from others that no
            stage before has.
    """
    found: list[Stage] = []
    for position, stage in enumerate(stages):
        where = f"{source}: stages.{position}"
        cells = tuple(_cells_of(stage, models, where))
        family = FAMILIES[stage.family]
        _has_what_it_reads(family, stage, found, where)
        shape = Shape(
            seeds=_seeds(stage, family, found, where),
            runs=stage.runs,
            models=tuple(models),
            options=_options(stage, family, where),
            where=where,
        )
        found.append(Stage(family.name, cells, shape))
    return tuple(found)


def cells_of(stages: Sequence[Stage]) -> tuple[Cell, ...]:
    """Every cell once, in the order of the stages."""
    return tuple({cell.cell_id: cell for stage in stages for cell in stage.cells}.values())


def expand_budgets(
    ceilings: Mapping[str, float], models: Sequence[str], source: str
) -> dict[str, float]:
    """Model → its own ceiling in USD; models without one are left out.

    Args:
        ceilings: by name or pattern: a model's own name counts before patterns, and of these the
            first that matches.

    Raises:
        SweepError: a name or pattern that none of the sweep's models has.
    """
    found: dict[str, float] = {}
    by_rank = sorted(ceilings.items(), key=lambda item: bool(_GLOB & set(item[0])))
    for name, usd in by_rank:
        matches = [model for model in models if model == name or fnmatchcase(model, name)]
        if not matches:
            raise SweepError(
                f"{source}: budget_per_model_usd.{name}",
                repr(name),
                f"a model of this sweep, or a pattern that matches one: {', '.join(models)}",
                _did_you_mean(name, models) or f"remove {name!r}, or add it to the models",
            )
        for model in matches:
            found.setdefault(model, usd)
    return found


def weights_of(stages: Sequence[Stage], keys: Sequence[StageKeys]) -> dict[str, float]:
    """cell_id → weight of its stage; of several stages the largest."""
    weights: dict[str, float] = {}
    for stage, key in zip(stages, keys, strict=True):
        for cell in stage.cells:
            weights[cell.cell_id] = max(key.weight, weights.get(cell.cell_id, 0.0))
    return weights


def _has_what_it_reads(
    family: Family, stage: StageKeys, before: Sequence[Stage], where: str
) -> None:
    there = {cell.condition for one in before if one.family == family.name for cell in one.cells}
    for position, condition in enumerate(stage.conditions):
        listing = family.listings.get(condition)
        if listing and listing.after and not there & set(listing.after):
            names = " or ".join(listing.after)
            raise SweepError(
                f"{where}.conditions.{position}",
                repr(condition),
                f"after a stage of {family.name} with {names}, from whose replies it follows",
                f"put a stage with conditions: [{listing.after[0]}] before this one",
            )


def _cells_of(stage: StageKeys, models: Sequence[str], where: str) -> Iterator[Cell]:
    family = _known(stage.family, FAMILIES, f"{where}.family")
    for position, condition in enumerate(stage.conditions):
        _known(condition, family.conditions, f"{where}.conditions.{position}")
    variants = stage.variant or [next(iter(family.variants))]
    for position, variant in enumerate(variants):
        _known(variant, family.variants, f"{where}.variant.{position}")
    axes = _axes(stage, family, where)
    for key in ("conditions", "variant", "temperature"):
        _distinct(getattr(stage, key) or [], f"{where}.{key}")
    for variant in variants:
        _changes_all(stage.conditions, family, variant, f"{where}.variant")
    for name, chosen in axes.items():
        if set(chosen) != {family.axes[name].default}:
            _changes_all(stage.conditions, family, name, f"{where}.{name}")
    for condition, model, temperature, variant in product(
        stage.conditions, models, stage.temperature, variants
    ):
        for values in product(*axes.values()):
            off_default = sorted(
                (name, value)
                for name, value in zip(axes, values, strict=True)
                if value != family.axes[name].default
            )
            yield Cell(
                family=family.name,
                condition=condition,
                models=(("subject", model),),
                temperature=temperature,
                variant=variant,
                axes=tuple(off_default),
            )


def _changes_all(conditions: Sequence[str], family: Family, name: str, where: str) -> None:
    """Refuses a variant or axis beside conditions in which it changes nothing."""
    bears_on = family.only_in.get(name, conditions)
    untouched = [condition for condition in conditions if condition not in bears_on]
    if untouched:
        raise SweepError(
            where,
            f"{name} beside {', '.join(untouched)}, where it changes nothing: the same episodes"
            " would be played once more",
            f"{name} in {', '.join(bears_on)}",
            f"give {', '.join(untouched)} a stage without it",
        )


def _seeds(stage: StageKeys, family: Family, before: Sequence[Stage], where: str) -> Sequence[int]:
    """The stage's own, or where none are given those of the stage that it follows from."""
    if isinstance(stage.seeds, int):
        return range(stage.seeds)
    if stage.seeds is not None:
        _distinct(stage.seeds, f"{where}.seeds")
        return stage.seeds
    listings = (family.listings.get(condition) for condition in stage.conditions)
    sources = {name for listing in listings if listing for name in listing.after}
    for earlier in reversed(before):
        if earlier.family == family.name and sources & {one.condition for one in earlier.cells}:
            return earlier.shape.seeds
    raise SweepError(
        f"{where}.seeds",
        "no seeds",
        "how many scenes, or a list of seeds",
        "e.g. seeds: 3",
    )


def _axes(stage: StageKeys, family: Family, where: str) -> dict[str, list[Scalar]]:
    """The values of every axis that the stage names."""
    axes = {}
    hashes = {hash_key(name) for name, option in family.options.items() if option.is_path}
    for name, given in (stage.model_extra or {}).items():
        if name in family.options or name in hashes:
            continue
        if name not in family.axes:
            allowed = [*StageKeys.model_fields, *family.axes, *family.options]
            raise SweepError(
                f"{where}.{name}",
                repr(name),
                f"one of {', '.join(allowed)}",
                _did_you_mean(name, allowed) or f"remove {name!r}",
            )
        values = given if isinstance(given, list) else [given]
        if not values:
            raise SweepError(
                f"{where}.{name}", "[]", family.axes[name].meaning, "give at least one value"
            )
        axes[name] = [_checked(value, family.axes[name], f"{where}.{name}") for value in values]
        _distinct(axes[name], f"{where}.{name}")
    return axes


def _options(stage: StageKeys, family: Family, where: str) -> dict[str, Scalar]:
    """The value of every option; given ones in their own type and bounds."""
    given = stage.model_extra or {}
    return {
        name: _checked(given[name], option, f"{where}.{name}") if name in given else option.default
        for name, option in family.options.items()
    }


def hash_key(option: str) -> str:
    """The key that says what the file of an option holds; written where the sweep is resolved."""
    return f"{option}_sha256"


def _checked(value: Any, axis: Axis, where: str) -> Scalar:
    """The value in its axis's own type, within its bounds."""
    wanted: type = type(axis.default)
    if wanted is float and type(value) is int:
        value = float(value)
    # `True == 1`: the very type is asked for, so that a switch is not taken for a number.
    of_its_type = type(value) is wanted
    if (
        of_its_type
        and (axis.choices is None or value in axis.choices)
        and (axis.minimum is None or value >= axis.minimum)
        and (axis.maximum is None or value <= axis.maximum)
    ):
        return cast("Scalar", value)
    raise SweepError(where, repr(value), _allowed(axis), f"e.g. {axis.default!r}, the default")


def _allowed(axis: Axis) -> str:
    if axis.choices is not None:
        return "one of " + ", ".join(map(str, axis.choices))
    bounds = [
        f"{sign} {bound:g}"
        for sign, bound in (("≥", axis.minimum), ("≤", axis.maximum))
        if bound is not None
    ]
    return f"{type(axis.default).__name__} {' and '.join(bounds)}: {axis.meaning}"


def _known(name: str, allowed: Mapping[str, _T], where: str) -> _T:
    if name not in allowed:
        names = ", ".join(allowed)
        raise SweepError(
            where,
            repr(name),
            f"one of {names}",
            _did_you_mean(name, list(allowed)) or f"use one of {names}",
        )
    return allowed[name]


def _did_you_mean(name: str, allowed: Sequence[str]) -> str | None:
    close = get_close_matches(name, allowed, n=1)
    return f"did you mean {close[0]!r}?" if close else None


def _distinct(values: Sequence[object], where: str) -> None:
    twice = [value for position, value in enumerate(values) if value in values[:position]]
    if twice:
        raise SweepError(where, f"{twice[0]!r} twice", "each value once", "remove the repetition")
