"""Turns validated keys into stages and cells; checks every name that a sweep uses."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from math import prod

from mirror_ray.contract.family import Family
from mirror_ray.contract.listing import Shape
from mirror_ray.contract.prompt_texts import OWN_SET, PROMPTS
from mirror_ray.contract.registry import FAMILIES
from mirror_ray.core.errors import SweepError
from mirror_ray.core.identity import Cell, Scalar
from mirror_ray.providers.persons import is_person
from mirror_ray.sweep.file import StageKeys
from mirror_ray.sweep.names import check_names
from mirror_ray.sweep.plan import Stage
from mirror_ray.sweep.problems import Problems
from mirror_ray.sweep.prompt_sets import sets_of
from mirror_ray.sweep.roles import OWN, beside_of, role_of
from mirror_ray.sweep.sources import has_what_it_reads, has_what_its_options_need, judges_once
from mirror_ray.sweep.stages import MOST_EPISODES

MOST_CELLS = 100_000
"""Most cells of a stage."""


def expand_stages(
    stages: Sequence[StageKeys],
    models: Sequence[str],
    source: str,
    *,
    limit: int | None = None,
    shard: tuple[int, int] | None = None,
) -> tuple[Stage, ...]:
    """Return the cells of every stage, and how their episodes are listed.

    Args:
        limit: only the first scenes of each cell, at most this many.
        shard: as for `Shape`.

    Raises:
        SweepError: more episodes than a sweep may have; an unknown family, condition, variant,
            axis or option, a value out of its bounds, a value given twice, or a condition whose
            episodes follow from others that no earlier stage has.
    """
    problems = Problems()
    problems.found += check_names([stage.model_dump() for stage in stages], source)
    problems.raise_all()
    found: list[Stage] = []
    left = MOST_EPISODES
    for position, stage in enumerate(stages):
        where = f"{source}: stages.{position}"
        role, asked = role_of(stage, models, where)
        co_players = beside_of(stage, asked, where)
        left -= _count_episodes(stage, asked, co_players, left, where)
        cells = tuple(_cells_of(stage, role, asked, co_players=co_players, where=where))
        family, given = FAMILIES[stage.family], stage.model_extra or {}
        has_what_it_reads(family, cells, found, where)
        shape = Shape(
            seeds=_seeds(stage, family, cells, found, where),
            runs=stage.runs,
            models=tuple(models),
            options={
                name: option.checked(given[name], f"{where}.{name}")
                if name in given
                else option.default
                for name, option in family.options.items()
            },
            where=where,
            limit=limit,
            shard=shard,
        )
        has_what_its_options_need(family, shape, stage, found)
        judges_once(family, cells, found, where)
        found.append(Stage(family.name, cells, shape))
    return tuple(found)


def _count_episodes(
    stage: StageKeys,
    models: Sequence[str],
    co_players: Mapping[str, Mapping[str, Sequence[str]]],
    left: int,
    where: str,
) -> int:
    lists: list[Sequence[object]] = [models, stage.temperature, stage.variant or [None]]
    further = {role for roles in co_players.values() for role in roles}
    lists += [
        value
        for name, value in (stage.model_extra or {}).items()
        if isinstance(value, list) and name not in further
    ]
    conditions = sum(prod(map(len, co_players.get(one, {}).values())) for one in stage.conditions)
    cells = conditions * prod(max(1, len(one)) for one in lists)
    seeds = stage.seeds if isinstance(stage.seeds, int) else len(stage.seeds or [None])
    episodes = cells * seeds * stage.runs
    if cells > MOST_CELLS or episodes > left:
        largest = {cells: "conditions", stage.runs: "runs", seeds: "seeds"}
        raise SweepError(
            f"{where}.{largest[max(largest)]}",
            f"{cells:,} cells × {seeds:,} seeds × {stage.runs:,} runs",
            f"at most {MOST_CELLS:,} cells in a stage, and {MOST_EPISODES:,} episodes in a sweep,"
            f" of which {left:,} are left for this stage",
            "ask for less, or make several sweeps of it",
        )
    return episodes


def cells_of(stages: Sequence[Stage]) -> tuple[Cell, ...]:
    """Return every cell once, in the order of the stages."""
    return tuple({cell.cell_id: cell for stage in stages for cell in stage.cells}.values())


def weights_of(stages: Sequence[Stage], keys: Sequence[StageKeys]) -> dict[str, float]:
    """Return each cell's weight, by cell_id: that of its stage, or the largest if there are
    several."""
    weights: dict[str, float] = {}
    for stage, key in zip(stages, keys, strict=True):
        for cell in stage.cells:
            weights[cell.cell_id] = max(key.weight, weights.get(cell.cell_id, 0.0))
    return weights


def _cells_of(
    stage: StageKeys,
    role: str,
    models: Sequence[str],
    *,
    co_players: Mapping[str, Mapping[str, Sequence[str]]],
    where: str,
) -> Iterator[Cell]:
    family = FAMILIES[stage.family]
    variants = stage.variant or [next(iter(family.variants))]
    axes: dict[str, list[Scalar]] = _axes(stage, family, where)
    for key in ("conditions", "variant", "temperature"):
        _distinct(getattr(stage, key) or [], f"{where}.{key}")
    for variant in variants:
        _changes_all(stage.conditions, family, variant, f"{where}.variant")
    sets = sets_of(family.name, stage.model_extra or {}, where)
    axes |= {PROMPTS: list(sets)} if sets else {}
    for name, chosen in axes.items():
        if set(chosen) != {_default(family, name)}:
            _changes_all(stage.conditions, family, name, f"{where}.{name}")
    _apart(axes, family, where)
    for condition, model, temperature, variant in product(
        stage.conditions, models, stage.temperature, variants
    ):
        for others, values in product(
            _others(co_players[condition], model), product(*axes.values())
        ):
            off_default = sorted(
                (name, value)
                for name, value in zip(axes, values, strict=True)
                if value != _default(family, name)
            )
            yield Cell(
                family=family.name,
                condition=condition,
                models=((role, model), *others),
                temperature=temperature,
                variant=variant,
                axes=tuple(off_default),
                protocol=family.protocol,
                prompts=sets.get(str(dict(off_default).get(PROMPTS)), {}),
            )


def _others(
    names_of: Mapping[str, Sequence[str]], model: str
) -> Iterator[tuple[tuple[str, str], ...]]:
    """Yield every choice of co-players for `model` as (role, name) pairs; () without roles.

    Persons neither have nor are co-players: otherwise a browser and a run would have to play one
    episode together, or one memory would serve two players."""
    if names_of and is_person(model):
        return
    each = [
        dict.fromkeys(model if name == OWN else name for name in names if not is_person(name))
        for names in names_of.values()
    ]
    for chosen in product(*each):
        yield tuple(zip(names_of, chosen, strict=True))


def _changes_all(conditions: Sequence[str], family: Family, name: str, where: str) -> None:
    """Refuse a variant or axis together with conditions in which it changes nothing."""
    bears_on = family.only_in.get(name, conditions)
    untouched = [condition for condition in conditions if condition not in bears_on]
    if untouched:
        raise SweepError(
            where,
            f"{name} in {', '.join(untouched)}, where it changes nothing: the same episodes would"
            " be played once more",
            f"{name} in {', '.join(bears_on)}",
            f"give {', '.join(untouched)} a stage without it",
        )


def _apart(axes: Mapping[str, list[Scalar]], family: Family, where: str) -> None:
    """Refuse two axes off their defaults that do not go together."""

    def off(name: str) -> list[str]:
        return [str(value) for value in axes.get(name, ()) if value != family.axes[name].default]

    for name, others in family.apart.items():
        for other, reason in others.items():
            if off(name) and off(other):
                raise SweepError(
                    f"{where}.{name}",
                    f"{name}: {', '.join(off(name))} together with"
                    f" {other}: {', '.join(off(other))}",
                    f"one of the two: {reason}",
                    f"give each a separate stage, with {name}: {family.axes[name].default} or "
                    f"{other}: {family.axes[other].default} in it",
                )


def _seeds(
    stage: StageKeys, family: Family, cells: Sequence[Cell], before: Sequence[Stage], where: str
) -> Sequence[int]:
    """Return the stage's own values, or else those of the stage that it depends on."""
    if isinstance(stage.seeds, int):
        return range(stage.seeds)
    if stage.seeds is not None:
        _distinct(stage.seeds, f"{where}.seeds")
        return stage.seeds
    listings = map(family.listing_of, cells)
    sources = {name for listing in listings if listing for name in listing.after}
    for earlier in reversed(before):
        if earlier.family == family.name and sources & {one.condition for one in earlier.cells}:
            return earlier.shape.seeds
    raise SweepError(
        f"{where}.seeds", "no seeds", "how many scenes, or a list of seeds", "e.g. seeds: 3"
    )


def _axes(stage: StageKeys, family: Family, where: str) -> dict[str, list[Scalar]]:
    axes = {}
    for name, given in (stage.model_extra or {}).items():
        if name in family.axes:
            values = given if isinstance(given, list) else [given]
            axes[name] = [family.axes[name].checked(value, f"{where}.{name}") for value in values]
            _distinct(axes[name], f"{where}.{name}")
    return axes


def _default(family: Family, axis: str) -> Scalar:
    return OWN_SET if axis == PROMPTS else family.axes[axis].default


def _distinct(values: Sequence[object], where: str) -> None:
    seen: set[object] = set()
    for value in values:
        if value in seen:
            raise SweepError(where, f"{value!r} twice", "each value once", "remove the repetition")
        seen.add(value)
