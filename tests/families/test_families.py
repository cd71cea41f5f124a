"""Every family, under every condition, variant and axis value, plays to its end."""

import json
from collections.abc import Iterator
from dataclasses import asdict, is_dataclass
from typing import Literal, get_args, get_origin, get_type_hints

import numpy as np
import pyarrow as pa
import pytest
from pydantic import TypeAdapter

from mirror_ray.contract.columns import COLUMNS
from mirror_ray.contract.family import Axis, Family
from mirror_ray.contract.family_files import axes_of
from mirror_ray.contract.metrics import METRICS
from mirror_ray.contract.packages import FAMILY_NAMES, module_of
from mirror_ray.contract.registry import FAMILIES
from mirror_ray.core.identity import Cell, EpisodeSpec, Scalar, seeded
from mirror_ray.core.types import Ask, Facts, Observation, Outcome, Reply, Turn
from mirror_ray.families.metacog.bank.words import LEVELS
from mirror_ray.families.metacog.settings import IN_TURN, STAIRCASE
from mirror_ray.families.mirrorqa.folder import SPLITS
from mirror_ray.records.schemas import EPISODES, STEPS, with_family_columns
from mirror_ray.world.room.scene import GLASS_SIDES_M, MOST_TILT_DEG, TINTS
from support.each_case import each
from support.whole import IS_WHOLE, one_in


def values(axis: Axis) -> tuple[Scalar, ...]:
    """All choices of an axis, or its bounds; a long upper bound only in name."""
    if axis.choices is not None:
        return axis.choices
    assert axis.minimum is not None
    assert axis.maximum is not None
    kind = type(axis.default)
    return kind(axis.minimum), axis.default, kind(min(axis.maximum, 140))


def settings(family: Family) -> list[tuple[tuple[str, Scalar], ...]]:
    """Each value of each axis once, with the others at their defaults."""
    return [
        (() if value == axis.default else ((name, value),))
        for name, axis in family.axes.items()
        for value in values(axis)
    ]


def is_given(family: Family, condition: str) -> bool:
    """Whether its episodes get their contents from a file or a parent: see its family's tests."""
    listing = family.listings.get(condition)
    return listing is not None and bool(listing.after or family.options)


def cases(family: Family) -> Iterator[tuple[str, str, str, tuple[tuple[str, Scalar], ...]]]:
    """Family, condition, variant, setting: with `make test-whole` all, else every pair of two."""
    conditions = [name for name in family.conditions if not is_given(family, name)]
    n_variants = len(family.variants)
    is_whole = IS_WHOLE or len(conditions) < n_variants
    for row, condition in enumerate(conditions):
        for column, axes in enumerate(dict.fromkeys(settings(family))):
            for number, variant in enumerate(family.variants):
                if is_whole or not axes or number == (row + column) % n_variants:
                    yield family.name, condition, variant, axes


CASES = [case for family in FAMILIES.values() for case in cases(family)]


def random_reply(ask: Ask, rng: np.random.Generator) -> Reply:
    """Any value the reply's schema allows, or a letter without a schema; with a rare slip."""
    if rng.random() < 0.05:
        return Reply(text="hm")
    if ask.reply_schema is None or "properties" not in ask.reply_schema:
        return Reply(text=str(rng.choice(list("ABCD"))), finish_reason="stop")
    found = {
        key: str(rng.choice(kind["enum"])) if "enum" in kind else "some words"
        for key, kind in ask.reply_schema["properties"].items()
    }
    if found.get("action") == "done" and rng.random() < 0.8:
        found["action"] = "w"
    return Reply(text=json.dumps(found), finish_reason="stop")


def played(family: Family, spec: EpisodeSpec) -> tuple[int, Outcome]:
    rng = seeded("replies", spec.episode_id)
    playing = family.play(spec, spec.rng())
    ask, asks = next(playing), 1
    try:
        while True:
            turn = Turn(Observation((), None, {}), random_reply(ask, rng))
            ask, asks = playing.send(turn), asks + 1
    except StopIteration as end:
        return asks, end.value


def table(schema: pa.Schema, rows: tuple[Facts, ...]) -> pa.Table:
    return pa.Table.from_pylist([dict(row) for row in rows], schema=schema)


@pytest.mark.parametrize("family", FAMILIES.values(), ids=lambda family: family.name)
def test_facts_are_kept_in_columns(family: Family) -> None:
    """Else a sealed ask could not be read back, and the episode not be played from its rows."""
    assert set(family.fact_columns) <= set(family.step_columns.names)


@each(("name", "condition", "variant", "axes"), one_in(5, CASES))
def test_plays_to_its_end(
    name: str, condition: str, variant: str, axes: tuple[tuple[str, Scalar], ...]
) -> None:
    family = FAMILIES[name]
    cell = Cell(name, condition, (("subject", "scripted/blind"),), 0.2, variant, axes)
    spec = EpisodeSpec(cell, 3, 1)
    asks, outcome = played(family, spec)
    assert outcome.terminated != outcome.truncated
    assert len(outcome.steps) == asks <= family.max_asks(spec)
    own_steps = tuple({key: row[key] for key in family.step_columns.names} for row in outcome.steps)
    assert table(family.step_columns, own_steps).num_rows == asks
    assert table(family.episode_columns, (outcome.fields,)).num_rows == 1


@pytest.mark.parametrize("family", FAMILIES.values(), ids=list(FAMILIES))
def test_columns_stand_beside_the_common_ones(family: Family) -> None:
    with_family_columns(STEPS, family.step_columns)
    with_family_columns(EPISODES, family.episode_columns)


def test_the_analysis_knows_the_columns_of_every_family() -> None:
    assert {
        name: (family.step_columns, family.episode_columns) for name, family in FAMILIES.items()
    } == {name: (own.steps, own.episodes) for name, own in COLUMNS.items()}


@pytest.mark.parametrize("family", FAMILIES.values(), ids=list(FAMILIES))
def test_every_default_is_allowed(family: Family) -> None:
    for name, axis in family.axes.items():
        assert axis.meaning, name
        assert axis.choices is None or axis.default in axis.choices, name
        if isinstance(axis.default, int | float) and axis.choices is None:
            assert axis.minimum is not None
            assert axis.maximum is not None
            assert axis.minimum <= axis.default <= axis.maximum, name


@pytest.mark.parametrize("family", FAMILIES.values(), ids=lambda family: family.name)
def test_what_bears_on_some_conditions_alone_is_named_rightly(family: Family) -> None:
    for name, conditions in family.only_in.items():
        assert name in {*family.variants, *family.axes}
        assert name != next(iter(family.variants))
        assert set(conditions) < set(family.conditions)


@pytest.mark.parametrize("name", FAMILY_NAMES)
def test_a_family_states_its_columns_and_metrics_once(name: str) -> None:
    """Analysis reads them from files, and of another package's family from the `FAMILY`."""
    family = FAMILIES[name]
    assert family.name == name
    assert family.metrics is METRICS[name]
    assert family.step_columns is COLUMNS[name].steps
    assert family.episode_columns is COLUMNS[name].episodes


@pytest.mark.parametrize("name", FAMILY_NAMES)
def test_the_code_distinguishes_what_the_files_list(name: str) -> None:
    """Types in the code repeat choices of axes, and values of conditions, that YAML states."""
    axes = FAMILIES[name].axes
    settings = getattr(module_of(name, "settings"), "Settings", object)
    for field, kind in get_type_hints(settings).items():
        if get_origin(kind) is Literal and field in axes:
            assert axes[field].choices == get_args(kind), field
    for condition in getattr(module_of(name, "conditions"), "CONDITIONS", {}).values():
        if is_dataclass(condition) and not isinstance(condition, type):
            again = TypeAdapter(type(condition)).validate_python(asdict(condition))
            assert again == condition


def test_files_list_what_the_world_and_the_data_have() -> None:
    selfid, metacog = axes_of("selfid"), axes_of("metacog")
    assert selfid["mirror_side_m"].choices == GLASS_SIDES_M
    assert selfid["mirror_tint"].choices == tuple(TINTS)
    assert selfid["mirror_tilt_deg"].maximum == MOST_TILT_DEG
    assert axes_of("mirrorqa", "options")["split"].choices == tuple(SPLITS)
    assert metacog["level"].choices == (IN_TURN, STAIRCASE, *map(str, range(1, LEVELS + 1)))
    experiments = dict.fromkeys(one.partition("-")[0] for one in FAMILIES["metacog"].conditions)
    assert metacog["judged"].choices == ("all", *(one for one in experiments if one != "judge"))


def test_an_axis_of_several_families_is_stated_once() -> None:
    assert axes_of("selfid")["encoding"] == axes_of("flipset")["encoding"]
    assert axes_of("dyad")["history"].choices == (0, 1, 5)
    structured = axes_of("selfid")["structured"]
    assert structured.choices == axes_of("dyad")["structured"].choices
    assert structured.meaning != axes_of("dyad")["structured"].meaning
