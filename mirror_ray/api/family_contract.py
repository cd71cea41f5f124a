"""Check the family contract by playing with random replies, without rendering or calling models."""

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import islice

import numpy as np
import pyarrow as pa

from mirror_ray.contract.family import Axis, Family, advance
from mirror_ray.contract.listing import SUBJECT, Shape
from mirror_ray.core.errors import SweepError
from mirror_ray.core.identity import Cell, EpisodeSpec, Scalar, seeded
from mirror_ray.core.types import Ask, Observation, Outcome, Reply, Turn
from mirror_ray.engine.episode_rows import check_columns
from mirror_ray.records.schemas import EPISODES, STEPS, with_family_columns

_WORDS = ("A", "B", "C", "D", "1", "2", "yes", "no", "I do not know")
_SLIPS = 0.1
_MOST_RESUMED = 16
_MOST_RESUMED_OF_AXES = 4
"""Episodes off an axis's default are resumed at fewer points: there are many, they run the same
code, and each resumption of selfid's hundred steps takes a tenth of a second."""
_SEEDS = 2
_MODEL = "scripted/mute"


@dataclass(frozen=True, slots=True)
class Check:
    """The result of one check.

    Args:
        topic: a word.
        what: what was checked, or the fault found.
        holds: whether the check passed; None where it could not be checked.
    """

    topic: str
    what: str
    holds: bool | None


def contract_of(family: Family, *, is_thorough: bool = False) -> Iterator[Check]:
    """Check what the family declares, and that episodes fit its columns, repeat exactly and resume.

    Args:
        is_thorough: resume episodes with a non-default axis as often as all others.
    """
    yield from _declared(family)
    specs, left_out = episodes_of(family, _MODEL)
    if left_out:
        said = ", ".join(left_out)
        yield Check(
            "plays", f"not checked, as they follow from files or other stages: {said}", None
        )
    faults = [fault for spec in specs for fault in _faults_of(family, spec, is_thorough)]
    yield from (Check("plays", fault, holds=False) for fault in faults[:5])
    if not faults:
        of_axes = "" if is_thorough else ", off an axis's default at 5"
        said = f"{len(specs)} episodes end in time and repeat exactly; they resume at up to 17"
        yield Check("plays", f"{said} requests{of_axes}", holds=True)


def episodes_of(
    family: Family, model: str, *, with_axes: bool = True
) -> tuple[list[EpisodeSpec], list[str]]:
    """Return a few episodes of each condition under each variant and value of an axis, and the
    conditions that have none unless files or other stages are given."""
    specs: list[EpisodeSpec] = []
    left_out: list[str] = []
    for condition in family.conditions:
        listing = family.listings.get(condition)
        cells = list(_cells(family, condition, listing.role if listing else SUBJECT, model))
        try:
            found = [
                spec
                for cell in cells
                if with_axes or not cell.axes
                for spec in _listed(family, cell)
            ]
        # Used for an option that has no file here.
        except SweepError:
            found = []
        specs += found
        if not found:
            left_out.append(condition)
    return specs, left_out


def _cells(family: Family, condition: str, role: str, model: str) -> Iterator[Cell]:
    def bears(name: str) -> bool:
        return condition in family.only_in.get(name, (condition,))

    further = (name for name, its in family.beside.items() if condition in its)
    models = tuple((name, model) for name in (role, *further))
    for variant in filter(bears, family.variants):
        yield Cell(family.name, condition, models, None, variant, ())
    first = next(iter(family.variants))
    for name, axis in family.axes.items():
        for value in _off_default(axis) if bears(name) else ():
            yield Cell(family.name, condition, models, None, first, ((name, value),))


def _listed(family: Family, cell: Cell) -> list[EpisodeSpec]:
    """Return two episodes, or none if they depend on other stages.

    Raises:
        SweepError: a file is missing.
    """
    listing = family.listing_of(cell)
    if listing is None:
        return [EpisodeSpec(cell, seed, 0) for seed in range(_SEEDS)]
    if listing.after:
        return []
    options = {name: option.default for name, option in family.options.items()}
    shape = Shape(range(_SEEDS), 1, (cell.model,), options, family.name, limit=_SEEDS)
    return list(islice(listing.episodes(cell, shape, None), _SEEDS))


def _off_default(axis: Axis) -> list[Scalar]:
    values = axis.choices or tuple(
        type(axis.default)(bound) for bound in (axis.minimum, axis.maximum) if bound is not None
    )
    return [value for value in values if value != axis.default]


def _declared(family: Family) -> Iterator[Check]:
    faults: list[str] = []
    try:
        with_family_columns(STEPS, family.step_columns)
        with_family_columns(EPISODES, family.episode_columns)
    except ValueError as error:
        faults.append(str(error))
    if stray := set(family.fact_columns) - set(family.step_columns.names):
        faults.append(f"fact_columns that are not step columns: {', '.join(sorted(stray))}")
    for name, axis in family.axes.items():
        if axis.choices is not None and axis.default not in axis.choices:
            faults.append(f"axis {name}: its default {axis.default!r} is not one of its choices")
        if axis.choices is None and not isinstance(axis.default, str) and axis.maximum is None:
            faults.append(f"axis {name}: neither choices nor bounds")
    known = {*family.variants, *family.axes}
    apart = {*family.apart, *(other for others in family.apart.values() for other in others)}
    if stray := apart - set(family.axes):
        faults.append(f"apart names unknown axes: {', '.join(sorted(stray))}")
    if stray := set(family.only_in) - known:
        faults.append(f"only_in names unknown variants or axes: {', '.join(sorted(stray))}")
    yield from (Check("declared", fault, holds=False) for fault in faults)
    if not faults:
        said = f"{len(family.conditions)} conditions, {len(family.variants)} variants, "
        yield Check("declared", f"{said}{len(family.axes)} axes", holds=True)


def _faults_of(family: Family, spec: EpisodeSpec, is_thorough: bool) -> Iterator[str]:
    where = f"{spec.cell.condition} {spec.cell.variant_label}, seed {spec.scene_seed}"
    most = _MOST_RESUMED if is_thorough or not spec.cell.axes else _MOST_RESUMED_OF_AXES
    try:
        asks, turns, outcome = _played(family, spec, ())
        check_columns(family, outcome, len(asks))
        own = [{name: row.get(name) for name in family.step_columns.names} for row in outcome.steps]
        pa.Table.from_pylist(own, schema=family.step_columns)
        pa.Table.from_pylist([dict(outcome.fields)], schema=family.episode_columns)
        if len(asks) > family.max_asks(spec):
            yield f"{where}: {len(asks)} requests, max_asks says {family.max_asks(spec)}"
        for n_recorded in _resumed_after(len(asks), most):
            again, _, end = _played(family, spec, turns[:n_recorded])
            if again != asks or end != outcome:
                yield f"{where}: resumed after {n_recorded} of {len(asks)} replies it differs"
                return
    # A family's own code may raise any exception.
    except Exception as error:
        yield f"{where}: {type(error).__name__}: {error}"


def _resumed_after(n_asks: int, most: int = _MOST_RESUMED) -> Sequence[int]:
    # The episode is resumed after each reply; in long episodes, after evenly spaced ones.
    if n_asks <= most:
        return range(n_asks + 1)
    return [round(n_asks * place / most) for place in range(most + 1)]


def _played(
    family: Family, spec: EpisodeSpec, recorded: Sequence[Turn]
) -> tuple[list[str], list[Turn], Outcome]:
    asks: list[str] = []
    turns: list[Turn] = []
    most = family.max_asks(spec) + 1
    with closing(family.play(spec, spec.rng())) as play:
        reached = advance(play)
        while isinstance(reached, Ask) and len(asks) < most:
            asks.append(repr((reached.prompt_sha, reached.views, reached.truth)))
            at = len(turns)
            if at < len(recorded):
                turn = recorded[at]
            else:
                rng = seeded("contract", spec.episode_id, str(at))
                turn = Turn(Observation((), None, {}), _any_reply(reached, rng))
            turns.append(turn)
            reached = advance(play, turn)
    if isinstance(reached, Ask):
        raise ValueError(f"more than {most - 1} requests, which is max_asks")
    return asks, turns, reached


def _any_reply(ask: Ask, rng: np.random.Generator) -> Reply:
    """Return a random reply that the schema allows, or a word without a schema; occasionally a
    slip."""
    properties = (ask.reply_schema or {}).get("properties")
    if not isinstance(properties, dict) or rng.random() < _SLIPS:
        return Reply(text=str(rng.choice(_WORDS)), finish_reason="stop")
    said = {
        name: str(rng.choice(kind["enum"])) if "enum" in kind else str(rng.choice(_WORDS))
        for name, kind in properties.items()
    }
    return Reply(text=str(said).replace("'", '"'), finish_reason="stop")
